// A game that is shown as text, such as the user's own: its diagram, and a button for each legal move.

import { button, el } from "./dom.js";

const TURN = /^\S+ to play$/;
const STONES = /\b[XO]\b/;

/** A line of the diagram; the stones X and O get the colours of the players. */
function drawn(line) {
  const parts = line.split(/\b([XO])\b/);
  return parts.map((part, i) => (i % 2 ? el("b", { class: `stone-${part}`, text: part }) : part));
}

export class TextBoard {
  /** onplay(move) when a move is chosen. */
  constructor(label, { onplay = null, onpoint = (/** @type {string} */ _move) => {} } = {}) {
    this.onplay = onplay;
    this.onpoint = onpoint;
    this.diagram = el("pre", { class: "diagram", role: "img", "aria-label": label });
    this.moves = el("div", { class: "text-moves", role: "group", "aria-label": "Legal moves" });
    this.legend = el("p", { class: "help" });
    this.line = el("p", { class: "help" });
    this.element = el(
      "div",
      { class: "text-board" },
      this.diagram,
      this.legend,
      this.moves,
      this.line,
    );
    this.buttons = new Map();
  }

  /** Takes the arguments of CellBoard.show; there is no set-up. */
  show({ info, heat = new Map(), line = [], choice = null, open = true }) {
    if (info !== this.info) this.draw(info);
    for (const [move, node] of this.buttons) {
      const { level = 0, text = "" } = heat.get(move) ?? {};
      node.style.setProperty("--level", level.toFixed(3));
      node.lastChild.textContent = text;
      node.classList.toggle("choice", move === choice);
      node.disabled = !this.onplay || !open;
    }
    const last = info.last ? `Last move: ${info.last}. ` : "";
    this.line.textContent = last + (line.length ? `Expected line: ${line.join(" ")}` : "");
  }

  /** Only for another position: a click needs the button on which it began. */
  draw(info) {
    this.info = info;
    const lines = info.ascii.split("\n").filter((one) => !TURN.test(one)); // the page says it
    const legend = lines.length > 1 && lines.some((one) => STONES.test(one)) ? `X ${info.players[0]}, O ${info.players[1]}` : "";
    this.legend.replaceChildren(...drawn(legend));
    this.diagram.replaceChildren(...lines.flatMap((one) => [...drawn(one), "\n"]));
    this.buttons = new Map(info.legal.map((move) => [move, this.moveButton(move)]));
    this.moves.replaceChildren(...this.buttons.values());
  }

  moveButton(move) {
    const node = button("", () => this.onplay?.(move), {
      "data-cell": move,
      onpointerenter: () => this.onpoint(move),
      onpointerleave: () => this.onpoint(null),
      onfocus: () => this.onpoint(move),
      onblur: () => this.onpoint(null),
    });
    node.append(el("span", { class: "move-name", text: move }), el("span", { class: "amount" }));
    return node;
  }
}
