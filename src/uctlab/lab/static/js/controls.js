// The buttons of a search and the numbers beside them.

import { button, el, select } from "./dom.js";
import { bytes, capital, count, percent, short } from "./format.js";
import { PACES } from "./search.js";

const STEPS = [1, 10, 1000];

const STATES = {
  idle: "Ready",
  queued: "Waiting",
  compiling: "Preparing this game and agent, which is done only once",
  running: "Searching",
  paused: "Paused",
  done: "Done",
  ended: "Stopped",
};

/** What a search is doing, in words. */
function stateText({ state, pace, reason, since }) {
  if (state === "compiling" && since) {
    const seconds = Math.round((Date.now() - since) / 1000);
    if (!seconds) return "Preparing"; // most searches find everything compiled
    return `${STATES.compiling}: ${seconds} s so far, usually under a minute`;
  }
  if (state === "done") return reason === "seconds" ? "Done: time is up" : "Done";
  const text = state === "paused" && pace ? STATES.running : STATES[state];
  return reason && reason !== "stopped" ? `${text}: ${reason}` : text;
}

export class Transport {
  /** onstart(paused) begins a search and onstop() ends it; owner is the view whose searches these
   * buttons control. */
  constructor(search, session, owner, { startText, onstart, onstop = () => search.stop() }) {
    this.search = search;
    this.session = session;
    this.owner = owner;
    this.onstart = onstart;
    this.start = button(startText, () => onstart(false), { class: "primary" });
    this.pause = button("Pause", () => this.toggle());
    this.stop = button("Stop", onstop);
    this.steps = STEPS.map((playouts) =>
      button(`+${count(playouts)}`, () => this.step(playouts), {
        "aria-label": `Step by ${count(playouts)} playout${playouts === 1 ? "" : "s"}`,
      }),
    );
    this.pace = select(PACES, session.pace, (pace) => this.changePace(pace), {
      "aria-label": "Pace",
    });
    this.state = el("p", { class: "state" });
    this.progress = el("progress", { max: 1, value: 0, "aria-label": "Budget used" });
    this.element = el(
      "div",
      { class: "transport" },
      el(
        "div",
        { class: "buttons" },
        this.start,
        this.pause,
        this.stop,
        el("span", { class: "steps", role: "group", "aria-label": "Step" }, ...this.steps),
        this.pace,
      ),
      this.state,
      this.progress,
    );
  }

  get mine() {
    return this.search.owner === this.owner && this.search.position === this.session.position;
  }

  get live() {
    return this.mine && this.search.live;
  }

  /** Pause, continue, or start: what the space bar does. */
  toggle() {
    if (!this.live) this.onstart(false);
    else if (this.search.paused) this.search.resume(this.session.pace);
    else this.search.pause();
  }

  step(playouts) {
    if (!this.mine || !this.search.open) this.onstart(true);
    this.search.step(playouts);
  }

  changePace(pace) {
    this.session.set({ pace });
    if (!this.live || this.search.paused) return;
    if (this.search.pace) this.search.pause();
    this.search.resume(pace);
  }

  /** Whether there is anything to search. */
  enable(possible) {
    for (const node of [this.start, ...this.steps]) node.disabled = !possible;
  }

  show() {
    const { search } = this;
    const live = this.live;
    this.start.hidden = live;
    this.pause.hidden = this.stop.hidden = !live;
    this.pause.textContent = search.paused ? "Continue" : "Pause";
    this.pace.value = this.session.pace;
    this.state.textContent = this.mine ? stateText(search) : STATES.idle;
    this.state.classList.toggle("busy", live && !search.paused);
    clearTimeout(this.timer);
    const compiling = this.mine && search.state === "compiling";
    if (compiling) this.timer = setTimeout(() => this.show(), 1000);
    const side = this.mine ? search.sides[0] : null;
    const spent = !side
      ? 0
      : search.budget.kind === "playouts"
        ? side.playouts / search.budget.amount
        : side.seconds / search.budget.amount;
    if (compiling) this.progress.removeAttribute("value"); // it moves, but nobody knows how far
    else this.progress.value = Math.min(1, spent);
  }
}

/** @type {[string, (side: any) => string][]} */
const FACTS = [
  ["playouts", (side) => count(side.playouts)],
  ["per second", (side) => short(side.per_second)],
  ["nodes", (side) => short(side.nodes)],
  ["depth", (side) => count(side.depth)],
  ["memory", (side) => bytes(side.memory)],
  ["value", (side) => percent(side.value)],
];

/** Playouts, speed, size of the tree: each number with its name. */
export class Facts {
  constructor(names = FACTS.map(([name]) => name)) {
    this.facts = FACTS.filter(([name]) => names.includes(name));
    this.values = this.facts.map(() => el("dd", { text: "–" }));
    this.element = el(
      "dl",
      { class: "facts-row" },
      ...this.facts.map(([name], i) =>
        el("div", {}, el("dt", { text: capital(name) }), this.values[i]),
      ),
    );
  }

  show(side) {
    this.facts.forEach(([, text], i) => {
      this.values[i].textContent = side ? text(side) : "–";
    });
  }
}
