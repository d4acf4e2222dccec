// The formulas of a step of a playout, with its numbers in them.

import { el } from "../dom.js";
import { decimal } from "../format.js";
import { COLUMNS, MoveTable } from "./figures.js";
import { formula, inNumbers } from "./formula.js";
import { answersOf } from "./playout_steps.js";
import { velocityBars } from "./velocity_bars.js";

const SHOWN = 6; // moves in a table
const C = "1"; // of the agents of this page

const score = ({ score: value }) => value ?? Infinity;

/** lambda: the decay of Accelerated UCT; null for UCT. */
export function numbersOf(step, walk, lambda) {
  if (step.level === null) return [];
  const level = walk.levels[step.level];
  if (step.phase === "selection") return selection(level, lambda);
  if (step.phase === "backpropagation") {
    return lambda === null ? mean(step, walk) : accelerated(step, walk, lambda);
  }
  return [];
}

/** Every move's score; those with the highest first. */
function selection({ moves, chosen, visits }, lambda) {
  if (moves.length < 2) return [];
  const rows = moves.map(({ before }) => before).sort((a, b) => score(b) - score(a));
  // Of equal scores the first in the tree is taken: show it first.
  const row = rows.find(({ move }) => move === chosen);
  const ordered = [row, ...rows.filter((one) => one !== row)];
  const columns = [COLUMNS.visits, COLUMNS.value, COLUMNS.bonus, COLUMNS.score];
  const table = new MoveTable(columns, { most: SHOWN, caption: "Scores" });
  table.show(ordered, chosen);
  const name = lambda === null ? "ucb1" : "auct";
  const lines = ordered
    .filter((one) => one.visits)
    .slice(0, 2)
    .map((one) =>
      el(
        "p",
        { class: "in-numbers" },
        `${one.move}: `,
        inNumbers(name, { r: one.value, a: one.value, c: C, s: String(visits[0]), n: String(one.visits) }, one.score),
      ),
    );
  const rest = moves.length > SHOWN ? [el("p", { class: "quiet", text: `and ${moves.length - SHOWN} more` })] : [];
  return [formula(name), ...lines, table.element, ...rest];
}

function mean({ level }, walk) {
  const { moves, chosen, turn } = walk.levels[level];
  const { before, after } = moves.find(({ move }) => move === chosen);
  if (!before?.visits) return [];
  const reward = turn === 0 ? walk.result : 1 - walk.result;
  const values = { r: before.value, R: String(reward), n: String(before.visits) };
  // The left side of the arrow is the same symbol: only the right side is put into numbers.
  return [
    formula("backup"),
    el("p", { class: "in-numbers" }, `${chosen}: `, inNumbers("update", values, after.value)),
  ];
}

function accelerated({ level }, walk, lambda) {
  const { chosen } = walk.levels[level];
  const parts = [formula("velocity"), velocityBars(walk.levels[level], lambda)];
  const answers = answersOf(walk, level, lambda);
  if (answers) {
    const above = answers.terms.map(([velocity, value]) => `${decimal(velocity)} × ${decimal(value)}`);
    const names = answers.terms.map(([, , name]) => name).join(", ");
    parts.push(
      formula("accelerated"),
      el("p", {
        class: "in-numbers",
        text: `${chosen}: 1 − (${above.join(" + ")}) / ${decimal(answers.total)} = ${decimal(answers.value)}`,
      }),
      el("p", { class: "quiet", text: `The answers, in this order: ${names}.` }),
    );
  }
  return parts;
}
