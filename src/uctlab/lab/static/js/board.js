// A board of cells to look at and to play on, for any geometry.

import { goLayout } from "./board_go.js";
import { havannahLayout, hexLayout } from "./board_hex.js";
import { squareLayout } from "./board_square.js";
import { svg } from "./dom.js";
import { rightLabel, tick } from "./right_move.js";

const LAYOUTS = { square: squareLayout, go: goLayout, hex: hexLayout, havannah: havannahLayout };
const STRONG = 0.9; // shade from which the text on it changes colour, for contrast; sooner on a dark board
const FINGER = 30; // px: on smaller cells a first touch only aims
const ARROWS = {
  ArrowLeft: [[-1, 0]],
  ArrowRight: [[1, 0]],
  ArrowUp: [[0, -1], [1, -1]], // prettier-ignore
  ArrowDown: [[0, 1], [-1, 1]], // prettier-ignore
};

/** The colour of a player's stones; Havannah's first player is White. */
function stoneColor(info, player) {
  const name = info.players?.[player]?.toLowerCase();
  return name === "black" || name === "white" ? name : ["black", "white"][player];
}

/** Draws one board of cells; `show` takes everything that is on it. */
export class CellBoard {
  /** onplay(cell name) when a cell is chosen; onaim(text) tells where the cursor is; onpoint(cell name or null) which move is pointed at. */
  constructor(kind, cells, label, { onplay = null, onaim = (/** @type {string} */ _text) => {}, onpoint = (/** @type {string} */ _cell) => {} } = {}) {
    this.kind = kind;
    this.cells = cells;
    this.byName = new Map(cells.map((cell) => [cell.name, cell]));
    this.layout = LAYOUTS[kind](cells);
    this.label = label + (onplay ? ": arrow keys move the cursor, Enter plays" : "");
    this.onplay = onplay;
    this.onaim = onaim;
    this.onpoint = onpoint;
    this.cursor = null;
    this.byKeys = false; // whether the arrow keys move the cursor
    this.layers = Object.fromEntries(
      ["background", "area", "heat", "stones", "ghosts", "marks", "letters", "aim", "hits"].map((name) => [
        name,
        svg("g", { class: name }),
      ]),
    );
    this.element = svg(
      "svg",
      {
        class: `board ${kind}`,
        viewBox: `0 0 ${this.layout.width.toFixed(1)} ${this.layout.height.toFixed(1)}`,
        role: onplay ? "application" : "img",
        tabindex: onplay ? 0 : null,
        "aria-label": this.label,
      },
      ...Object.values(this.layers),
    );
    this.drawBackground();
    if (onplay) this.listen();
  }

  drawBackground() {
    this.layers.background.append(
      ...this.layout.background(),
      ...this.layout.labels.map(({ text, x, y }) => svg("text", { class: "label", x, y, text })),
    );
  }

  /**
   * info: the server's position; heat: cell -> {level, text}; line: moves drawn as ghost stones, in
   * place of the heat; choice: the cell that the search would play; right: the one that is known to be right; open: whether a click plays;
   * dead and area: at the end, cells of dead stones and the owner of each cell; setup: {stones, brush} while a position is being set up,
   * when every cell is open.
   */
  show({ info, heat = new Map(), line = [], choice = null, right = null, open = true, setup = null, dead = [], area = {} }) {
    const hits = [info, open, setup?.brush].map((part) => part ?? null);
    const stale = !this.hits || hits.some((part, i) => part !== this.hits[i]);
    this.info = info;
    this.open = setup ? true : open && !info.over;
    this.legal = new Set(setup ? this.byName.keys() : info.legal);
    this.placed = setup ? setup.stones : info.stones;
    this.brush = setup ? setup.brush : info.turn;
    this.element.classList.toggle("playable", Boolean(this.onplay) && this.open);
    // Dots on legal moves help if those are not simply the empty cells.
    const empty = this.cells.length - Object.keys(this.placed).length;
    this.element.classList.toggle("few", this.legal.size < 0.6 * empty);
    // One layer at a time, so that a number on the board has one meaning.
    const shown = line.length ? new Map() : heat;
    this.element.classList.toggle("heated", shown.size > 0);
    this.element.classList.toggle("lined", line.length > 0);
    this.drawHeat(shown);
    this.drawStones();
    this.drawLine(line);
    this.right = setup ? null : right;
    this.element.setAttribute("aria-label", this.label + rightLabel(info, this.right));
    this.drawMarks(line.length ? null : choice, setup, dead);
    this.drawArea(setup ? {} : area, new Set(dead));
    this.drawAim();
    if (this.onplay && stale) {
      // Redrawn only on changes: a click needs the shape on which the button was pressed.
      this.hits = hits;
      this.drawHits();
    }
  }

  circle(name, attributes) {
    return svg("circle", { ...this.layout.at(this.byName.get(name)), ...attributes });
  }

  word(name, text, className, scale) {
    const { cx, cy } = this.layout.at(this.byName.get(name));
    return svg("text", {
      class: className,
      x: cx,
      y: cy,
      "font-size": (this.layout.text * scale).toFixed(1),
      text,
    });
  }

  drawHeat(heat) {
    const parts = [];
    for (const [name, { level, text }] of heat) {
      const cell = this.byName.get(name);
      if (!cell || this.placed[name]) continue;
      const strength = (0.06 + 0.74 * level).toFixed(3);
      parts.push(this.layout.shape(cell, { class: "shade", "fill-opacity": strength }));
      if (text) {
        const className = level > (this.layout.strong ?? STRONG) ? "amount strong" : "amount";
        parts.push(this.word(name, text, className, text.length > 3 ? 0.26 : 0.34));
      }
    }
    this.layers.heat.replaceChildren(...parts);
  }

  drawStones() {
    const parts = [];
    for (const [name, owner] of Object.entries(this.placed)) {
      if (!this.byName.has(name)) continue;
      const color = stoneColor(this.info, owner === "first" ? 0 : 1);
      parts.push(this.circle(name, { class: `stone ${color}`, r: this.layout.stone }));
    }
    this.layers.stones.replaceChildren(...parts);
    this.drawLetters();
  }

  /** The letters of a paper for the empty cells. */
  drawLetters() {
    const parts = [];
    for (const [name, letter] of Object.entries(this.info.letters ?? {})) {
      if (this.placed[name] || !this.byName.has(name)) continue;
      const { cx, cy } = this.layout.at(this.byName.get(name));
      const away = this.layout.text * 0.46;
      parts.push(svg("text", { class: "letter", x: cx, y: cy - away, text: letter }));
    }
    this.layers.letters.replaceChildren(...parts);
  }

  /** The principal variation as numbered ghost stones. */
  drawLine(line) {
    const parts = [];
    const seen = new Set();
    line.forEach((name, i) => {
      if (!this.byName.has(name) || this.placed[name] || seen.has(name)) return;
      seen.add(name);
      const color = stoneColor(this.info, (this.info.turn + i) % 2);
      parts.push(this.circle(name, { class: `ghost ${color}`, r: this.layout.stone * 0.86 }));
      parts.push(this.word(name, String(i + 1), `number on-${color}`, 0.36));
    });
    this.layers.ghosts.replaceChildren(...parts);
  }

  /** Who owns each empty cell, and those of dead stones, at the end of a game. */
  drawArea(area, dead) {
    const parts = [];
    for (const [name, owner] of Object.entries(area)) {
      if (!this.byName.has(name) || (this.placed[name] && !dead.has(name))) continue;
      const { cx, cy } = this.layout.at(this.byName.get(name));
      const side = this.layout.text * 0.3;
      const color = stoneColor(this.info, owner === "first" ? 0 : 1);
      parts.push(svg("rect", { class: `area ${color}`, x: cx - side / 2, y: cy - side / 2, width: side, height: side }));
    }
    this.layers.area.replaceChildren(...parts);
  }

  drawMarks(choice, setup, dead) {
    const parts = [];
    if (setup) return this.layers.marks.replaceChildren();
    for (const name of dead) {
      const { cx, cy } = this.layout.at(this.byName.get(name));
      const arm = this.layout.stone * 0.5;
      const d = `M${cx - arm},${cy - arm}l${2 * arm},${2 * arm}m0,${-2 * arm}l${-2 * arm},${2 * arm}`;
      parts.push(svg("path", { class: "dead", d }));
    }
    for (const name of this.info.win ?? []) {
      if (this.byName.has(name)) {
        parts.push(this.circle(name, { class: "win", r: this.layout.stone * 0.62 }));
      }
    }
    if (this.byName.has(this.info.last)) {
      const owner = this.placed[this.info.last] === "second" ? 1 : 0;
      const color = stoneColor(this.info, owner);
      parts.push(this.circle(this.info.last, { class: `last on-${color}`, r: 4.5 }));
    }
    if (choice && this.byName.has(choice) && !this.placed[choice]) {
      parts.push(this.circle(choice, { class: "choice", r: this.layout.stone }));
    }
    if (this.byName.has(this.right) && !this.placed[this.right]) {
      // Below the number in the middle of the cell; a letter is above it.
      const { cx, cy } = this.layout.at(this.byName.get(this.right));
      parts.push(tick(cx, cy + 0.41 * this.layout.text, 0.155 * this.layout.text));
    }
    return this.layers.marks.replaceChildren(...parts);
  }

  drawAim() {
    const parts = [];
    if (this.cursor) parts.push(this.layout.shape(this.cursor, { class: "cursor" }));
    this.layers.aim.replaceChildren(...parts);
  }

  /** Invisible shapes that receive clicks; on hover they show what a click would do. */
  drawHits() {
    const color = this.brush === null ? "none" : stoneColor(this.info, this.brush);
    const parts = this.cells.map((cell) => {
      const allowed = this.open && this.legal.has(cell.name);
      return svg(
        "g",
        { class: allowed ? "hit legal" : "hit", "data-cell": cell.name },
        this.layout.shape(cell, { class: "target" }),
        allowed ? this.circle(cell.name, { class: "hint", r: 3 }) : null,
        allowed ? this.circle(cell.name, { class: `preview ${color}`, r: this.layout.stone }) : null,
      );
    });
    this.layers.hits.replaceChildren(...parts);
  }

  listen() {
    this.element.addEventListener("click", (event) => {
      const name = event.target.closest("[data-cell]")?.dataset.cell;
      if (!name) return;
      const cell = this.byName.get(name);
      const side = event.target.getBoundingClientRect().width;
      const aimed = this.cursor === cell;
      if (event.pointerType === "touch" && side < FINGER && !aimed) {
        this.moveCursor(cell);
        return;
      }
      this.hideCursor();
      this.choose(name);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse") return;
      if (this.cursor) this.hideCursor();
      this.onpoint(event.target.closest("[data-cell]")?.dataset.cell ?? null);
    });
    this.element.addEventListener("pointerleave", () => this.onpoint(this.cursor?.name ?? null));
    this.element.addEventListener("focus", () => (this.byKeys = this.element.matches(":focus-visible")));
    this.element.addEventListener("blur", () => (this.byKeys = false));
    this.element.addEventListener("pointerdown", () => (this.byKeys = false));
    this.element.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (ARROWS[event.key] && this.byKeys) {
        event.preventDefault();
        this.step(ARROWS[event.key]);
      } else if (event.key === "Enter" && this.cursor) {
        event.preventDefault();
        this.choose(this.cursor.name);
      }
    });
  }

  choose(name) {
    if (this.open) this.onplay(name);
  }

  /** Move the cursor by the first of these steps that stays on the board. */
  step(steps) {
    if (!this.cursor) return this.moveCursor(this.middle());
    for (const [dx, dy] of steps) {
      const at = { x: this.cursor.x + dx, y: this.cursor.y + dy };
      const next = this.cells.find((cell) => cell.x === at.x && cell.y === at.y);
      if (next) return this.moveCursor(next);
    }
    return undefined;
  }

  middle() {
    return this.cells[Math.floor(this.cells.length / 2)];
  }

  hideCursor() {
    this.cursor = null;
    this.drawAim();
    this.onpoint(null);
  }

  moveCursor(cell) {
    this.cursor = cell;
    this.drawAim();
    this.onpoint(cell.name);
    const owner = this.placed[cell.name];
    const what = owner
      ? (this.info.players?.[owner === "first" ? 0 : 1] ?? owner)
      : this.legal.has(cell.name)
        ? "empty"
        : "not a legal move";
    this.onaim(`${cell.name}, ${what}${cell.name === this.right ? ", the right move" : ""}`);
  }
}
