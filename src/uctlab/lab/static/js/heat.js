// The heat map: a shade and a short text for each move of a search.

import { missing, short } from "./format.js";

export const MEASURES = [
  ["off", "Off"],
  ["line", "Line"],
  ["visits", "Visits"],
  ["value", "Value"],
  ["velocity", "Velocity"],
  ["rave", "RAVE"],
];

export const EXPLANATIONS = {
  off: "Nothing is drawn on the board.",
  line: "Numbered stones: the moves that the search expects, 1 first.",
  visits: "Stronger colour: more playouts through this move. Numbers: percentage of all playouts.",
  value: "Stronger colour: better for the player to move. Numbers: percentage of playouts won.",
  velocity: "Stronger colour: chosen more often recently, by Accelerated or Discounted UCT.",
  rave: "Stronger colour: better in playouts in which the move was played at any later time (RAVE).",
};

export const HOVER = " Point at a move to see the line expected after it.";

const MEASURED = {
  visits: (row) => row.share,
  value: (row) => (row.visits ? row.value : null),
  velocity: (row) => row.velocity ?? row.discounted,
  rave: (row) => row.rave,
};

const TEXT = {
  visits: (value) => (value >= 0.005 ? String(Math.round(100 * value)) : ""),
  value: (value) => String(Math.round(100 * value)),
  velocity: (value) => (value >= 0.5 ? short(Math.round(value)).replace(/\s/, "") : ""),
  rave: (value) => String(Math.round(100 * value)),
};

// Measures whose scale starts at the worst move, since only differences matter.
const RELATIVE = new Set(["value", "rave"]);

/** The line that a search expects after a move; without one, its best line. */
export function lineOf(side, move = null) {
  if (!side) return [];
  if (move === null || move === side.pv[0]) return side.pv;
  return side.lines?.[move] ?? [];
}

/** Map of move -> {level: 0..1, text}; empty if the agent does not record this measure. */
export function heatOf(root, measure) {
  const heat = new Map();
  const measured = MEASURED[measure];
  if (!measured) return heat;
  const known = root.filter((row) => !missing(measured(row)));
  const values = known.map(measured);
  const most = Math.max(...values);
  const least = RELATIVE.has(measure) ? Math.min(...values) : 0;
  for (const row of known) {
    const value = measured(row);
    const level = most > least ? (value - least) / (most - least) : 1;
    heat.set(row.move, { level, text: TEXT[measure](value) });
  }
  return heat;
}
