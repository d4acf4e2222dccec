// Controls for a game, its size, options and start: from "hex:5,swap=on" to controls and back.

import { el, field, select } from "./dom.js";
import { family } from "./session.js";

/** The size and the named options in a game's text. */
function readGame(text) {
  const [, rest = ""] = text.split(/:(.*)/);
  const given = { size: null, options: new Map() };
  for (const part of rest.split(",").filter(Boolean)) {
    const [name, value] = part.split("=");
    if (value === undefined) given.size = name;
    else given.options.set(name, value);
  }
  return given;
}

function writeGame(game, size, options) {
  const named = [...options].map(([name, value]) => `${name}=${value}`);
  const parts = [...(game.sized ? [String(size)] : []), ...named];
  return parts.length ? `${game.name}:${parts.join(",")}` : game.name;
}

export class GameChooser {
  /** onchange(spec of the game, start) when another one is chosen. */
  constructor(catalog, onchange) {
    this.catalog = catalog;
    this.onchange = onchange;
    this.game = select(
      catalog.games.map(({ name, title }) => [name, title]),
      "",
      (name) => this.tell(this.entry(name), null, new Map()),
    );
    this.rest = el("div", { class: "inline" });
    this.element = el("div", { class: "inline" }, field("Game", this.game), this.rest);
  }

  entry(name) {
    return this.catalog.games.find((game) => game.name === name);
  }

  show({ game: text, start }) {
    const shown = JSON.stringify([text, start]);
    if (shown === this.shown) return;
    this.shown = shown;
    const entry = this.entry(family(text));
    this.game.value = family(text);
    this.game.title = entry?.help ?? "";
    const given = readGame(text);
    const fields = [];
    if (entry?.sized) {
      const size = String(given.size ?? entry.default_size);
      // A link may contain a size that is not offered.
      const all = [...new Set([...entry.sizes, Number(size)])].sort((a, b) => a - b);
      const sizes = all.map((one) => [String(one), String(one)]);
      const change = (chosen) => this.tell(entry, chosen, given.options);
      fields.push(field(entry.size_title ?? "Size", select(sizes, size, change)));
    }
    for (const option of entry?.options ?? []) fields.push(this.option(entry, option, given));
    const named = this.catalog.named.filter(({ game }) => family(game) === entry?.name);
    if (named.length) fields.push(this.starts(text, start, named));
    this.rest.replaceChildren(...fields);
  }

  option(entry, { name, title, help, choices, default: standard }, given) {
    const written = String(standard);
    const value = given.options.get(name) ?? written;
    const set = (chosen) => {
      const options = new Map(given.options);
      if (chosen === written || chosen === "") options.delete(name);
      else options.set(name, chosen);
      this.tell(entry, given.size, options);
    };
    let node;
    if (choices) node = select(choices.map((one) => [String(one), String(one)]), value, set); // prettier-ignore
    else {
      node = el("input", { type: "text", inputmode: "decimal", onchange: () => set(node.value.trim()) });
      node.value = value;
      node.className = "narrow";
    }
    node.title = help ?? "";
    return field(title ?? name, node);
  }

  /** The positions from papers, each on a board of its own size. */
  starts(text, start, named) {
    const options = [["", "Empty board"], ...named.map(({ name }) => [name, name])];
    if (start?.diagram) options.push(["set up", "As set up"]);
    const chosen = start?.name ?? (start ? "set up" : "");
    const node = select(options, chosen, (name) => {
      if (name === "set up") return;
      const found = named.find((one) => one.name === name);
      this.onchange(found?.game ?? text, found ? { name } : null);
    });
    node.title = named.map(({ title }) => title).join("; ");
    return field("Start", node);
  }

  tell(entry, size, options) {
    this.onchange(writeGame(entry, size ?? entry.default_size, options), null);
  }
}
