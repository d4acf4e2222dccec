// The value of every position of a game that was searched, from one player's view.

import { el, segmented, svg } from "./dom.js";
import { lineThrough } from "./game_tree.js";
import { firstValue, mistakeOf } from "./kept.js";

const HEIGHT = 120;
const LEFT = 40;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 20;
const MANY = 40; // points, from which they are smaller

export class ValueGraph {
  /** onchoose(node) when a position is clicked. */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.view = 0; // whose value: 0 the first player's
    this.canvas = svg("svg", { class: "value-graph chart", role: "img" });
    this.players = el("div");
    this.element = el("figure", { class: "figure" }, el("figcaption", { class: "graph-head" }, "Value over the game, for ", this.players), this.canvas);
    this.canvas.addEventListener("click", (event) => this.choose(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(current, players) {
    if (players.join() !== this.names) {
      this.names = players.join();
      this.players.replaceChildren(
        segmented("Whose value", players.map((name, i) => [String(i), name]), String(this.view), (i) => {
          this.view = Number(i);
          this.draw();
        }),
      );
    }
    this.current = current;
    this.line = lineThrough(current);
    this.canvas.setAttribute("aria-label", `Value of each position for ${players[this.view]}`);
    this.draw();
  }

  valueOf(node) {
    const value = firstValue(node);
    return value === null || this.view === 0 ? value : 1 - value;
  }

  get width() {
    return Math.max(220, this.element.clientWidth);
  }

  x(depth) {
    const last = Math.max(1, this.line.length - 1);
    return LEFT + ((this.width - LEFT - RIGHT) * depth) / last;
  }

  draw() {
    if (!this.line || !this.element.clientWidth) return;
    const known = this.line.filter((node) => firstValue(node) !== null);
    const searched = known.some((node) => node.kept);
    this.element.classList.toggle("empty", !searched);
    if (!searched) return;
    const { width } = this;
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value);
    const parts = [0, 0.5, 1].flatMap((value) => [
      svg("line", { class: value === 0.5 ? "grid middle" : "grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { class: "tick end", x: LEFT - 6, y: y(value), text: `${100 * value} %` }),
    ]);
    const here = this.x(this.current.depth);
    parts.push(svg("line", { class: "now", x1: here, x2: here, y1: TOP, y2: HEIGHT - BOTTOM }));
    const points = known.map((node) => `${this.x(node.depth).toFixed(1)},${y(this.valueOf(node)).toFixed(1)}`);
    parts.push(svg("polyline", { class: "series color-0", points: points.join(" ") }));
    for (const node of known) {
      const mistake = mistakeOf(node);
      const place = { cx: this.x(node.depth), cy: y(this.valueOf(node)) };
      const name = `value ${mistake?.name ?? ""} ${node === this.current ? "here" : ""}`.trim();
      parts.push(
        svg("circle", { class: name, ...place, r: (mistake ? 5 : 3) * (known.length > MANY ? 0.6 : 1) }, svg("title", { text: `Move ${node.depth}${node.move ? ` ${node.move}` : ""}: ${Math.round(100 * this.valueOf(node))} %${mistake ? ` ${mistake.mark}` : ""}` })),
      );
    }
    const last = this.line.length - 1;
    for (const depth of new Set([0, last])) {
      parts.push(svg("text", { class: depth ? "tick end" : "tick", x: this.x(depth), y: HEIGHT - 8, text: depth ? `move ${depth}` : "0" }));
    }
    this.canvas.replaceChildren(...parts);
  }

  choose(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * this.width;
    const last = this.line.length - 1;
    const depth = Math.round(((x - LEFT) / (this.width - LEFT - RIGHT)) * last);
    this.onchoose(this.line[Math.min(last, Math.max(0, depth))]);
  }
}
