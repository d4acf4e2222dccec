// The searches of a game: what is kept of each, the values over the game, and what its moves cost.

const WHOLE_ROWS = 40; // the most visited moves are kept with all their numbers
const ENOUGH = 100; // visits of a move whose value is trusted: its standard error is at most 5 %
const ALIKE = 0.5; // as many visits, as a share of the best move's, allow to compare the two
const COSTLIEST = 3; // moves that are named
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
  const agent = search.agents[i];
  const alone = old?.agent === agent ? old.alone : {};
  node.kept = { id: search.id, agent, side: slim(side), history: slimHistory(search.histories[i], side), alone };
}

/** Keep what a search of one move alone found, beside that agent's search of all moves. */
export function keepAlone(node, agent, move, playouts, value) {
  if (node.kept.agent === agent) node.kept.alone[move] = { playouts, value };
}

/** A search that was kept, as JSON can hold it. */
export const packed = (kept) =>
  kept && { ...kept, history: kept.history.map(({ playouts, moves }) => ({ playouts, moves: [...moves] })) };

/** The same again. It has no id: searches of the page that is loaded now may have that one. */
export const unpacked = (stored) =>
  stored && { alone: {}, ...stored, id: null, history: stored.history.map(({ playouts, moves }) => ({ playouts, moves: new Map(moves) })) };

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

const rowOf = (kept, move) => kept.side.root.find((row) => row.move === move);

/** The value of a move that has had so many playouts, in the search or alone; null if it has not. */
function valueOf(kept, move, least) {
  const [row, alone] = [rowOf(kept, move), kept.alone[move]];
  if (row?.visits >= least) return row.value;
  return alone?.playouts >= least ? alone.value : null;
}

/** The best move of a search and the move played: each with the playouts that it needs for a comparison. */
function compared(kept, played) {
  const best = kept.side.choice;
  const alike = Math.max(ENOUGH, rowOf(kept, best).visits);
  return [{ move: best, least: ENOUGH, alike }, { move: played, least: Math.max(ENOUGH, ALIKE * alike), alike }];
}

/** The moves that need a search of their own before it is known what the move into a node cost: {move, playouts}. */
export function untold(node) {
  const kept = node.parent?.kept;
  if (!kept || kept.side.choice === node.move) return [];
  return compared(kept, node.move)
    .filter(({ move, least }) => valueOf(kept, move, least) === null)
    .map(({ move, alike }) => ({ move, playouts: alike }));
}

/** How much less the move into a node is worth than the best one, by the search before it; null where that is not known. */
export function costOf(node) {
  const kept = node.parent?.kept;
  if (!kept) return null;
  if (kept.side.choice === node.move) return 0;
  const [best, played] = compared(kept, node.move).map(({ move, least }) => valueOf(kept, move, least));
  return best === null || played === null ? null : Math.max(0, best - played);
}

/** The costliest moves of a line whose moves have all been judged, the worst first: {node, cost}. */
export function costliest(line) {
  const all = line.filter((node) => node.parent).map((node) => ({ node, cost: costOf(node) }));
  if (all.some(({ cost }) => cost === null)) return [];
  return all.filter(({ cost }) => cost > 0).sort((a, b) => b.cost - a.cost).slice(0, COSTLIEST);
}

/** {mark, name, cost} of a move that cost more than a tenth; null for others. */
export function mistakeOf(node) {
  const cost = costOf(node);
  const found = MISTAKES.find(({ least }) => cost > least);
  return found ? { mark: found.mark, name: found.name, cost } : null;
}
