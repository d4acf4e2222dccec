// Keeps the game on the board, with its variations, while the page is loaded again.

import { fromList, toList } from "./game_tree.js";

const KEY = "uctlab-game";
const PAUSE = 300; // ms after a change

/** Store the game after each change; `id` is the one that was on the board before the page was loaded. */
export function keepGame(session, id) {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (stored && stored.id === id) {
      const tree = fromList(stored.game, stored.start, stored.nodes);
      tree.id = stored.id;
      tree.firstTurn = stored.firstTurn;
      tree.nodes().forEach((node, i) => (node.resigned = stored.resigned[i]));
      session.games.set(tree.id, { tree, node: tree.root });
    }
  } catch {
    // A page without storage, or of an earlier version.
  }
  let timer = 0;
  const store = () => {
    const { id, game, start, firstTurn } = session.tree;
    const resigned = session.tree.nodes().map((node) => node.resigned);
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ id, game, start, firstTurn, nodes: toList(session.tree), resigned }));
    } catch {
      // No storage, or it is full.
    }
  };
  for (const name of ["position", "tree"]) {
    session.addEventListener(name, () => {
      clearTimeout(timer);
      timer = setTimeout(store, PAUSE);
    });
  }
  window.addEventListener("pagehide", store);
}
