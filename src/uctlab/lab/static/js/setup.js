// Sets up a position: a brush, clicks on cells, and whose move it is.

import { button, el, segmented } from "./dom.js";

export class SetUp {
  /** onchange() redraws the board; onfinish(stones, turn) or onfinish(null) ends it. */
  constructor(onchange, onfinish) {
    this.onchange = onchange;
    this.onfinish = onfinish;
    this.active = false;
    this.element = el("div", { class: "setup", hidden: true });
  }

  begin(info) {
    this.active = true;
    this.stones = { ...info.stones };
    this.turn = info.turn ?? 0;
    this.brush = 0;
    const players = info.players ?? ["First", "Second"];
    const brushes = [["0", players[0]], ["1", players[1]], ["none", "Empty"]]; // prettier-ignore
    const turns = players.map((name, i) => [String(i), name]);
    this.element.replaceChildren(
      el("p", { text: "Click cells to place or remove stones." }),
      el(
        "div",
        { class: "buttons" },
        el("span", { class: "caption", text: "Stone" }),
        segmented("Stone", brushes, "0", (value) => {
          this.brush = value === "none" ? null : Number(value);
          this.onchange();
        }),
        el("span", { class: "caption", text: "To move" }),
        segmented("To move", turns, String(this.turn), (value) => {
          this.turn = Number(value);
        }),
        button("Clear board", () => {
          this.stones = {};
          this.onchange();
        }),
        button("Done", () => this.onfinish(this.stones, this.turn), { class: "primary" }),
        button("Cancel", () => this.onfinish(null)),
      ),
    );
    this.element.hidden = false;
    this.onchange();
  }

  end() {
    this.active = false;
    this.element.hidden = true;
  }

  /** Put the brush's stone on a cell; the same stone again removes it. */
  paint(cell) {
    const owner = ["first", "second"][this.brush];
    if (!owner || this.stones[cell] === owner) delete this.stones[cell];
    else this.stones[cell] = owner;
    this.onchange();
  }
}
