// A search of the course: it moves only in steps, and comes back by itself when it was lost.
//
// The server takes an idle search away after a minute. Since its seed is fixed, it is then started
// again and brought back to the same playout before the next step.

const GONE = "this search was replaced";
const STEP = 5000; // playouts at once
const MOST = { guided: 5000, compiled: 2_000_000 }; // playouts of a search; see lab/limits.py

/** Reports "change" when there is something new to see. */
export class GuidedSearch extends EventTarget {
  constructor(connection) {
    super();
    this.connection = connection;
    this.clear();
  }

  clear() {
    this.setup = null;
    this.sides = [];
    this.histories = [[], []]; // per side: [{playouts, moves: move -> row}]
    this.alive = false;
    this.state = "idle"; // idle, queued, compiling, running, paused, lost
    this.place = 0; // in the queue
    this.id = null;
    this.waiting = []; // {made, resolve, reject}
    this.work = Promise.resolve();
    this.pending = 0;
  }

  /** Playouts so far. */
  get made() {
    return this.sides[0]?.playouts ?? 0;
  }

  get most() {
    return this.setup?.guided ? MOST.guided : MOST.compiled;
  }

  get busy() {
    return this.pending > 0;
  }

  /** setup: {position, agents, seed, guided}; nothing is searched before the first step. */
  open(setup) {
    this.close();
    this.setup = { guided: true, seed: 0, ...setup };
    return this.step(0);
  }

  /** End it; whoever waits for it is told. */
  close() {
    if (this.alive) this.connection.tell({ type: "stop" });
    if (this.id !== null) this.connection.forget(this.id);
    const { waiting } = this;
    this.clear();
    for (const one of waiting) one.reject(new Error(GONE));
  }

  /** Make that many playouts; resolves when they are made. */
  step(playouts) {
    return this.queue(async (same) => {
      const goal = Math.min(this.made + playouts, this.most);
      while (this.made < goal && same()) {
        const now = Math.min(STEP, goal - this.made);
        this.connection.tell({ type: "step", playouts: now });
        await this.until(this.made + now);
      }
    });
  }

  /** Make one playout; what it did on each side. */
  playout() {
    return this.queue(async () => {
      const { walks } = await this.connection.request({ type: "playout" });
      await this.until(walks[0].number);
      return walks;
    });
  }

  /** The most visited nodes of a tree: what = {path, nodes, depth}. */
  subtree(what) {
    return this.queue(() => this.connection.request({ type: "subtree", side: 0, ...what }));
  }

  /** One thing after the other, each on a living search. Undefined if it was replaced meanwhile. */
  queue(action) {
    const { setup } = this;
    const same = () => this.setup === setup;
    this.pending += 1;
    const done = this.work.then(async () => {
      try {
        if (!same()) return undefined;
        if (!this.alive) await this.revive();
        return same() ? await action(same) : undefined;
      } catch (error) {
        if (!same() || error.message === GONE) return undefined;
        throw error;
      } finally {
        if (same()) {
          this.pending -= 1;
          this.changed();
        }
      }
    });
    this.work = done.catch(() => {});
    this.changed();
    return done;
  }

  async revive() {
    const { position, agents, seed, guided } = this.setup;
    const reached = this.made;
    this.alive = true;
    this.state = "queued";
    const message = { type: "search", position, agents, seed, guided, playouts: this.most, paused: true };
    this.id = this.connection.stream(message, (answer) => this.receive(answer));
    await this.until(0);
    if (reached > this.fresh) {
      this.connection.tell({ type: "step", playouts: reached });
      await this.until(reached);
    }
  }

  until(made) {
    return new Promise((resolve, reject) => this.waiting.push({ made, resolve, reject }));
  }

  receive(message) {
    if (message.type === "queued") {
      this.state = "queued";
      this.place = message.place;
      return this.changed();
    }
    if (message.type === "error" || message.state === "ended") {
      this.alive = false;
      this.state = "lost";
      const why = new Error(message.message ?? message.reason ?? "the search has ended");
      for (const one of this.waiting.splice(0)) one.reject(why);
      return this.changed();
    }
    this.state = message.state === "done" ? "paused" : message.state;
    if (message.sides.length) {
      this.fresh = message.sides[0].playouts;
      if (this.fresh >= this.made) {
        this.sides = message.sides;
        this.sides.forEach((side, i) => this.remember(side, i));
      }
    }
    if (this.state === "paused") {
      const reached = this.waiting.filter((one) => one.made <= this.fresh);
      this.waiting = this.waiting.filter((one) => one.made > this.fresh);
      for (const one of reached) one.resolve();
    }
    return this.changed();
  }

  remember(side, i) {
    const history = this.histories[i];
    if (history.at(-1)?.playouts === side.playouts) history.pop();
    history.push({
      playouts: side.playouts,
      moves: new Map(side.root.map((row) => [row.move, row])),
    });
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** The row of a move at the root. */
  row(move, side = 0) {
    return this.sides[side]?.root.find((one) => one.move === move);
  }

  /** The move that the search would play. */
  choice(side = 0) {
    return this.sides[side]?.choice ?? null;
  }
}
