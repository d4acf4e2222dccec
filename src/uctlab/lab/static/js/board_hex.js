// Geometry of boards with hexagonal cells: the rhombus of Hex and the hexagon of Havannah.
//
// Rows are straight, and each is shifted half a cell to the right of the one above: the cell (x, y)
// touches (x-1, y), (x+1, y), (x, y-1), (x, y+1), (x+1, y-1) and (x-1, y+1).

import { nameParts } from "./board_square.js";
import { svg } from "./dom.js";

const WIDTH = 44; // between the centres of two neighbours
const SIDE = WIDTH / Math.sqrt(3); // of a hexagon, and its outer radius
const MARGIN = 34;
const EDGE = 7; // thickness of a player's edge in Hex

// Corners clockwise from the top; the side i goes from corner i to corner i + 1.
const CORNERS = [0, 1, 2, 3, 4, 5].map((i) => {
  const angle = ((i * 60 - 90) * Math.PI) / 180;
  return [SIDE * Math.cos(angle), SIDE * Math.sin(angle)];
});
// Neighbour across each side.
const ACROSS = [
  [1, -1],
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
];

const points = (cx, cy, scale = 1) =>
  CORNERS.map(([x, y]) => `${(cx + scale * x).toFixed(2)},${(cy + scale * y).toFixed(2)}`).join(" ");

function hexGrid(cells) {
  const across = cells.map(({ x, y }) => x + y / 2);
  const left = Math.min(...across);
  const right = Math.max(...across);
  const rows = Math.max(...cells.map((cell) => cell.y));
  const at = ({ x, y }) => ({
    cx: MARGIN + (x + y / 2 - left + 0.5) * WIDTH,
    cy: MARGIN + SIDE + y * SIDE * 1.5,
  });
  return {
    width: 2 * MARGIN + (right - left + 1) * WIDTH,
    height: 2 * MARGIN + 2 * SIDE + rows * SIDE * 1.5,
    at,
    stone: WIDTH * 0.4,
    text: WIDTH * 0.9,
    shape: (cell, attributes) => {
      const { cx, cy } = at(cell);
      return svg("polygon", { points: points(cx, cy), ...attributes });
    },
  };
}

/** The sides of cells along one border, as one path: cells and sides in walking order. */
function borderPath(cells, sides, at, fromMiddle) {
  const steps = [];
  for (const cell of cells) {
    const { cx, cy } = at(cell);
    for (const side of sides) {
      for (const corner of [side, (side + 1) % 6]) {
        const [x, y] = CORNERS[corner];
        steps.push([cx + x, cy + y]);
      }
    }
  }
  if (fromMiddle) steps[0] = steps[0].map((value, i) => (value + steps[1][i]) / 2);
  return `M${steps.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}`;
}

/** Hex: the first player connects top and bottom, the second left and right. */
export function hexLayout(cells) {
  const grid = hexGrid(cells);
  const size = 1 + Math.max(...cells.map((cell) => cell.x));
  const line = [...Array(size).keys()];
  const labels = cells.flatMap((cell) => {
    const [letter, number] = nameParts(cell.name);
    const { cx, cy } = grid.at(cell);
    const found = [];
    if (cell.y === 0) found.push({ text: letter, x: cx - WIDTH / 4, y: cy - SIDE - 15 });
    if (cell.x === 0) found.push({ text: number, x: cx - WIDTH / 2 - 17, y: cy + 2 });
    return found;
  });
  // Two edges that meet at an obtuse corner share a side: the second player's begins halfway.
  const edges = [
    { owner: "first", along: line.map((x) => ({ x, y: 0 })), sides: [5, 0] },
    { owner: "first", along: line.map((x) => ({ x: size - 1 - x, y: size - 1 })), sides: [2, 3] },
    { owner: "second", along: line.map((y) => ({ x: size - 1, y })), sides: [0, 1] },
    { owner: "second", along: line.map((y) => ({ x: 0, y: size - 1 - y })), sides: [3, 4] },
  ];
  const border = ({ owner, along, sides }, name, thickness) =>
    svg("path", {
      class: `border ${name} ${owner}`,
      d: borderPath(along, sides, grid.at, owner === "second"),
      "stroke-width": thickness,
    });
  return {
    ...grid,
    // Edges lie below the cells, so that half of their thickness shows.
    background: () => [
      ...edges.map((edge) => border(edge, "rim", 2 * EDGE + 2)),
      ...edges.map((edge) => border(edge, "body", 2 * EDGE)),
      ...cells.map((cell) => grid.shape(cell, { class: "hexagon" })),
    ],
    labels,
  };
}

/** Havannah: corners and the edges between them matter, so corner cells are marked. */
export function havannahLayout(cells) {
  const grid = hexGrid(cells);
  const known = new Set(cells.map(({ x, y }) => `${x},${y}`));
  const neighbours = ({ x, y }) =>
    ACROSS.filter(([dx, dy]) => known.has(`${x + dx},${y + dy}`)).length;
  const labels = cells.flatMap((cell) => {
    const [letter, number] = nameParts(cell.name);
    const { cx, cy } = grid.at(cell);
    const found = [];
    // Numbers to the left of rows; letters below slanted lines, where there is no number.
    const starts = !known.has(`${cell.x - 1},${cell.y}`);
    const ends = !known.has(`${cell.x},${cell.y + 1}`);
    if (starts) found.push({ text: number, x: cx - WIDTH / 2 - 12, y: cy });
    if (ends) found.push({ text: letter, x: cx + WIDTH * 0.38, y: cy + SIDE * 1.2 });
    return found;
  });
  return {
    ...grid,
    background: () =>
      cells.map((cell) =>
        grid.shape(cell, { class: neighbours(cell) === 3 ? "hexagon corner" : "hexagon" }),
      ),
    labels,
  };
}
