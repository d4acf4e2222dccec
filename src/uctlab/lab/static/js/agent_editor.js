// Controls for an agent and its parameters: from "auct(k=3,expand=10)" to controls and back.

import { complain } from "./announcer.js";
import { el, field, select } from "./dom.js";
import { missing } from "./format.js";
import { family } from "./session.js";

/** The name and the given parameters in an agent's text. */
export function readAgent(text) {
  const [, name = text, inside = ""] = text.match(/^\s*(\w+)\s*(?:\((.*)\))?\s*$/) ?? [];
  const given = new Map();
  for (const part of inside.split(",").filter(Boolean)) {
    const [key, value = ""] = part.split("=").map((piece) => piece.trim());
    given.set(key, value);
  }
  return { name, given };
}

function writeAgent(name, given) {
  const inside = [...given].map(([key, value]) => `${key}=${value}`).join(",");
  return inside ? `${name}(${inside})` : name;
}

const shownDefault = (value) => (value === null || value === undefined ? "" : String(value));

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 9 });

function range({ minimum, maximum }) {
  const [low, high] = [minimum, maximum].map((end) => (missing(end) ? "" : NUMBER.format(end)));
  if (low && high) return ` From ${low} to ${high}.`;
  if (low) return ` At least ${low}.`;
  return high ? ` At most ${high}.` : "";
}

/** What is wrong with a number that was typed; empty if nothing is. */
function mistake({ type, minimum, maximum, words = [] }, text) {
  if (text === "" || text === "inf" || words.includes(text)) return "";
  const value = Number(text);
  if (!Number.isFinite(value)) return `${text} is not a number.`;
  if (type === "integer" && !Number.isInteger(value)) return `${text} is not a whole number.`;
  const low = !missing(minimum) && value < minimum;
  const high = !missing(maximum) && value > maximum;
  return low || high ? `${text} is out of range.${range({ minimum, maximum })}` : "";
}

export class AgentEditor {
  /** onchange(text) with the agent's new text. */
  constructor(catalog, label, onchange) {
    this.catalog = catalog;
    this.onchange = onchange;
    this.chooser = select([], "", (name) => this.choose(name));
    this.text = el("code", { class: "agent-text" });
    this.help = el("p", { class: "help" });
    this.parameters = el("div", { class: "parameters" });
    this.details = el(
      "details",
      { class: "more" },
      el("summary", {}, "Parameters ", this.text),
      this.help,
      this.parameters,
    );
    this.head = field(label, this.chooser);
    this.element = el("div", { class: "agent" }, this.head, this.details);
  }

  label(text) {
    this.head.querySelector("label").textContent = text;
  }

  show(text, game) {
    if (text === this.shown && family(game) === this.game) return;
    this.shown = text;
    this.game = family(game);
    const { name, given } = readAgent(text);
    this.name = name;
    this.given = given;
    const agent = this.catalog.agents.find((one) => one.name === name);
    const fit = ({ games }) => !games || games.includes(this.game);
    this.chooser.replaceChildren(
      ...this.catalog.agents
        .filter((one) => fit(one) || one.name === name)
        .map((one) => el("option", { value: one.name, text: `${one.name} – ${one.title}` })),
    );
    this.chooser.value = name;
    this.text.textContent = text;
    this.help.textContent = [agent?.help, agent?.equation].filter(Boolean).join(" ");
    const fitting = (agent?.parameters ?? []).filter(fit);
    this.parameters.replaceChildren(...fitting.map((parameter) => this.control(parameter)));
  }

  choose(name) {
    const { given } = readAgent(this.catalog.agents.find((one) => one.name === name).spec);
    this.tell(name, given);
  }

  tell(name, given) {
    const text = writeAgent(name, given);
    this.text.textContent = text;
    this.onchange(text);
  }

  change(key, value) {
    const given = new Map(this.given);
    if (value === "") given.delete(key);
    else given.set(key, value);
    this.given = given;
    this.shown = writeAgent(this.name, given); // the controls already show it
    this.tell(this.name, given);
  }

  control(parameter) {
    const { name, title, help, type, choices } = parameter;
    const standard = shownDefault(parameter.default);
    const value = this.given.get(name) ?? "";
    const set = (text) => this.change(name, text === standard && !parameter.required ? "" : text);
    let node;
    if (type === "choice" || type === "flag") {
      const known = parameter.choice_games ?? {};
      const options = choices
        .filter((choice) => !known[choice] || known[choice].includes(this.game))
        .map((choice) => [choice, choice]);
      node = select(options, value || standard, set);
    } else {
      node = el("input", {
        type: "text",
        inputmode: "decimal",
        placeholder: standard,
        autocomplete: "off",
        onchange: () => {
          const wrong = mistake(parameter, node.value.trim());
          node.setAttribute("aria-invalid", String(Boolean(wrong)));
          if (wrong) complain(new Error(`${title}: ${wrong}`));
          else set(node.value.trim());
        },
      });
      node.value = value;
    }
    const told = standard ? ` Default ${standard}.` : "";
    return field(title && title !== name ? `${title} (${name})` : name, node, help + range(parameter) + told);
  }
}
