// The figures of the course: a board in a card, a table of moves, a chart of values.

import { BoardHolder } from "../boards.js";
import { Chart, ColorBook } from "../chart.js";
import { el } from "../dom.js";
import { count, decimal, missing, percent } from "../format.js";

/** A board that is only looked at. */
export class Board {
  constructor(session, caption = "") {
    this.session = session;
    this.place = el("div", { class: "board-place" });
    this.caption = el("figcaption", { text: caption });
    this.element = el("figure", { class: "card figure-board" }, this.place, this.caption);
    this.holder = new BoardHolder(this.place, session);
  }

  /** Ask the server for the position. */
  async open(position) {
    this.info = await this.session.connection.request({ type: "position", position });
    this.show({});
  }

  /**
   * stones: cell -> first or second, instead of those of the position; `more` is what boards.js takes.
   * @param {{stones?: object, last?: string, win?: string[], heat?: Map<string, object>, line?: string[],
   *   choice?: string, known?: Map<string, object>}} what
   */
  show({ stones = this.info?.stones, last = null, win = [], ...more }) {
    if (!this.info) return;
    this.holder.show({ info: { ...this.info, stones, last, win }, open: false, ...more });
  }
}

/** The stones after some moves, from an empty board or another start. */
export function stonesAfter(info, moves) {
  const stones = { ...info.stones };
  moves.forEach((move, i) => (stones[move] = (info.turn + i) % 2 === 0 ? "first" : "second"));
  return stones;
}

/** Shades by a number from 0 to 1 for each move: cell -> {level, text}. */
export function shades(rows, number, text) {
  const found = rows.filter((row) => !missing(number(row)));
  const all = found.map(number);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const level = (value) => (high > low ? (value - low) / (high - low) : 0.5);
  return new Map(found.map((row) => [row.move, { level: level(number(row)), text: text(row) }]));
}

/** The moves of the root, most visited first. */
export class MoveTable {
  constructor(columns, { most = 8, caption = "Moves" } = {}) {
    this.columns = columns;
    this.most = most;
    this.rows = el("tbody");
    this.element = el(
      "table",
      { class: "moves" },
      el("caption", { class: "hidden", text: caption }),
      el(
        "thead",
        {},
        el("tr", {}, el("th", { class: "name", scope: "col", text: "Move" }), ...columns.map(([name]) => el("th", { scope: "col", text: name }))),
      ),
      this.rows,
    ); // prettier-ignore
  }

  show(rows, chosen = null, names = {}) {
    const line = (row) =>
      el(
        "tr",
        { class: row.move === chosen ? "chosen" : null, "data-move": row.move },
        el("th", { class: "name", scope: "row", text: names[row.move] ?? row.move }),
        ...this.columns.map(([, text]) => el("td", { text: text(row) })),
      );
    this.rows.replaceChildren(...rows.slice(0, this.most).map(line));
  }
}

/** @type {Record<string, [string, (row: any) => string]>} */
export const COLUMNS = {
  visits: ["Visits", (row) => count(row.visits)],
  value: ["Value", (row) => (row.visits ? percent(row.value) : "–")],
  bonus: ["Bonus", (row) => (row.visits ? decimal(row.exploration) : "∞")],
  score: ["Score", (row) => decimal(row.score ?? Infinity)],
  velocity: ["Velocity", (row) => decimal(row.velocity)],
};

/** Values of the moves over the playouts. */
export class ValueChart {
  constructor(title = "Value by playouts", measure = "value") {
    this.chart = new Chart(title, measure);
    this.colors = new ColorBook();
    this.element = this.chart.element;
  }

  /** turned: the playout to mark as the turning point, and the move it turned to. */
  show(search, side = 0, turned = null) {
    this.chart.marks = turned ? [{ playouts: turned[0], text: `turns to ${turned[1]} at ${turned[0]}` }] : [];
    const root = search.sides[side]?.root ?? [];
    this.chart.draw(search.histories[side], this.colors.choose(root.filter((row) => row.visits)));
  }
}

/** Whether things may move by themselves. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Gives the focus back to a button that was disabled while it worked. */
export function keepFocus() {
  const was = document.activeElement;
  return () => {
    if (was instanceof HTMLElement && was.isConnected && document.activeElement === document.body) {
      was.focus({ preventScroll: true });
    }
  };
}

export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
