// Moves and scales the content of an SVG: by mouse, finger and keys.

const SMALLEST = 0.15;
const LARGEST = 6;
const STEP = 1.25; // of one press of a key or button
const SHIFT = 60; // px of one press of an arrow key
const SLACK = 6; // px that a pointer may move and still click
const MARGIN = 16;
const TOOLS = 46; // px at the bottom, for buttons

/** Applies to a <g> inside the <svg>; reports the first touch of a person by `touched`. */
export class PanZoom {
  constructor(canvas, world) {
    this.canvas = canvas;
    this.world = world;
    this.touched = false; // until then the drawing fits itself into its frame
    this.pointers = new Map();
    this.at = { x: 0, y: 0, scale: 1 };
    this.listen();
  }

  get size() {
    return [this.canvas.clientWidth || 300, this.canvas.clientHeight || 200];
  }

  apply() {
    const { x, y, scale } = this.at;
    this.world.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(4)})`);
  }

  /** Show all of a box {left, top, right, bottom}, not larger than life. */
  fit(box) {
    this.box = box;
    const [width, whole] = this.size;
    const height = whole - TOOLS;
    const across = Math.max(1, box.right - box.left);
    const tall = Math.max(1, box.bottom - box.top);
    const scale = Math.min(1.3, (width - 2 * MARGIN) / across, (height - 2 * MARGIN) / tall);
    this.at = {
      scale,
      x: width / 2 - (scale * (box.left + box.right)) / 2,
      y: Math.max(MARGIN - scale * box.top, height / 2 - (scale * (box.top + box.bottom)) / 2),
    };
    if (scale * tall < height - 2 * MARGIN) this.at.y = MARGIN - scale * box.top; // trees hang
    this.apply();
  }

  fitAgain() {
    this.touched = false;
    if (this.box) this.fit(this.box);
  }

  /** Scale about a point of the canvas, by default its middle. */
  zoom(factor, px = this.size[0] / 2, py = this.size[1] / 2) {
    this.touched = true;
    const { x, y, scale } = this.at;
    const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
    const ratio = next / scale;
    this.at = { scale: next, x: px - ratio * (px - x), y: py - ratio * (py - y) };
    this.apply();
  }

  pan(dx, dy) {
    this.touched = true;
    this.at.x += dx;
    this.at.y += dy;
    this.apply();
  }

  /** Pan as little as necessary to show a point of the world. */
  reveal(px, py) {
    const [width, height] = this.size;
    const { x, y, scale } = this.at;
    const outside = (at, most) => Math.max(0, 2 * MARGIN - at) + Math.min(0, most - 2 * MARGIN - at);
    const dx = outside(x + scale * px, width);
    const dy = outside(y + scale * py, height);
    if (dx || dy) this.pan(dx, dy);
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener(
      "wheel",
      (event) => {
        // A page that scrolls past the drawing must not be caught by it.
        if (!event.ctrlKey && !event.metaKey && !canvas.contains(document.activeElement)) return;
        event.preventDefault();
        const box = canvas.getBoundingClientRect();
        this.zoom(Math.exp(-event.deltaY / 400), event.clientX - box.left, event.clientY - box.top);
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => {
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      if (this.pointers.size === 1) this.moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      canvas.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
    }
    canvas.addEventListener(
      "click",
      (event) => {
        if (this.moved > SLACK) event.stopPropagation(); // it was a drag
        this.moved = 0;
      },
      { capture: true },
    );
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY];
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.moved += Math.hypot(dx, dy);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    this.pointers.set(event.pointerId, now);
    if (this.moved <= SLACK) return;
    if (!this.canvas.hasPointerCapture(event.pointerId)) this.canvas.setPointerCapture(event.pointerId);
    if (others.length) {
      const [ox, oy] = others[0][1];
      const box = this.canvas.getBoundingClientRect();
      const was = Math.hypot(before[0] - ox, before[1] - oy);
      const is = Math.hypot(now[0] - ox, now[1] - oy);
      if (was > 0) this.zoom(is / was, ox - box.left, oy - box.top);
    } else this.pan(dx, dy);
  }

  /** Whether a key was one of ours: + - 0, and Shift with an arrow. */
  key({ key, shiftKey }) {
    const arrow = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    if (key === "+" || key === "=") this.zoom(STEP);
    else if (key === "-" || key === "_") this.zoom(1 / STEP);
    else if (key === "0") this.fitAgain();
    else if (arrow && shiftKey) this.pan(SHIFT * arrow[0], SHIFT * arrow[1]);
    else return false;
    return true;
  }
}

export const ZOOM_STEP = STEP;
