// The one search of this page: starting, pausing, stepping, and its reports so far.

const MAX_SAMPLES = 320; // in the charts; beyond that, every other one is dropped
const WATCHED = 20000; // playouts after which a full-speed search runs without steps
const LONGEST_SEED = 2 ** 31;
const LONGEST_STEP = 100_000; // playouts that the server accepts

// How the page steps a search: ms between two steps, and the size of a step as a fraction of the
// playouts so far. Steps are small at the start, where most happens, and large later, so that nobody
// has to wait.
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
    connection.addEventListener("open", () => this.repeat());
  }

  clear() {
    this.state = "idle";
    this.reason = "";
    this.sides = [];
    this.histories = [[], []];
    this.turns = [null, null]; // {choice, since}: what each side would play, and since which playout
    this.id = null;
    this.owner = null;
    this.pace = null; // while the page steps it; for the server it is paused
    this.wish = null; // a request made before the search had a process: {type, ...}
    this.since = null; // when it began to compile, in ms
    this.lost = null; // {made, paused}: cut off by a lost connection, to be repeated
    this.gone = false; // its tree no longer exists
  }

  get live() {
    return LIVE.has(this.state);
  }

  /** Whether its tree still exists, to be looked at and to grow in steps. */
  get open() {
    return (this.live || this.state === "done") && !this.gone;
  }

  get paused() {
    return this.state === "paused" && !this.pace;
  }

  /**
   * owner: the view that shows it; budget: {kind, amount}; paused: start paused; only: the one move to
   * search, if not all; watched: whether the person watches it grow, so that even a full-speed search
   * is stepped at first.
   */
  start(wanted) {
    const { owner, position, agents, budget, pace, only, paused = false, watched = true } = wanted;
    const seed = wanted.seed ?? Math.floor(Math.random() * LONGEST_SEED);
    this.drop();
    this.clear();
    this.wanted = { ...wanted, seed };
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
      seed,
      only,
    };
    this.id = this.connection.stream(message, (answer) => this.receive(answer));
    this.changed();
  }

  receive(message) {
    if (message.type === "queued") {
      this.reason = `waiting for a free process, place ${message.place} in the queue`;
      return this.changed();
    }
    if (message.type === "lost") return this.cutOff();
    if (message.type === "error") {
      this.state = "ended";
      this.reason = message.message;
      this.connection.complain(message.message);
      this.finish();
      return this.changed();
    }
    this.state = message.state;
    this.reason = message.reason ?? "";
    if (this.state === "compiling") this.since ??= Date.now();
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

  /** The connection was lost: what is on the page stays, and the search begins again later. */
  cutOff() {
    this.gone = true;
    if (!this.live) return this.changed();
    this.lost = { made: this.sides[0]?.playouts ?? 0, paused: this.paused };
    this.finish();
    this.state = "ended";
    this.reason = "the connection was lost";
    return this.changed();
  }

  /** Repeat a search that was cut off, with the same seed. */
  repeat() {
    if (!this.lost) return;
    const { made, paused } = this.lost;
    this.start({ ...this.wanted, paused });
    if (paused && made) this.step(Math.min(made, LONGEST_STEP));
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
    if (this.id === null || this.gone) return;
    // The search has no process yet; the last of several requests counts.
    if (type !== "stop" && WAITING.has(this.state)) this.wish = { type, ...more };
    else this.connection.tell({ type, ...more });
  }

  /** The next step, after a delay. */
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
    else this.tell("pause"); // the report of the pause triggers the first step
    return this.changed();
  }

  step(playouts) {
    if (this.pace) this.pause();
    this.tell("step", { playouts });
  }

  /** End the search; its results stay on the page. */
  stop() {
    if (this.connection.up) {
      this.tell("stop");
      return;
    }
    this.drop();
    this.dispatchEvent(new Event("done"));
  }

  /** End the search and ignore further messages about it. */
  drop() {
    const live = this.live || this.lost;
    if (this.live) this.tell("stop");
    this.finish();
    if (this.id !== null) this.connection.forget(this.id);
    this.id = null;
    this.gone = true;
    this.lost = null;
    if (!live) return;
    this.state = "ended";
    this.reason = "stopped";
    this.changed();
  }

  /** The children of a node in one side's tree. */
  tree(side, path) {
    return this.connection.request({ type: "tree", side, path });
  }
}
