// Geometry of a Go board: stones are on the intersections of lines.

import { MARGIN, RIM, UNIT, extent, squareLabels } from "./board_square.js";
import { svg } from "./dom.js";

/** Rows or columns of the star points on a board of that size. */
function starLines(size) {
  if (size < 7 || size % 2 === 0) return [];
  const edge = size >= 13 ? 3 : 2;
  const middle = (size - 1) / 2;
  return size >= 13 ? [edge, middle, size - 1 - edge] : [edge, size - 1 - edge];
}

export function goLayout(cells) {
  const { columns: size } = extent(cells);
  const side = size * UNIT;
  const at = ({ x, y }) => ({ cx: MARGIN + (x + 0.5) * UNIT, cy: MARGIN + (y + 0.5) * UNIT });
  const near = MARGIN + UNIT / 2;
  const far = MARGIN + side - UNIT / 2;

  function background() {
    const parts = [
      svg("rect", { class: "wood", x: MARGIN, y: MARGIN, width: side, height: side, rx: 3 }),
    ];
    for (let i = 0; i < size; i++) {
      const here = near + i * UNIT;
      parts.push(svg("line", { class: "line", x1: near, x2: far, y1: here, y2: here }));
      parts.push(svg("line", { class: "line", y1: near, y2: far, x1: here, x2: here }));
    }
    const lines = starLines(size);
    const stars = lines.flatMap((x) => lines.map((y) => ({ x, y })));
    const middle = (size - 1) / 2;
    if (lines.length === 2) stars.push({ x: middle, y: middle });
    for (const star of stars) {
      const { cx, cy } = at(star);
      parts.push(svg("circle", { class: "star", cx, cy, r: 3.2 }));
    }
    return parts;
  }

  return {
    width: MARGIN + RIM + side,
    height: MARGIN + RIM + side,
    at,
    stone: UNIT * 0.47,
    text: UNIT,
    shape: (cell, attributes) => {
      const { cx, cy } = at(cell);
      const corner = { x: cx - UNIT / 2, y: cy - UNIT / 2 };
      return svg("rect", { ...corner, width: UNIT, height: UNIT, ...attributes });
    },
    background,
    labels: squareLabels(cells, at),
  };
}
