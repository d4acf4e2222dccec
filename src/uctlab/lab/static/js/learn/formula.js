// Formulas as MathML, which browsers draw themselves; see lab/formulas.py.

import { fetchJson } from "../connection.js";
import { el } from "../dom.js";
import { decimal } from "../format.js";
import { explain } from "../tooltip.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const THIN = "0.167em";

/** @type {Promise<{formulas: object, symbols: object}>} */
let asked = null;
let known = null;

/** Get the formulas from the server, once. */
export async function loadFormulas() {
  asked ??= fetchJson("/api/formulas");
  try {
    known = await asked;
  } catch (error) {
    asked = null; // to be asked again
    throw error;
  }
}

function math(tag, ...children) {
  const node = document.createElementNS(MATHML, tag);
  node.append(...children);
  return node;
}

const space = () => {
  const node = math("mspace");
  node.setAttribute("width", THIN);
  return node;
};

/** The elements of a formula; `values` maps keys of symbols to numbers that replace them. */
function draw([tag, symbol, ...parts], values) {
  if (tag === "mspace") return space();
  const { meaning } = known.symbols[symbol] ?? {};
  if (symbol in values) {
    const value = values[symbol];
    const node = math("mn", typeof value === "number" ? decimal(value) : String(value));
    node.setAttribute("class", "live");
    return explain(node, meaning);
  }
  const node = math(tag);
  for (const part of parts) {
    node.append(typeof part === "string" ? part : draw(part, values));
    if (part[0] === "mi" && part[2] === "ln") node.append(space());
  }
  if (symbol) {
    node.setAttribute("class", "symbol");
    node.setAttribute("tabindex", "0");
    explain(node, meaning);
  }
  return node;
}

const whole = (name, values = {}, display = "block") => {
  const node = math("math", draw(known.formulas[name], values));
  node.setAttribute("display", display);
  return node;
};

function symbolsOf([, symbol, ...parts]) {
  if (symbol) return [symbol];
  return parts.filter((part) => typeof part !== "string").flatMap(symbolsOf);
}

/** A formula with its symbols, each explained on hover and focus, and in a list to unfold. */
export function formula(...names) {
  const symbols = new Set(names.flatMap((name) => symbolsOf(known.formulas[name])));
  const rows = [...symbols].flatMap((key) => {
    const { shown, meaning } = known.symbols[key];
    return [el("dt", {}, math("math", draw(shown, {}))), el("dd", { text: meaning })];
  });
  return el(
    "div",
    { class: "formula" },
    ...names.map((name) => whole(name)),
    el("details", {}, el("summary", { text: "What the symbols mean" }), el("dl", {}, ...rows)),
  );
}

/** The same formula with numbers in place of its symbols, and behind it what they come to. */
export function inNumbers(name, values, result = null) {
  const node = whole(name, values, "inline");
  node.setAttribute("displaystyle", "true");
  if (result !== null) {
    node.append(math("mo", "="), math("mn", typeof result === "number" ? decimal(result) : result));
  }
  return node;
}
