// Geometry of a board of squares, as in Othello; stones lie in the middle of a square.

import { svg } from "./dom.js";

export const UNIT = 40; // side of a cell in SVG units
export const MARGIN = 26; // for coordinates above and on the left
export const RIM = 8; // on the other sides

export function extent(cells) {
  return {
    columns: 1 + Math.max(...cells.map((cell) => cell.x)),
    rows: 1 + Math.max(...cells.map((cell) => cell.y)),
  };
}

/** "e10" -> ["e", "10"]; a name of another form gives no labels. */
export const nameParts = (name) => name.match(/^([a-zA-Z]+)(\d+)$/)?.slice(1) ?? ["", ""];

/** Column letters above a square board and row numbers on its left. */
export function squareLabels(cells, at) {
  const labels = [];
  for (const cell of cells) {
    const [letter, number] = nameParts(cell.name);
    if (cell.y === 0) labels.push({ text: letter, x: at(cell).cx, y: MARGIN / 2 });
    if (cell.x === 0) labels.push({ text: number, x: MARGIN / 2, y: at(cell).cy });
  }
  return labels;
}

export function squareLayout(cells) {
  const { columns, rows } = extent(cells);
  const at = ({ x, y }) => ({ cx: MARGIN + (x + 0.5) * UNIT, cy: MARGIN + (y + 0.5) * UNIT });
  const square = (cell, attributes) => {
    const { cx, cy } = at(cell);
    const corner = { x: cx - UNIT / 2, y: cy - UNIT / 2 };
    return svg("rect", { ...corner, width: UNIT, height: UNIT, ...attributes });
  };
  return {
    width: MARGIN + RIM + columns * UNIT,
    height: MARGIN + RIM + rows * UNIT,
    at,
    stone: UNIT * 0.41,
    text: UNIT,
    strong: 0.72,
    shape: square,
    background: () => [
      ...cells.map((cell) => square(cell, { class: "felt" })),
      svg("rect", {
        class: "frame",
        x: MARGIN,
        y: MARGIN,
        width: columns * UNIT,
        height: rows * UNIT,
      }),
    ],
    labels: squareLabels(cells, at),
  };
}
