// Keeps the game on the board, with its variations and searches, while the page is loaded again.

import { fromList, toList } from "./game_tree.js";
import { packed, unpacked } from "./kept.js";

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
      tree.nodes().forEach((node, i) => {
        node.resigned = stored.resigned[i];
        node.kept = unpacked(stored.searches[i]) ?? null;
      });
      session.games.set(tree.id, { tree, node: tree.root });
    }
  } catch {
    // A page without storage, or of an earlier version.
  }
  let timer = 0;
  const store = (withSearches) => {
    const { id, game, start, firstTurn } = session.tree;
    const nodes = session.tree.nodes();
    const resigned = nodes.map((node) => node.resigned);
    const searches = withSearches ? nodes.map((node) => packed(node.kept)) : [];
    try {
      sessionStorage.setItem(
        KEY,
        JSON.stringify({ id, game, start, firstTurn, nodes: toList(session.tree), resigned, searches }),
      );
      return true;
    } catch {
      return false; // no storage, or it is full
    }
  };
  for (const name of ["position", "tree"]) {
    session.addEventListener(name, () => {
      clearTimeout(timer);
      timer = setTimeout(() => store(false), PAUSE); // searches of a long game are megabytes
    });
  }
  window.addEventListener("pagehide", () => store(true) || store(false));
}
