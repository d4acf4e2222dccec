// A tidy layout: parents above the middle of their children, subtrees as close as they can be.

/**
 * Sets x and y of every node below `root`, which is at 0, 0.
 * @param {any} root with `below`, the children to draw, and `radius`, as all nodes below it
 * @param {{gap: number, down: number[], shape: number}} room between neighbours; the least and the
 * most between two levels; and the height of the drawing in widths, to be had if possible
 */
export function layOut(root, { gap, down: [least, most], shape }) {
  const outline = place(root, gap);
  const width = Math.max(...outline.map(([, right]) => right)) - Math.min(...outline.map(([left]) => left));
  const down = Math.min(most, Math.max(least, (shape * width) / Math.max(1, outline.length - 1)));
  const settle = (node, x, depth) => {
    node.x = x + node.shift;
    node.y = depth * down;
    for (const child of node.below) settle(child, node.x, depth + 1);
  };
  root.shift = 0;
  settle(root, 0, 0);
}

/**
 * Places the children of a node relative to it, and returns its outline: the leftmost and
 * rightmost x of each level, relative to the node.
 */
function place(node, gap) {
  const outline = [];
  const shifts = [];
  for (const child of node.below) {
    const own = place(child, gap);
    let shift = 0;
    own.forEach(([left], level) => {
      if (outline[level]) shift = Math.max(shift, outline[level][1] - left + gap);
    });
    own.forEach(([left, right], level) => {
      const [first] = outline[level] ?? [left + shift];
      outline[level] = [first, right + shift];
    });
    shifts.push(shift);
  }
  const middle = shifts.length ? (shifts[0] + shifts.at(-1)) / 2 : 0;
  node.below.forEach((child, i) => (child.shift = shifts[i] - middle));
  const below = outline.map(([left, right]) => [left - middle, right - middle]);
  return [[-node.radius, node.radius], ...below];
}
