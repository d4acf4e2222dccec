// Buttons for moves that are not cells: pass and swap.

import { button, el } from "./dom.js";

const NAMES = { pass: "Pass", "swap-pieces": "Swap sides" };

export class OtherMoves {
  /** onplay(move) when one is chosen. */
  constructor(onplay) {
    this.onplay = onplay;
    this.element = el("div", { class: "buttons" });
  }

  /** open: whether the person may move now. */
  show(info, open) {
    const cells = new Set(info.cells.map((cell) => cell.name));
    const moves = open ? info.legal.filter((move) => !cells.has(move)) : [];
    const only = info.legal.length === 1 ? "primary" : null;
    const shown = moves.join() + only;
    if (shown === this.shown) return; // a click needs the button on which it began
    this.shown = shown;
    this.element.replaceChildren(
      ...moves.map((move) => button(NAMES[move] ?? move, () => this.onplay(move), { class: only })),
    );
  }
}
