// One playout as a list of steps, each with its sentences.

import { decimal } from "../format.js";
import { many } from "./chapter.js";

export const PHASES = ["selection", "expansion", "simulation", "backpropagation"];

/**
 * The steps of a walk (lab/guided.py): {phase, depth: moves of the path to show, level: the node whose
 * moves are compared or updated, or null}.
 */
export function stepsOf({ levels, expanded, path }) {
  const last = levels.length - 1;
  const steps = levels.map((_, level) => ({
    phase: expanded && level === last ? "expansion" : "selection",
    depth: level + 1,
    level,
  }));
  if (!expanded) steps.push({ phase: "expansion", depth: path.length, level: null });
  steps.push({ phase: "simulation", depth: path.length, level: null });
  for (let level = last; level >= 0; level--) {
    steps.push({ phase: "backpropagation", depth: path.length, level });
  }
  return steps;
}

const SAY = { selection: selected, expansion: grown, simulation: simulated, backpropagation: backed };

/** The sentences of a step. */
export function sentencesOf(step, walk, players) {
  return SAY[step.phase](step, walk, players);
}

const where = (path, level) => (level === 0 ? "At the root" : `After ${path.slice(0, level).join(" ")}`);
const chosenRow = ({ moves, chosen }) => moves.find(({ move }) => move === chosen);
export const winnerOf = (walk, players) => (walk.result === 0.5 ? null : players[walk.result > 0.5 ? 0 : 1]);

function selected({ level }, { levels, path }, players) {
  const { moves, chosen, turn } = levels[level];
  const { before } = chosenRow(levels[level]);
  const lead = `${where(path, level)}, ${players[turn]} is to move.`;
  if (moves.length === 1) return [lead, `There is only one move, ${chosen}.`];
  const untried = moves.filter((one) => !one.before.visits).length;
  if (untried) {
    const rest = untried === 1 ? `${chosen} is the only move that was never tried` : `${untried} of the ${moves.length} moves were never tried, and ${chosen} is the first of them`;
    return [lead, `${rest}. Such moves come before all others.`];
  }
  return [
    lead,
    `${chosen} has the highest score, ${decimal(before.score)}: its value ${decimal(before.value)} plus a bonus of ${decimal(before.exploration)} for few visits.`,
  ];
}

function grown({ level }, { levels, path, over }, players) {
  const leaf = path.at(-1);
  if (level === null) {
    if (over) return [`The game is over after ${path.join(" ")}. There is nothing to add to the tree.`];
    return [
      `${path.join(" ")} is reached for the first time. It is the leaf: its own moves are added when it is reached again.`,
    ];
  }
  const { moves, turn } = levels[level];
  return [
    `${path.slice(0, -1).join(" ")} is reached again, so its ${many(moves.length, "move")} ${moves.length === 1 ? "is" : "are"} added to the tree.`,
    moves.length === 1
      ? `${players[turn]} has no choice but ${leaf}.`
      : `None of them has been tried. They are in random order, and ${leaf} comes first.`,
  ];
}

function simulated(_, walk, players) {
  const winner = winnerOf(walk, players);
  const end = winner ? `${winner} wins.` : "It is a draw.";
  if (walk.over) return [`No random game is needed: ${winner ? `${winner} has won` : "it is a draw"}.`];
  return [
    `From here both sides play at random, ${many(walk.random.length, "move")} to the end: ${walk.random.join(" ")}.`,
    `${end} One result, and all that this playout has found out.`,
  ];
}

function backed({ level }, walk, players) {
  const { turn, chosen } = walk.levels[level];
  const { before, after } = chosenRow(walk.levels[level]);
  const reward = turn === 0 ? walk.result : 1 - walk.result;
  const mover = players[turn];
  const result = reward === 1 ? "a win" : reward === 0 ? "a loss" : "a draw";
  const lead = `${chosen} was a move of ${mover}, and for ${mover} this playout is ${result}.`;
  if (!before?.visits) return [lead, `${chosen} has its first visit, and the value ${decimal(after.value)}.`];
  const visits = `It has ${many(after.visits, "visit")} now instead of ${before.visits}`;
  const change = after.value === before.value ? `its value stays ${decimal(after.value)}` : `its value goes from ${decimal(before.value)} to ${decimal(after.value)}`;
  return [lead, `${visits}, and ${change}.`];
}

/**
 * How Accelerated UCT comes to the value of the move chosen at a level: terms [velocity, value, name]
 * of the answers to it. The playouts that the position had as a leaf count as one more answer.
 * Nothing if it has no answers.
 */
export function answersOf(walk, level, lambda) {
  const below = walk.levels[level + 1];
  if (!below) return null;
  const { after } = chosenRow(walk.levels[level]);
  const terms = below.moves
    .filter((one) => one.after.visits)
    .map(({ move, after: row }) => [row.velocity, row.value, move]);
  const total = (1 - lambda ** below.visits[1]) / (1 - lambda);
  const own = total - terms.reduce((sum, [velocity]) => sum + velocity, 0);
  const weighted = terms.reduce((sum, [velocity, value]) => sum + velocity * value, 0);
  const first = ((1 - after.value) * total - weighted) / own;
  if (own > 1e-4) terms.push([own, Math.min(1, Math.max(0, first)), "first playout"]);
  return { terms, total, value: after.value };
}
