// A game as a tree of moves, with variations, comments, and what searches have found.
//
// Pure: no page, no server. A node is a position; the session knows which one is on the board.

let trees = 0;

/** One position of a game: the move that led to it, and what follows. */
export class GameNode {
  constructor(tree, parent, move) {
    this.tree = tree;
    this.parent = parent;
    this.move = move; // null at the root
    this.children = [];
    this.depth = parent ? parent.depth + 1 : 0;
    /** SGF properties except moves and set-up: {C: ["a comment"]}. @type {Object<string, string[]>} */
    this.properties = {};
    this.info = null; // the server's description of the position
    this.kept = null; // the latest search of it, see kept.js
    this.resigned = null; // 0 or 1: the player who gave up here
    this.latest = null; // the child that was last on the board
    this.cached = null;
  }

  /** As messages carry it; always the same object, so that it can be compared. */
  get position() {
    const { game, start } = this.tree;
    this.cached ??= { game, start, moves: pathTo(this).slice(1).map((node) => node.move) };
    return this.cached;
  }

  get comment() {
    return this.properties.C?.[0] ?? "";
  }

  set comment(text) {
    if (text) this.properties.C = [text];
    else delete this.properties.C;
  }
}

/** The moves of one game from one start. */
export class GameTree {
  constructor(game, start = null) {
    trees += 1;
    this.id = `${Date.now().toString(36)}-${trees}`;
    this.game = game;
    this.start = start;
    /** Whose turn it is at the start: 0 or 1; the server says it. @type {number | undefined} */
    this.firstTurn = undefined;
    this.root = new GameNode(this, null, null);
  }

  /** The node after a move, which is added if it is new. */
  add(parent, move) {
    const known = parent.children.find((child) => child.move === move);
    if (known) return known;
    const node = new GameNode(this, parent, move);
    parent.children.push(node);
    return node;
  }

  /** The node after these moves, which are added where they are new. */
  follow(moves) {
    return moves.reduce((node, move) => this.add(node, move), this.root);
  }

  /** The node after these moves, or null. */
  find(moves) {
    return moves.reduce((node, move) => node?.children.find((one) => one.move === move), this.root) ?? null;
  }

  /** All nodes, each before its children. */
  nodes() {
    const found = [];
    const waiting = [this.root];
    while (waiting.length) {
      const node = waiting.pop();
      found.push(node);
      waiting.push(...node.children.toReversed());
    }
    return found;
  }

  get size() {
    return this.nodes().length;
  }
}

/** The nodes from the root to this one. */
export function pathTo(node) {
  const path = [];
  for (let here = node; here; here = here.parent) path.unshift(here);
  return path;
}

/** The child to which "forward" goes: the one last seen, or the first. */
export const nextOf = (node) => (node.children.includes(node.latest) ? node.latest : (node.children[0] ?? null));

/** The line on which a node lies: the nodes from the root to it, and on to the end. */
export function lineThrough(node) {
  const line = pathTo(node);
  for (let next = nextOf(node); next; next = nextOf(next)) line.push(next);
  return line;
}

/** The end of the line on which a node lies. */
export const endOf = (node) => lineThrough(node).at(-1);

/** Remember the way to a node, so that "forward" takes it again. */
export function markPath(node) {
  for (let here = node; here.parent; here = here.parent) here.parent.latest = here;
}

/** The variation beside this node: the next (step 1) or previous (-1) child of its parent. */
export function sibling(node, step) {
  const all = node.parent?.children ?? [node];
  return all[(all.indexOf(node) + step + all.length) % all.length];
}

/** Take a node and all that follows out of its tree; returns the parent. */
export function remove(node) {
  const { parent } = node;
  parent.children = parent.children.filter((child) => child !== node);
  node.parent = null;
  return parent;
}

/** Make the line to a node the main line of its tree. */
export function promote(node) {
  for (let here = node; here.parent; here = here.parent) {
    const { children } = here.parent;
    children.sort((a, b) => Number(b === here) - Number(a === here));
  }
}

/** Whether a node is on the main line: the first child everywhere. */
export const isMain = (node) => pathTo(node).every((one) => !one.parent || one.parent.children[0] === one);

/** The last node of the main line. */
export function mainEnd(tree) {
  let node = tree.root;
  while (node.children.length) [node] = node.children;
  return node;
}

/** The moves as a flat list for the server, the root first: [index of the parent, move, properties]. */
export function toList(tree) {
  const nodes = tree.nodes();
  const index = new Map(nodes.map((node, i) => [node, i]));
  return nodes.map((node) => [node.parent ? index.get(node.parent) : -1, node.move ?? "", node.properties]);
}

/** A tree from such a list. */
export function fromList(game, start, list) {
  const tree = new GameTree(game, start);
  const nodes = [];
  for (const [parent, move, properties] of list) {
    const node = parent < 0 ? tree.root : tree.add(nodes[parent], move);
    node.properties = { ...properties };
    nodes.push(node);
  }
  return tree;
}

/**
 * Where to draw each node: its depth, and a lane. The main line has lane 0; a variation keeps one
 * lane and crosses no other.
 * @returns {Map<GameNode, number>}
 */
export function lanes(tree) {
  const found = new Map();
  const used = []; // by depth: the highest lane so far
  const waiting = [tree.root];
  while (waiting.length) {
    const first = waiting.pop();
    const chain = [];
    for (let node = first; node; node = node.children[0]) chain.push(node);
    const from = Math.max(0, first.depth - 1);
    const highest = Math.max(-1, ...used.slice(from, chain.at(-1).depth + 1).filter((lane) => lane !== undefined));
    const lane = first.parent ? Math.max(highest, found.get(first.parent)) + 1 : 0;
    for (const node of chain) {
      found.set(node, lane);
      used[node.depth] = lane;
      // Deeper branches are drawn first, so that they are nearer to their line.
      waiting.push(...node.children.slice(1).toReversed());
    }
    if (first.parent) used[from] = Math.max(used[from] ?? 0, lane);
  }
  return found;
}
