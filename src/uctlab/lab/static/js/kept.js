// The searches of a game: what is kept of each, the values over the game, and its mistakes.

const WHOLE_ROWS = 40; // the most visited moves are kept with all their numbers
const ENOUGH = 20; // visits of a move whose value is trusted
const SAMPLES = 64; // of a search's history
const LINES = 6; // moves with a history
const MISTAKES = [
  { least: 0.2, mark: "??", name: "mistake" },
  { least: 0.1, mark: "?", name: "doubtful" },
];

/** Every nth of a list, with its last. */
function thinned(list, most) {
  const step = Math.max(1, Math.ceil(list.length / most));
  return list.filter((_, i) => i % step === 0 || i === list.length - 1);
}

/** Of a snapshot, as much as the page shows later: a game of 100 moves must not fill the memory. */
function slim(side) {
  const root = [...side.root].sort((a, b) => b.visits - a.visits);
  const few = ({ move, visits, share, value }) => ({ move, visits, share, value });
  return { ...side, root: root.map((row, i) => (i < WHOLE_ROWS ? row : few(row))) };
}

function slimHistory(history, side) {
  const moves = [...side.root].sort((a, b) => b.visits - a.visits).slice(0, LINES).map((row) => row.move);
  return thinned(history, SAMPLES).map((sample) => ({
    playouts: sample.playouts,
    moves: new Map(
      moves.filter((move) => sample.moves.has(move)).map((move) => {
        const { visits, share, value } = sample.moves.get(move);
        return [move, { visits, share, value }];
      }),
    ),
  }));
}

/** Keep a search with its node, unless a longer one by the same agent is kept and this one is not complete. */
export function keep(node, search, i = 0) {
  const side = search.sides[i];
  if (!side?.playouts) return;
  const old = node.kept;
  const other = old && old.id !== search.id && old.agent === search.agents[i];
  if (other && search.state !== "done" && old.side.playouts > side.playouts) return;
  node.kept = { id: search.id, agent: search.agents[i], side: slim(side), history: slimHistory(search.histories[i], side) };
}

/** A search that was kept, as JSON can hold it. */
export const packed = (kept) =>
  kept && { ...kept, history: kept.history.map(({ playouts, moves }) => ({ playouts, moves: [...moves] })) };

/** The same again. It has no id: searches of the page that is loaded now may have that one. */
export const unpacked = (stored) =>
  stored && { ...stored, id: null, history: stored.history.map(({ playouts, moves }) => ({ playouts, moves: new Map(moves) })) };

/** Whose turn it is at a node: 0 or 1. Players always alternate, a pass being a move. */
export const turnAt = (node) => node.info?.turn ?? (node.tree.firstTurn + node.depth) % 2;

/** The mean of all playouts, for the player to move; the value of the best move alone would be too high. */
function meanOf(side) {
  const tried = side.root.filter((row) => row.visits);
  const visits = tried.reduce((sum, row) => sum + row.visits, 0);
  return visits ? tried.reduce((sum, row) => sum + row.visits * row.value, 0) / visits : null;
}

/** What the first player's position is worth there, from 0 to 1; null where nothing is known. */
export function firstValue(node) {
  if (node.resigned !== null) return node.resigned === 0 ? 0 : 1;
  if (node.info?.over) return node.info.result;
  const value = node.kept ? meanOf(node.kept.side) : null;
  return value === null ? null : turnAt(node) === 0 ? value : 1 - value;
}

/**
 * How much the move into a node lost for the player who made it; null where that is not known.
 *
 * The values of two searches differ by more than the move: who is to move looks better in random
 * games. So the search before the move has a say too, if it has looked at the move.
 */
export function lossOf(node) {
  if (!node.parent) return null;
  const [before, after] = [node.parent, node].map(firstValue);
  if (before === null || after === null) return null;
  const drop = turnAt(node.parent) === 0 ? before - after : after - before;
  const side = node.parent.kept?.side;
  const row = side?.root.find(({ move }) => move === node.move);
  if (node.move === side?.choice) return Math.min(drop, 0);
  return row?.visits >= ENOUGH ? Math.min(drop, side.value - row.value) : drop;
}

/** {mark, name, loss} of a move that lost more than a tenth; null for others. */
export function mistakeOf(node) {
  const loss = lossOf(node);
  const found = loss === null ? null : MISTAKES.find(({ least }) => loss > least);
  return found ? { mark: found.mark, name: found.name, loss } : null;
}
