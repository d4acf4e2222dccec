// The deceptive tree of hashimoto2012, Fig. 1, drawn as a tree with visits and values.
//
//   A --+-- B --+-- D, E   won for the first player, who moves at A and at G
//       |       +-- F      lost; in deeper trees another B follows
//       +-- C ----- G --+-- H   won; in deeper trees another G follows
//                       +-- I   lost
//
// A node is identified by its path, the moves from A. Values are from the first player's view.

import { svg } from "./dom.js";
import { count, missing, percent } from "./format.js";
import { rightLabel, tick } from "./right_move.js";

const ACROSS = 82;
const DOWN = 88;
const DOWN_DEEP = 62; // rows are closer if there are many
const RADIUS = 17;
const MAX_LEVELS = 6; // deeper trees are cut off here
const MAX_LEAVES = 3; // of the won leaves below one B

export const pathKey = (path) => path.join(" ");

/** {wins, depth} of "deceptive:2,depth=6". */
export function treeSize(game) {
  const [, text = ""] = game.split(/:(.*)/);
  const size = { wins: 2, depth: 1 };
  for (const part of text.split(",").filter(Boolean)) {
    const [name, value] = part.includes("=") ? part.split("=") : ["wins", part];
    size[name] = Number(value);
  }
  return size;
}

/** All nodes with their position: {path, name, x, y (columns and rows), mover, end, more}. */
function treeNodes({ wins, depth }) {
  const nodes = [];
  const levels = Math.min(depth, MAX_LEVELS);
  const leaves = wins === 2 ? ["D", "E"] : [...Array(wins).keys()].map((i) => `D${i + 1}`);
  const shown = leaves.slice(0, wins > MAX_LEAVES + 1 ? MAX_LEAVES : wins);
  const spine = depth > 1; // otherwise a parent is centred above its children
  const f = shown.length; // column of F
  const b = spine ? f : f / 2;
  const h = f + 1.6;
  const c = spine ? h : h + 0.5;
  const add = (path, x, y, rest) => nodes.push({ path, name: path.at(-1) ?? "A", x, y, ...rest });

  add([], (b + c) / 2, 0, { mover: 0 });
  let left = [];
  let right = ["C"];
  add(right, c, 1, { mover: 1 });
  for (let level = 0; level < levels; level++) {
    const last = level === depth - 1;
    const cut = level === levels - 1 && !last; // the drawing ends here, but not the tree
    const row = 1 + 2 * level;
    left = [...left, "B"];
    add(left, b, row, { mover: 1 });
    shown.forEach((name, i) => {
      const hidden = i === shown.length - 1 ? wins - shown.length : 0;
      add([...left, name], i, row + 1, { end: "won", hidden });
    });
    left = [...left, "F"];
    add(left, f, row + 1, last ? { end: "lost" } : { mover: 0, cut });
    right = [...right, "G"];
    add(right, c, row + 1, { mover: 0 });
    add([...right, "I"], h + 1, row + 2, { end: "lost" });
    right = [...right, "H"];
    add(right, h, row + 2, last ? { end: "won" } : { mover: 1, cut });
  }
  return nodes;
}

/** Draws the tree of one game; `show` updates visits and values. */
export class TreeBoard {
  constructor(game, label, { onplay = null } = {}) {
    const size = treeSize(game);
    this.onplay = onplay;
    this.label = label;
    this.down = size.depth > 1 ? DOWN_DEEP : DOWN;
    this.nodes = treeNodes(size);
    const width = (1 + Math.max(...this.nodes.map((node) => node.x))) * ACROSS + 40;
    const height = (1 + Math.max(...this.nodes.map((node) => node.y))) * this.down + 10;
    const edges = svg("g", { class: "edges" });
    const drawn = svg("g", { class: "nodes" });
    this.parts = new Map();
    for (const node of this.nodes) {
      const part = this.draw(node);
      this.parts.set(pathKey(node.path), part);
      if (part.edge) edges.append(part.edge);
      drawn.append(part.group);
    }
    this.element = svg(
      "svg",
      { class: "board tree", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label },
      edges,
      drawn,
    );
  }

  at({ x, y }) {
    return [(x + 0.5) * ACROSS, y * this.down + RADIUS + 12];
  }

  draw(node) {
    const [x, y] = this.at(node);
    const visits = svg("text", { class: "fact", x: x + RADIUS + 5, y: y - 3 });
    const value = svg("text", { class: "fact strong", x: x + RADIUS + 5, y: y + 11 });
    const group = svg("g", { class: `node ${node.end ?? `mover-${node.mover}`}` });
    // A finger needs a larger target than the node itself.
    const target = { x: x - RADIUS - 6, y: y - RADIUS - 6, width: ACROSS, height: 2 * RADIUS + 12 };
    group.append(svg("rect", { class: "target", ...target }));
    if (node.end) {
      const side = 2 * RADIUS - 4;
      const corner = { x: x - side / 2, y: y - side / 2 };
      group.append(svg("rect", { ...corner, width: side, height: side, rx: 6 }));
      group.append(svg("text", { class: "end", x, y: y + RADIUS + 12, text: node.end }));
    } else {
      group.append(svg("circle", { cx: x, cy: y, r: RADIUS }));
    }
    group.append(svg("text", { class: "name", x, y, text: node.name }), visits, value);
    const mark = tick(x - RADIUS + 2, y - RADIUS + 2, 8);
    group.append(mark);
    if (node.hidden > 0) {
      group.append(svg("text", { class: "end", x, y: y + RADIUS + 26, text: `+${node.hidden}` }));
    }
    if (node.cut) {
      group.append(svg("text", { class: "end", x, y: y + RADIUS + 12, text: "and so on" }));
    }
    let edge = null;
    if (node.path.length) {
      const parent = this.parts.get(pathKey(node.path.slice(0, -1)));
      const [px, py] = parent.at;
      edge = svg("line", { class: "edge", x1: px, y1: py, x2: x, y2: y });
      group.addEventListener("click", () => this.choose(node));
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.choose(node);
      });
    }
    return { node, at: [x, y], group, edge, visits, value, mark };
  }

  choose(node) {
    if (this.playable(node)) this.onplay(node.name);
  }

  playable({ path }) {
    const moves = this.info?.position.moves ?? [];
    return (
      this.onplay !== null &&
      this.open &&
      path.length === moves.length + 1 &&
      moves.every((move, i) => move === path[i]) &&
      this.info.legal.includes(path.at(-1))
    );
  }

  /**
   * known: path key -> {visits, value (from the first player's view)}; line: the principal
   * variation from the current position; right: the move that is known to be right there.
   */
  show({ info, known = new Map(), line = [], right = null, open = true }) {
    this.info = info;
    this.element.setAttribute("aria-label", this.label + rightLabel(info, right));
    this.open = open && !info.over;
    const moves = info.position.moves;
    const believed = new Set();
    const played = new Set();
    line.forEach((_, i) => believed.add(pathKey([...moves, ...line.slice(0, i + 1)])));
    moves.forEach((_, i) => played.add(pathKey(moves.slice(0, i + 1))));
    const most = Math.max(1, ...[...known.values()].map((fact) => fact.visits));
    for (const [key, part] of this.parts) {
      const fact = known.get(key);
      part.visits.textContent = fact ? `${count(fact.visits)}×` : "";
      const told = fact && !part.node.end && !missing(fact.value); // the result of an end is shown already
      part.value.textContent = told ? percent(fact.value, 0) : "";
      part.group.classList.toggle("believed", believed.has(key));
      part.group.classList.toggle("here", key === pathKey(moves));
      const marked = right !== null && key === pathKey([...moves, right]);
      part.mark.toggleAttribute("hidden", !marked);
      const playable = part.node.path.length > 0 && this.playable(part.node);
      part.group.classList.toggle("legal", playable);
      for (const [name, value] of [["tabindex", "0"], ["role", "button"], ["aria-label", `play ${part.node.name}${marked ? ", the right move" : ""}`]]) { // prettier-ignore
        if (playable) part.group.setAttribute(name, value);
        else part.group.removeAttribute(name);
      }
      if (!part.edge) continue;
      part.edge.classList.toggle("believed", believed.has(key));
      part.edge.classList.toggle("played", played.has(key));
      const share = fact ? fact.visits / most : 0;
      part.edge.setAttribute("stroke-width", (1.2 + 7 * Math.sqrt(share)).toFixed(2));
    }
  }
}

/** Paths below `moves` whose children can be requested from a search, top first. */
export function innerPaths(game, moves) {
  return treeNodes(treeSize(game))
    .filter(({ path, end }) => !end && moves.every((move, i) => path[i] === move))
    .map(({ path }) => path)
    .sort((a, b) => a.length - b.length);
}
