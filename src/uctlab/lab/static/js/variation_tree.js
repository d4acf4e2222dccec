// The variations of a game as a small tree: moves run from left to right, variations lie below.

import { svg } from "./dom.js";
import { lanes, lineThrough } from "./game_tree.js";
import { mistakeOf, turnAt } from "./kept.js";

const STEP = 22; // between two moves, in px
const LANE = 20;
const DOT = 6;
const MARGIN = 12;

export class VariationTree {
  /** onchoose(node) when a node is clicked. */
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.canvas = svg("svg", { class: "variations", role: "group", "aria-label": "Variations" });
    this.element = document.createElement("div");
    this.element.className = "scroll variation-place";
    this.element.append(this.canvas);
  }

  show(tree, current, players) {
    const lane = lanes(tree);
    const nodes = [...lane.keys()];
    this.element.hidden = nodes.length < 2;
    const line = new Set(lineThrough(current));
    /** @returns {[number, number]} */
    const at = (node) => [MARGIN + node.depth * STEP, MARGIN + lane.get(node) * LANE];
    const width = 2 * MARGIN + STEP * Math.max(...nodes.map((node) => node.depth));
    const height = 2 * MARGIN + LANE * Math.max(...lane.values());
    this.canvas.setAttribute("width", String(width));
    this.canvas.setAttribute("height", String(height));
    const edges = nodes.filter((node) => node.parent).map((node) => this.edge(at(node.parent), at(node), line.has(node)));
    const dots = nodes.map((node) => this.dot(node, at(node), node === current, players));
    this.canvas.replaceChildren(...edges, ...dots);
    const [x, y] = at(current);
    this.element.scrollTo({ left: x - this.element.clientWidth / 2, top: y - this.element.clientHeight / 2 });
  }

  /** Along the parent's column down to the lane, then right. */
  edge([x1, y1], [x2, y2], strong) {
    const corner = y1 === y2 ? "" : `L${x1},${y2 - LANE / 2}L${Math.min(x1 + STEP / 2, x2)},${y2}`;
    return svg("path", { class: strong ? "edge line" : "edge", d: `M${x1},${y1}${corner}L${x2},${y2}` });
  }

  dot(node, [x, y], here, players) {
    const mover = node.parent ? turnAt(node.parent) : null;
    const name = players?.[mover]?.toLowerCase();
    const color = mover === null ? "start" : name === "black" || name === "white" ? name : ["black", "white"][mover];
    const words = node.parent ? `Move ${node.depth}: ${node.move}` : "Start";
    const mistake = mistakeOf(node);
    const classes = ["dot", color, here && "here", node.comment && "commented", mistake && mistake.name].filter(Boolean);
    return svg(
      "g",
      { class: classes.join(" "), "data-depth": node.depth, onclick: () => this.onchoose(node) },
      svg("title", { text: [words, mistake?.mark, node.comment].filter(Boolean).join(" – ") }),
      svg("rect", { class: "target", x: x - STEP / 2, y: y - LANE / 2, width: STEP, height: LANE }),
      svg("circle", { cx: x, cy: y, r: DOT }),
    );
  }
}
