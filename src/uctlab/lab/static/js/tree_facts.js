// Visits and values of the nodes of the deceptive tree, requested while a search runs.

import { innerPaths, pathKey } from "./board_tree.js";

const PAUSE = 60; // ms per request: the server accepts 40 messages per second

export class TreeFacts {
  /** onnews() when there is something new to draw. */
  constructor(search, onnews) {
    this.search = search;
    this.onnews = onnews;
    this.known = [new Map(), new Map()]; // per side: path key -> {visits, value}
  }

  clear() {
    this.known = [new Map(), new Map()];
  }

  /** Take the root's moves from the snapshot, then request the rest of the tree. */
  async update(info) {
    const { moves, game } = info.position;
    const { known } = this; // an answer that comes after clear() goes into the old maps
    this.search.sides.forEach((side, i) => note(known[i], moves, side.root));
    if (this.busy) {
      this.again = info;
      return;
    }
    this.busy = true;
    this.again = null;
    const started = Date.now();
    let asked = 0;
    for (let side = 0; side < this.search.sides.length; side++) {
      for (const path of innerPaths(game, moves)) {
        // A node without playouts has no children yet.
        if (path.length > moves.length && !known[side].get(pathKey(path))?.visits) continue;
        asked += 1;
        try {
          const answer = await this.search.tree(side, path.slice(moves.length));
          note(known[side], path, answer.children);
        } catch {
          // Not expanded yet, or the search is gone.
        }
      }
    }
    this.onnews();
    const wait = Math.max(0, asked * PAUSE - (Date.now() - started));
    setTimeout(() => {
      this.busy = false;
      if (this.again) this.update(this.again);
    }, wait);
  }
}

function note(known, path, children) {
  const second = path.length % 2 === 1; // the second player chooses among these
  for (const { move, visits, value } of children) {
    const won = !visits ? null : second ? 1 - value : value;
    known.set(pathKey([...path, move]), { visits, value: won });
  }
}
