// The move that is known to be right in a position: found in the catalog, said in words, marked by a tick.

import { el, svg } from "./dom.js";
import { family } from "./session.js";

const SIZE = 18; // px of a tick within a text

/** The right move of a position from the gallery, or at the start of a game that has one; null elsewhere. */
export function rightMove(catalog, position) {
  const told = ({ game, start, moves }) => JSON.stringify([game, start, moves]);
  const exhibit = catalog.gallery.find((one) => told(one.position) === told(position));
  if (exhibit) return exhibit.right;
  if (position.start || position.moves.length) return null;
  return catalog.games.find(({ name }) => name === family(position.game))?.right ?? null;
}

/** "e (d2)" where a paper has letters for the cells, else "d2". */
export function moveName(info, move) {
  const letter = info.letters?.[move];
  return letter ? `${letter} (${move})` : move;
}

/** A tick in a disc: a mark by its shape, not by its colour alone. */
export function tick(cx, cy, radius) {
  const d = `M${cx - 0.48 * radius},${cy + 0.02 * radius}l${0.34 * radius},${0.36 * radius}l${0.64 * radius},${-0.76 * radius}`;
  return svg("g", { class: "tick" }, svg("circle", { cx, cy, r: radius }), svg("path", { d, "stroke-width": 0.26 * radius }));
}

/** Whether a choice is right, in words. */
export const judgement = (info, choice, right) => (choice === right ? "That is right." : `The right move is ${moveName(info, right)}.`);

/** What a search plays and what is right, as nodes: "plays d (c2) after 16,000 playouts. The right move is e (d2)." */
export function verdict(info, { name = "", choice, after = "", right }) {
  const played = choice ? [name && `${name} `, "plays ", el("b", { text: moveName(info, choice) }), after] : [after];
  if (!right) return played;
  const drawing = svg("svg", { class: "tick-sign", viewBox: `0 0 ${SIZE} ${SIZE}`, width: SIZE, height: SIZE, "aria-hidden": "true" }, tick(SIZE / 2, SIZE / 2, SIZE / 2 - 1));
  const sign = choice === right ? [drawing, " "] : [];
  return [...played, ". ", el("span", { class: "answer" }, ...sign, judgement(info, choice, right))];
}

/** For screen readers, after the name of a board. */
export const rightLabel = (info, right) => (right ? `. The right move, ${moveName(info, right)}, is marked with a tick` : "");
