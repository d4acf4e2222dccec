// The one search of this page: starting, pausing, stepping, and what it has told so far.

const MAX_SAMPLES = 320; // of the charts; when there are more, every other one goes
const WATCHED = 20000; // playouts after which a full-speed search is left alone
const LONGEST_SEED = 2 ** 31;

// How a search that is stepped from here goes on: ms between two steps, and a step's share of the
// playouts made so far. All are quick in the end, so that nobody waits, and slow at the start,
// where most happens.
const STEPPED = {
  single: { beat: 800, growth: 0 },
  slow: { beat: 200, growth: 0.08 },
  full: { beat: 0, growth: 0.5 },
};

export const PACES = [
  ["full", "Full speed"],
  ["slow", "Slow motion"],
  ["single", "One by one"],
];

const WAITING = new Set(["queued", "compiling"]);
const LIVE = new Set(["queued", "compiling", "running", "paused"]);

/** Reports "change" whenever there is something new to see, "done" when a search is complete. */
export class Search extends EventTarget {
  constructor(connection) {
    super();
    this.connection = connection;
    this.clear();
  }

  clear() {
    this.state = "idle";
    this.reason = "";
    this.sides = [];
    this.histories = [[], []];
    this.turns = [null, null]; // {choice, since}: what each side would play, from which playout on
    this.id = null;
    this.owner = null;
    this.pace = null; // while we step it; the server believes that it is paused
    this.wish = null; // what was asked for before the search had a searcher: {type, ...}
  }

  get live() {
    return LIVE.has(this.state);
  }

  /** Whether its tree is still there, to be looked at and to grow by steps. */
  get open() {
    return this.live || this.state === "done";
  }

  get paused() {
    return this.state === "paused" && !this.pace;
  }

  /**
   * owner: who shows it; budget: {kind, amount}; paused: begin with a pause; watched: whether
   * somebody looks at how it grows, so that even a fast one is stepped at first.
   */
  start({ owner, position, agents, budget, pace, seed, paused = false, watched = true }) {
    this.drop();
    this.clear();
    this.owner = owner;
    this.position = position;
    this.agents = agents;
    this.budget = budget;
    this.state = "queued";
    const stepped = !paused && (pace !== "full" || (watched && budget.kind === "playouts"));
    this.pace = stepped ? pace : null;
    const message = {
      type: "search",
      position,
      agents,
      [budget.kind]: budget.amount,
      paused: paused || stepped,
      seed: seed ?? Math.floor(Math.random() * LONGEST_SEED),
    };
    this.id = this.connection.stream(message, (answer) => this.receive(answer));
    this.changed();
  }

  receive(message) {
    if (message.type === "queued") {
      this.reason = `waiting for a free searcher, place ${message.place}`;
      return this.changed();
    }
    if (message.type === "error") {
      this.state = "ended";
      this.reason = message.message;
      this.connection.complain(message.message);
      this.finish();
      return this.changed();
    }
    this.state = message.state;
    this.reason = message.reason ?? "";
    if (message.sides?.length) {
      this.sides = message.sides;
      this.sides.forEach((side, i) => this.remember(side, i));
    }
    if (this.wish && !WAITING.has(this.state)) {
      this.connection.tell(this.wish);
      this.wish = null;
    }
    if (this.state === "done" || this.state === "ended") this.finish();
    else if (this.state === "paused" && this.pace) this.beat();
    this.changed();
    if (this.state === "done" || this.state === "ended") this.dispatchEvent(new Event("done"));
    return undefined;
  }

  remember(side, i) {
    const history = this.histories[i];
    if (history.at(-1)?.playouts === side.playouts) history.pop();
    const moves = new Map(side.root.map((row) => [row.move, row]));
    history.push({ playouts: side.playouts, moves });
    if (history.length > MAX_SAMPLES) {
      this.histories[i] = history.filter((_, k) => k % 2 === 0 || k === history.length - 1);
    }
    if (side.choice !== this.turns[i]?.choice) {
      this.turns[i] = { choice: side.choice, since: side.playouts };
    }
  }

  finish() {
    clearTimeout(this.timer);
    this.pace = null;
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  tell(type, more = {}) {
    if (this.id === null) return;
    // Nobody hears it yet; of several wishes the last one counts.
    if (type !== "stop" && WAITING.has(this.state)) this.wish = { type, ...more };
    else this.connection.tell({ type, ...more });
  }

  /** The next step, after a while. */
  beat() {
    const { beat, growth } = STEPPED[this.pace];
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.pace || this.state !== "paused") return;
      const made = this.sides[0]?.playouts ?? 0;
      if (this.pace === "full" && made >= WATCHED) {
        this.pace = null;
        this.tell("continue");
        return;
      }
      const left = this.budget.kind === "playouts" ? this.budget.amount - made : Infinity;
      const wanted = Math.max(1, Math.floor(made * growth));
      this.tell("step", { playouts: Math.max(1, Math.min(wanted, left)) });
    }, beat);
  }

  pause() {
    if (this.pace) {
      this.finish();
      this.changed();
    } else this.tell("pause");
  }

  resume(pace = "full") {
    if (pace === "full") return this.tell("continue");
    this.pace = pace;
    if (this.state === "paused") this.beat();
    else this.tell("pause"); // the report that it has paused sets off the first step
    return this.changed();
  }

  step(playouts) {
    if (this.pace) this.pause();
    this.tell("step", { playouts });
  }

  /** End it; what was found stays on the page. */
  stop() {
    this.tell("stop");
  }

  /** End it and hear no more of it. */
  drop() {
    if (this.live) this.stop();
    this.finish();
    if (this.id !== null) this.connection.forget(this.id);
    this.id = null;
    if (this.live) this.state = "ended";
  }

  /** Children of a node of one side's tree. */
  tree(side, path) {
    return this.connection.request({ type: "tree", side, path });
  }
}
