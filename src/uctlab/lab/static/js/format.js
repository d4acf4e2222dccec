// Formats numbers and names for people. A number and its unit stay on one line.

const GROUPED = new Intl.NumberFormat("en");

export const missing = (value) => value === null || value === undefined || Number.isNaN(value);

/** 16,000 */
export const count = (value) => (missing(value) ? "–" : GROUPED.format(Math.round(value)));

/** 412 k, 1.3 M: for places with little room. */
export function short(value) {
  if (missing(value)) return "–";
  if (value < 1e4) return count(value);
  if (value < 1e6) return `${Number((value / 1e3).toFixed(value < 1e5 ? 1 : 0))}\u00a0k`;
  return `${Number((value / 1e6).toFixed(1))}\u00a0M`;
}

/** A fraction from 0 to 1 as 53.2 % */
export const percent = (value, digits = 1) =>
  missing(value) ? "–" : `${(100 * value).toFixed(digits)}\u00a0%`;

/** About three digits; a move that was never tried has an infinite score. */
export function decimal(value) {
  if (missing(value)) return "–";
  if (!Number.isFinite(value)) return "∞";
  if (Math.abs(value) >= 1000) return count(value);
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3);
}

export function bytes(value) {
  if (missing(value)) return "–";
  return value < 2 ** 20 ? `${Math.ceil(value / 1024)} KiB` : `${(value / 2 ** 20).toFixed(1)} MiB`;
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** 1 playout, 2 playouts, 1,000 playouts */
export const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
