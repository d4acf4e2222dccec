// Visits and values of the deceptive tree, as board_tree.js shows them, from a subtree answer.

import { pathKey } from "../board_tree.js";

const ALL = 200; // nodes: more than such a tree has

/** path key -> {visits, value (from the first player's view)} */
export function knownOf({ path, nodes }) {
  const known = new Map();
  const paths = [];
  for (const { move, parent, visits, value } of nodes) {
    const here = parent === null ? [...path] : [...paths[parent], move];
    paths.push(here);
    if (here.length) known.set(pathKey(here), { visits, value: firstView(here, value) });
  }
  return known;
}

/** A value of the player who moved at the end of a path, as the first player sees it. */
export const firstView = (path, value) =>
  value === null || value === undefined ? null : path.length % 2 === 1 ? value : 1 - value;

export async function askKnown(search) {
  const answer = await search.subtree({ path: [], nodes: ALL });
  return answer ? knownOf(answer) : new Map();
}
