// The search tree drawn as a tree: size by visits, colour by value, the line of play thick.

import { button, el, svg } from "./dom.js";
import { DrawnTree } from "./drawn_tree.js";
import { count, missing, percent } from "./format.js";
import { PanZoom, ZOOM_STEP } from "./pan_zoom.js";
import { layOut } from "./tree_layout.js";

const FIRST = 120; // nodes that are asked for at first
const FAN = [6, 3, 2]; // children that are drawn of the root, of its moves, and deeper down
const NARROW = { width: 480, fan: [4, 2, 2] };
const MORE = 12; // children more when a node is unfolded
const MOST = 400; // children that are asked for then
const SMALL = 5; // px, radius of a node with few visits
const LARGE = 17; // px more, for the root
const ROOM = { gap: 15, down: [60, 220] };
const FINGER = 13; // px, half of the least side of what a finger must hit
const LABEL = 6; // px that a name below its node is outside of that
const INSIDE = 12; // px, radius from which the name fits into the node

/** The share of the first colour: values between 25 and 75 % use all of the scale. */
const shade = (worth) => Math.round(Math.min(100, Math.max(0, 50 + 200 * (worth - 0.5))));

export class TreeDrawing {
  /** ask({path, nodes, depth}): the server's answer to a subtree request; onpick(path) when a node is chosen. */
  constructor({ ask, onpick = null, label = "Search tree" }) {
    this.ask = ask;
    this.onpick = onpick;
    this.world = svg("g");
    this.canvas = svg("svg", { class: "drawing", role: "tree", "aria-label": label }, this.world);
    this.view = new PanZoom(this.canvas, this.world);
    this.about = el("p", { class: "about", "aria-live": "off" });
    this.legend = el("p", { class: "legend" });
    this.empty = el("p", { class: "quiet", text: "The tree appears here when a search runs." });
    this.frame = el(
      "div",
      { class: "drawing-frame" },
      this.canvas,
      el(
        "div",
        { class: "drawing-tools", role: "group", "aria-label": "Zoom" },
        button("−", () => this.view.zoom(1 / ZOOM_STEP), { "aria-label": "Zoom out" }),
        button("+", () => this.view.zoom(ZOOM_STEP), { "aria-label": "Zoom in" }),
        button("Fit", () => this.view.fitAgain()),
      ),
    );
    this.element = el("div", { class: "tree-drawing" }, this.legend, this.empty, this.frame, this.about);
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => !this.view.touched && this.view.fitAgain()).observe(this.canvas);
    this.players = ["the player to move", "the opponent"];
    this.clear();
  }

  clear() {
    this.tree = new DrawnTree();
    this.unfolded = new Map(); // key of a node -> how many more children are drawn
    this.current = ""; // key of the node that the Tab key reaches
    this.picked = null;
    this.walked = null;
    this.view.touched = false;
    this.draw();
  }

  /** Ask for the tree as it is now, and draw it. */
  async refresh() {
    const { tree } = this;
    tree.add(await this.ask({ path: [], nodes: FIRST }));
    for (const key of this.unfolded.keys()) await this.askBelow(tree, tree.nodes.get(key));
    if (this.tree === tree) this.draw();
  }

  /** Show a path in another colour, as the way of one playout; null for none. */
  walk(path) {
    this.walked = path ? new Set(path.map((_, i) => path.slice(0, i + 1).join(" "))) : null;
    this.draw();
  }

  async askBelow(tree, node) {
    if (node) tree.add(await this.ask({ path: node.path, nodes: MOST, depth: 1 }));
  }

  /** Draw more children of a node. */
  async unfold(node) {
    if (!node.hidden) return;
    const { tree } = this;
    this.unfolded.set(node.key, (this.unfolded.get(node.key) ?? 0) + MORE);
    try {
      await this.askBelow(tree, node);
    } catch {
      // The search is gone: draw those that are known.
    }
    if (this.tree === tree) this.draw();
  }

  draw() {
    const { root } = this.tree;
    this.empty.hidden = Boolean(root);
    this.frame.hidden = this.legend.hidden = this.about.hidden = !root;
    if (!root) return this.world.replaceChildren();
    const most = Math.max(1, root.visits);
    const kept = new Set([...(this.walked ?? []), this.current, this.picked]);
    const [width, height] = this.view.size;
    const shown = this.tree.choose(width < NARROW.width ? NARROW.fan : FAN, kept, this.unfolded);
    for (const node of shown) {
      node.radius = SMALL + LARGE * Math.sqrt(node.visits / most);
    }
    layOut(root, { ...ROOM, shape: (0.8 * height) / width });
    const line = new Set(this.tree.line);
    const focused = this.canvas.contains(document.activeElement);
    const edges = [];
    const nodes = [];
    const box = { left: 0, right: 0, top: -root.radius, bottom: 0 };
    this.drawn = new Map();
    for (const node of shown) {
      if (node.parent) edges.push(this.edge(node, most, line));
      const group = this.node(node, line);
      this.drawn.set(node.key, group);
      nodes.push(group);
      box.left = Math.min(box.left, node.x - node.radius);
      box.right = Math.max(box.right, node.x + node.radius);
      box.bottom = Math.max(box.bottom, node.y + node.radius + 26);
    }
    this.world.replaceChildren(...edges, ...nodes);
    if (!this.drawn.has(this.current)) this.current = "";
    this.drawn.get(this.current).setAttribute("tabindex", "0");
    if (focused) this.drawn.get(this.current).focus({ preventScroll: true });
    this.view.box = box;
    if (!this.view.touched) this.view.fit(box);
    this.tell(this.tree.nodes.get(this.current));
    const [us, them] = this.players;
    this.legend.replaceChildren(
      "Size: visits. Colour: ",
      el("i", { class: "swatch worth-1" }),
      `good for ${us}, `,
      el("i", { class: "swatch worth-0" }),
      `good for ${them}. Thick: the line of play.`,
    );
    return undefined;
  }

  edge(node, most, line) {
    const { parent } = node;
    const bend = (parent.y + node.y) / 2;
    const path = `M${parent.x.toFixed(1)} ${parent.y.toFixed(1)}C${parent.x.toFixed(1)} ${bend.toFixed(1)} ${node.x.toFixed(1)} ${bend.toFixed(1)} ${node.x.toFixed(1)} ${node.y.toFixed(1)}`; // prettier-ignore
    const classes = ["branch", line.has(node) && "line-of-play", this.walked?.has(node.key) && "walked"];
    return svg("path", {
      class: classes.filter(Boolean).join(" "),
      d: path,
      "stroke-width": (1 + 5 * Math.sqrt(node.visits / most)).toFixed(2),
    });
  }

  node(node, line) {
    const { hidden } = node;
    const worth = this.tree.worth(node);
    const classes = [
      "tree-node",
      !node.parent && "root",
      node.over && "over",
      line.has(node) && "line-of-play",
      this.walked?.has(node.key) && "walked",
      this.picked === node.key && "picked",
    ];
    const inside = node.radius >= INSIDE;
    const name = node.move ?? "root";
    const reach = Math.max(node.radius, FINGER);
    const group = svg(
      "g",
      {
        class: classes.filter(Boolean).join(" "),
        transform: `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`,
        role: "treeitem",
        tabindex: -1,
        "aria-level": node.path.length + 1,
        "aria-label": `${name}: ${this.words(node)}`,
        "aria-selected": String(this.picked === node.key),
        "aria-expanded": node.hidden || node.below.length ? String(!node.hidden) : null,
        "data-path": node.key,
      },
      svg("rect", { class: "reach", x: -reach, y: -reach, width: 2 * reach, height: 2 * reach + (inside ? 0 : LABEL), rx: 6 }), // prettier-ignore
      svg("circle", { class: missing(worth) ? "dot unknown" : "dot", r: node.radius.toFixed(1) }),
      svg("text", { class: inside ? "name inside" : "name", y: inside ? 0 : (node.radius + 9).toFixed(1), text: name }), // prettier-ignore
    );
    if (!missing(worth)) group.style.setProperty("--worth", `${shade(worth)}%`);
    if (hidden) {
      const more = svg(
        "g",
        { class: "more", transform: `translate(0 ${(node.radius + (inside ? 11 : 22)).toFixed(1)})` },
        svg("circle", { class: "reach", r: 11 }),
        svg("text", { text: `+${hidden}` }),
      );
      more.addEventListener("click", (event) => {
        event.stopPropagation();
        this.unfold(node);
      });
      group.append(more);
    }
    group.addEventListener("click", () => this.choose(node));
    group.addEventListener("pointerenter", () => this.tell(node));
    group.addEventListener("focus", () => {
      this.tell(node);
      this.view.reveal(node.x, node.y);
    });
    return group;
  }

  words(node) {
    const worth = node.parent && !missing(node.value) ? `, value ${percent(node.value)} for ${this.mover(node)}` : ""; // prettier-ignore
    const { hidden = 0 } = node;
    const more = hidden ? `, ${hidden} more move${hidden === 1 ? "" : "s"} below` : "";
    return `${count(node.visits)} visit${node.visits === 1 ? "" : "s"}${worth}${more}`;
  }

  /** Who has moved into a node. */
  mover({ path }) {
    return this.players[(path.length + 1) % 2];
  }

  tell(node) {
    const way = node.path.length ? node.path.join(" ") : "The root";
    this.about.textContent = `${way}: ${this.words(node)}.`;
  }

  choose(node) {
    this.focus(node);
    this.picked = node.key;
    for (const [key, group] of this.drawn) {
      group.classList.toggle("picked", key === node.key);
      group.setAttribute("aria-selected", String(key === node.key));
    }
    this.onpick?.(node.path);
  }

  focus(node) {
    this.drawn.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = node.key;
    const group = this.drawn.get(node.key);
    group.setAttribute("tabindex", "0");
    group.focus({ preventScroll: true });
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const node = this.tree.nodes.get(this.current);
    if (!node) return;
    const row = node.parent?.below ?? [node];
    const sibling = (by) => row[row.indexOf(node) + by];
    const next = event.shiftKey
      ? null
      : { ArrowUp: node.parent, ArrowDown: node.below[0], ArrowLeft: sibling(-1), ArrowRight: sibling(1) }[event.key]; // prettier-ignore
    if (next) this.focus(next);
    else if (event.key === "Enter") this.choose(node);
    else if (event.key === " ") this.unfold(node);
    else if (!this.view.key(event) && !(event.key.startsWith("Arrow") && !event.shiftKey)) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
