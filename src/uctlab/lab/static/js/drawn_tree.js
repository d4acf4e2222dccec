// What is known of a search tree that is drawn: its nodes by path, in the order of their arrival.

/** A node: {key, path, move, visits, value (of the player who moved there), over, visited, children}. */
export class DrawnTree {
  constructor() {
    this.nodes = new Map();
    this.root = null;
  }

  /** Take in the server's answer to a subtree request; there is none if the search was replaced. */
  add(answer) {
    if (!answer) return;
    const { path, nodes } = answer;
    const paths = [];
    for (const { move, parent, visits, value, more, over } of nodes) {
      const here = parent === null ? [...path] : [...paths[parent], move];
      paths.push(here);
      const node = this.at(here);
      if (!node) return; // its parent was never told: an answer about an earlier tree
      Object.assign(node, { visits, value, over, more });
    }
    paths.forEach((here, i) => {
      const node = this.at(here);
      const told = nodes.filter(({ parent }) => parent === i).length;
      node.visited = nodes[i].more + told; // children with visits, drawn or not
    });
  }

  at(path) {
    const key = path.join(" ");
    if (this.nodes.has(key)) return this.nodes.get(key);
    const above = path.length ? this.nodes.get(path.slice(0, -1).join(" ")) : null;
    if (path.length && !above) return null;
    const node = { key, path, move: path.at(-1) ?? null, parent: above, children: [], visits: 0, visited: 0 };
    this.nodes.set(key, node);
    if (above) above.children.push(node);
    else this.root = node;
    return node;
  }

  /**
   * Sets `below` of every node, the children to draw: the most visited ones, and those that are kept.
   * fan: how many, by depth; unfolded: key of a node -> how many more. Returns the nodes to draw,
   * parents first.
   */
  choose(fan, kept, unfolded) {
    const drawn = this.root ? [this.root] : [];
    for (const node of drawn) {
      const most = fan[Math.min(node.path.length, fan.length - 1)] + (unfolded.get(node.key) ?? 0);
      const few = new Set([...node.children].sort((a, b) => b.visits - a.visits).slice(0, most));
      node.below = node.children.filter((one) => few.has(one) || kept.has(one.key));
      node.hidden = Math.max(0, node.visited - node.below.length);
      drawn.push(...node.below);
    }
    return drawn;
  }

  /** From the root's player's view; null where nothing is known. */
  worth({ path, value }) {
    if (value === null || value === undefined) return null;
    return path.length % 2 === 1 ? value : 1 - value;
  }

  /** The most visited move of each node, from the root down. */
  get line() {
    const line = [];
    let node = this.root;
    while (node?.children.length) {
      node = node.children.reduce((best, one) => (one.visits > best.visits ? one : best));
      line.push(node);
    }
    return line;
  }
}
