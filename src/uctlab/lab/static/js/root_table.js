// The root moves of a search as a table, most visited first.

import { el } from "./dom.js";
import { count, decimal, missing, percent } from "./format.js";

// [key, heading, what it means, text]; a column without any number is left out.
/** @type {[string, string, string, (row: any) => string][]} */
const COLUMNS = [
  ["visits", "Visits", "playouts through this move", (row) => count(row.visits)],
  ["value", "Value", "fraction won by the player to move", (row) => percent(row.visits ? row.value : null)],
  ["velocity", "Velocity", "how often it was chosen recently", (row) => decimal(row.velocity)],
  ["discounted", "Discounted", "visits, with older ones counting less", (row) => decimal(row.discounted)],
  ["rave", "RAVE", "fraction won when it was played at any later time", (row) => percent(row.rave)],
  ["samples", "Samples", "playouts behind the RAVE value", (row) => count(row.samples)],
  ["prior", "Prior", "prior knowledge of the game", (row) => decimal(row.prior)],
  ["exploration", "Exploration", "bonus for few visits", (row) => decimal(row.exploration)],
  ["score", "Score", "mean plus bonus; the move with the highest score is tried next", (row) => decimal(row.score)],
];

export class RootTable {
  /** columns: the keys to show, by default all; most: maximum number of rows; onpoint(move or null). */
  constructor({ columns = null, most = Infinity, label = "Root moves", onpoint = (/** @type {string} */ _move) => {} } = {}) {
    this.columns = columns ? COLUMNS.filter(([key]) => columns.includes(key)) : COLUMNS;
    this.most = most;
    this.table = el("table", { class: "moves" });
    this.element = el("div", { class: "scroll", tabindex: 0, role: "region" }, this.table);
    this.element.setAttribute("aria-label", label);
    const pointed = (event) => onpoint(event.target.closest("tr[data-move]")?.dataset.move ?? null);
    this.table.addEventListener("pointerover", pointed);
    this.table.addEventListener("pointerleave", () => onpoint(null));
  }

  /** side: a snapshot; letters: cell -> a paper's letter; colors: move -> colour number. */
  show(side, letters = null, colors = new Map()) {
    if (!side) return this.table.replaceChildren();
    const known = this.columns.filter(
      ([key]) => key === "visits" || key === "value" || side.root.some((row) => !missing(row[key])),
    );
    const rows = [...side.root].sort((a, b) => b.visits - a.visits).slice(0, this.most);
    const most = rows[0]?.visits || 1;
    return this.table.replaceChildren(
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("th", { text: "Move", scope: "col", class: "name" }),
          ...known.map(([, text, title]) => el("th", { text, title, scope: "col" })),
        ),
      ),
      el("tbody", {}, ...rows.map((row) => this.row(row, known, side, most, letters, colors))),
    );
  }

  row(row, known, side, most, letters, colors) {
    const letter = letters?.[row.move];
    const name = el("th", { class: "name", scope: "row", text: row.move });
    if (colors.has(row.move)) name.prepend(el("i", { class: `dot color-${colors.get(row.move)}` }));
    if (letter) name.append(el("small", { text: letter }));
    const cells = known.map(([key, , , text]) => {
      const cell = el("td", { text: text(row) });
      if (key === "visits") {
        cell.className = "bar";
        cell.style.setProperty("--share", row.visits / most);
      }
      return cell;
    });
    const chosen = row.move === side.choice;
    return el("tr", { class: chosen ? "chosen" : null, "data-move": row.move }, name, ...cells);
  }
}
