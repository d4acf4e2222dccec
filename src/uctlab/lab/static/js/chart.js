// A line chart over playouts of the root moves' shares of visits, or values.

import { el, svg } from "./dom.js";
import { missing, short } from "./format.js";

const MAX_LINES = 6;
const HEIGHT = 190;
const LEFT = 40;
const RIGHT = 42; // for the names of moves at the ends of their lines
const TOP = 10;
const BOTTOM = 24;
const LETTER = 13; // height of a name
const TOPS = [0.02, 0.04, 0.1, 0.2, 0.4, 0.6, 1]; // of an axis of shares

/** Assigns colours: a move keeps its colour as long as it is drawn, and has it again in later searches. */
export class ColorBook {
  constructor() {
    this.colors = new Map();
    this.settled = new Map(); // from earlier searches
  }

  /** Another search begins. */
  settle() {
    for (const [move, color] of this.colors) this.settled.set(move, color);
    this.colors.clear();
  }

  /**
   * The most visited moves, best first, each with the number of its colour.
   * @returns {[string, number][]}
   */
  choose(rows) {
    const top = [...rows].sort((a, b) => b.visits - a.visits).slice(0, MAX_LINES);
    const names = new Set(top.map((row) => row.move));
    for (const move of this.colors.keys()) if (!names.has(move)) this.colors.delete(move);
    for (const move of names) if (!this.colors.has(move)) this.claim(move);
    const free = [...Array(MAX_LINES).keys()].filter((i) => ![...this.colors.values()].includes(i));
    for (const move of names) if (!this.colors.has(move)) this.colors.set(move, free.shift());
    return top.map((row) => [row.move, this.colors.get(row.move)]);
  }

  /** A move takes its earlier colour, unless another one has it from earlier too. */
  claim(move) {
    const color = this.settled.get(move);
    if (color === undefined) return;
    const holder = [...this.colors.keys()].find((other) => this.colors.get(other) === color);
    if (holder && this.settled.get(holder) === color) return;
    this.colors.delete(holder);
    this.colors.set(move, color);
  }
}

/** A round step that cuts `span` into at most `parts`. */
function niceStep(span, parts) {
  const power = 10 ** Math.floor(Math.log10(span / parts));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= parts) ?? span;
}

export class Chart {
  /** measure: share or value, both from 0 to 1. */
  constructor(title, measure) {
    this.measure = measure;
    this.canvas = svg("svg", { class: "chart", role: "img", "aria-label": title });
    this.element = el("figure", { class: "figure" }, el("figcaption", { text: title }), this.canvas);
    this.last = [[], []];
    this.marks = []; // {playouts, text}: lines across the chart
    new ResizeObserver(() => this.draw(...this.last)).observe(this.element);
  }

  /** history: [{playouts, moves: move -> row}]; lines: [[move, colour number]]. */
  draw(history, lines) {
    this.last = [history, lines];
    const width = Math.max(240, this.element.clientWidth);
    this.canvas.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    const end = history.at(-1)?.playouts ?? 0;
    // The first few of many playouts jump between 0 and 1 and say nothing.
    history = history.filter(({ playouts }) => end < 300 || playouts >= end / 150);
    this.element.classList.toggle("empty", !end);
    if (!end || !this.element.clientWidth) return this.canvas.replaceChildren();
    const [low, high] = this.range(history, lines);
    const x = (playouts) => LEFT + ((width - LEFT - RIGHT) * playouts) / end;
    const y = (value) => {
      const inside = Math.min(high, Math.max(low, value));
      return TOP + ((HEIGHT - TOP - BOTTOM) * (high - inside)) / (high - low);
    };
    const parts = [...this.axes(x, y, end, low, high, width)];
    const labels = [];
    for (const [move, color] of lines) {
      const points = history
        .map((sample) => [sample.playouts, this.valueOf(sample.moves.get(move))])
        .filter(([, value]) => !missing(value));
      if (!points.length) continue;
      const path = points.map(([p, v]) => `${x(p).toFixed(1)},${y(v).toFixed(1)}`).join(" ");
      parts.push(svg("polyline", { class: `series color-${color}`, points: path }));
      labels.push({ move, color, y: y(points.at(-1)[1]) });
    }
    for (const { playouts, text } of this.marks.filter((mark) => mark.playouts <= end)) {
      const at = x(playouts);
      parts.push(svg("line", { class: "mark-line", x1: at, x2: at, y1: TOP, y2: HEIGHT - BOTTOM }));
      const left = at < width / 2; // else the text would run out of the chart
      const beside = { class: left ? "tick" : "tick end", x: left ? at + 4 : at - 4 };
      parts.push(svg("text", { ...beside, y: HEIGHT - BOTTOM - 8, text }));
    }
    parts.push(...this.names(labels, width));
    return this.canvas.replaceChildren(...parts);
  }

  valueOf(row) {
    if (!row || (this.measure === "value" && !row.visits)) return null;
    return row[this.measure];
  }

  /** The ends of the axis; values after the first few playouts may lie outside. */
  range(history, lines) {
    const settled = history.filter(({ playouts }) => playouts >= history.at(-1).playouts / 20);
    const values = settled
      .flatMap((sample) => lines.map(([move]) => this.valueOf(sample.moves.get(move))))
      .filter((value) => !missing(value));
    if (!values.length) return [0, 1];
    const most = Math.max(...values);
    if (this.measure === "share") return [0, TOPS.find((top) => top >= most) ?? 1];
    const low = Math.max(0, Math.floor(Math.min(...values) * 10 - 0.2) / 10);
    const high = Math.min(1, Math.ceil(most * 10 + 0.2) / 10);
    return high > low ? [low, high] : [0, 1];
  }

  *axes(x, y, end, low, high, width) {
    const step = niceStep(high - low, 4);
    for (let value = low; value <= high + 1e-9; value += step) {
      const here = y(value);
      yield svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: here, y2: here });
      const text = `${Number((100 * value).toFixed(1))} %`;
      yield svg("text", { class: "tick end", x: LEFT - 6, y: here, text });
    }
    const stride = niceStep(end, width < 420 ? 3 : 5);
    for (let playouts = 0; playouts <= end; playouts += stride) {
      const text = short(playouts);
      yield svg("text", { class: "tick middle", x: x(playouts), y: HEIGHT - 8, text });
    }
  }

  /** Names at the right ends, moved apart so that they do not overlap, and kept inside the chart. */
  *names(labels, width) {
    labels.sort((a, b) => a.y - b.y);
    labels.forEach((label, i) => {
      if (i > 0) label.y = Math.max(label.y, labels[i - 1].y + LETTER);
    });
    let below = HEIGHT - BOTTOM + LETTER / 2;
    for (const label of [...labels].reverse()) {
      label.y = Math.min(label.y, below);
      below = label.y - LETTER;
      const at = { x: width - RIGHT + 6, y: label.y };
      yield svg("text", { class: `tick color-${label.color}`, ...at, text: label.move });
    }
  }
}
