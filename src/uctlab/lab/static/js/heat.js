// What the search thinks of each move, as a shade and a short text for its cell.

import { missing, short } from "./format.js";

export const MEASURES = [
  ["off", "Off"],
  ["visits", "Visits"],
  ["value", "Value"],
  ["velocity", "Velocity"],
  ["rave", "RAVE"],
];

export const EXPLANATIONS = {
  off: "No shades on the board.",
  visits: "Darker: more of the playouts went through this move. Numbers: percent of all.",
  value: "Darker: better for the player to move. Numbers: percent of playouts won.",
  velocity: "Darker: chosen more often of late, by Accelerated or Discounted UCT.",
  rave: "Darker: better in playouts where the move came at any later time (RAVE).",
};

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

// Where only differences matter, the worst move still gets a little shade.
const RELATIVE = new Set(["value", "rave"]);

/** Map of move -> {level: 0..1, text}; empty if the agent does not know this measure. */
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
