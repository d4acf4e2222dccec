// One playout, step by step: selection, expansion, simulation, backpropagation.

import { complain, say } from "../announcer.js";
import { pathKey } from "../board_tree.js";
import { button, el, segmented } from "../dom.js";
import { explained } from "../glossary.js";
import { capital, count } from "../format.js";
import { TreeDrawing } from "../tree_drawing.js";
import { stateOf } from "./chapter.js";
import { Board, keepFocus, still, stonesAfter, wait } from "./figures.js";
import { numbersOf } from "./playout_numbers.js";
import { PHASES, sentencesOf, stepsOf } from "./playout_steps.js";
import { askKnown, firstView } from "./tree_known.js";

const GAMES = [
  ["deceptive:2", "Deceptive tree"],
  ["hex:3", "Hex 3×3"],
  ["hex:4", "Hex 4×4"],
];
const AGENTS = [
  ["uct", "UCT"],
  ["auct(k=1)", "Accelerated UCT"],
];
export const LAMBDA = 0.9; // of auct(k=1)
const SEED = 3;
const BEAT = 160; // ms between two random moves
const PACE = 2200; // ms between two steps that play by themselves
const DARK = ["Dark", "Light"]; // the players of the deceptive tree, as it is drawn

export class PlayoutPage {
  constructor({ session, search }) {
    this.title = "One playout";
    this.search = search;
    this.game = GAMES[0][0];
    this.agent = AGENTS[0][0];
    this.walk = null; // the playout that is shown
    this.steps = [];
    this.at = -1;
    this.known = [new Map(), new Map()]; // before and after it
    this.board = new Board(session);
    this.drawing = new TreeDrawing({
      ask: (what) => search.subtree(what),
      onpick: (path) => this.look(path),
    });
    this.build();
    this.redraw = () => this.drawState();
    search.addEventListener("change", this.redraw);
  }

  build() {
    this.phases = el(
      "ol",
      { class: "phases", "aria-label": "The four parts of a playout" },
      ...PHASES.map((name) => el("li", { "data-phase": name, text: capital(name) })),
    );
    this.heading = el("h2", { tabindex: -1 });
    this.text = el("div", { class: "sentences" });
    this.numbers = el("div", { class: "numbers" });
    this.status = el("p", { class: "state" });
    this.back = button("Back", () => this.go(this.at - 1));
    this.next = button("Next step", () => this.forth(), { class: "primary" });
    this.auto = button("Play", () => this.toggle(), { "aria-pressed": "false" });
    this.ten = button("10 playouts", () => this.many(10));
    this.again = button("Start again", () => this.open());
    this.tree = el("section", { class: "card", "aria-label": "The tree" }, this.drawing.element);
    this.card = el(
      "div",
      { class: "card step-card" },
      this.phases,
      this.heading,
      this.text,
      this.numbers,
      this.status,
      el("div", { class: "buttons turn-page" }, this.back, this.next, this.auto, this.ten, this.again),
    );
    const choose = (name) => (value) => {
      this[name] = value;
      this.open();
    };
    this.elements = [
      el(
        "header",
        { class: "chapter-head" },
        el("p", { class: "quiet", text: "Beside the chapters" }),
        el("h1", { tabindex: -1, text: "One playout, step by step" }),
      ),
      el(
        "div",
        { class: "buttons" },
        segmented("Game", GAMES, this.game, choose("game")),
        segmented("Agent", AGENTS, this.agent, choose("agent")),
      ),
      el(
        "div",
        { class: "columns lesson" },
        this.card,
        el("div", { class: "side figures" }, this.board.element, this.tree),
      ),
      el(
        "nav",
        { class: "chapter-nav", "aria-label": "Chapters" },
        el("a", { href: "#learn/3", text: "← Chapter 3" }),
        el("a", { href: "#learn", text: "All chapters" }),
        el("a", { href: "#learn/4", text: "Chapter 4: Deception →" }),
      ),
    ];
  }

  get inTree() {
    return this.game.startsWith("deceptive");
  }

  get players() {
    return this.inTree ? DARK : (this.board.info?.players ?? ["Black", "White"]);
  }

  enter() {
    this.open();
  }

  leave() {
    this.stop();
    this.left = true;
    this.search.removeEventListener("change", this.redraw);
    this.search.close();
  }

  /** A new search of the chosen game. */
  async open() {
    this.stop();
    const position = { game: this.game, start: null, moves: [] };
    const turn = (this.turn = {});
    Object.assign(this, { walk: null, steps: [], at: -1, known: [new Map(), new Map()], busy: true });
    this.drawing.clear();
    this.tree.hidden = this.inTree;
    try {
      await this.board.open(position);
      await this.search.open({ position, agents: [this.agent], seed: SEED });
      if (this.turn !== turn) return;
      this.drawing.players = this.players;
      if (!this.inTree) await this.drawing.refresh();
    } catch (error) {
      complain(error);
    }
    if (this.turn !== turn) return;
    this.busy = false;
    this.show();
  }

  async many(playouts) {
    this.stop();
    await this.work(async () => {
      await this.search.step(playouts);
      Object.assign(this, { walk: null, steps: [], at: -1 });
      await this.learn(1);
      this.known[0] = this.known[1];
    });
  }

  /** What the tree knows, before (0) or after (1) the playout. */
  async learn(when) {
    if (this.inTree) this.known[when] = await askKnown(this.search);
    else await this.drawing.refresh();
  }

  async work(action) {
    if (this.busy) return;
    const { turn } = this;
    const giveBack = keepFocus();
    this.busy = true;
    this.drawState();
    try {
      await action();
    } catch (error) {
      this.stop();
      complain(error);
    }
    if (this.turn !== turn || this.left) return;
    this.busy = false;
    this.show();
    giveBack();
  }

  /** The next step, of this playout or of the next one. */
  async forth() {
    if (this.at + 1 < this.steps.length) return this.go(this.at + 1);
    return this.work(async () => {
      this.known[0] = this.known[1];
      const walks = await this.search.playout();
      if (!walks) return;
      [this.walk] = walks;
      this.steps = stepsOf(this.walk);
      this.at = 0;
      await this.learn(1);
    });
  }

  go(at) {
    if (at < 0 || at >= this.steps.length || this.busy) return;
    this.at = at;
    this.show();
  }

  toggle() {
    if (this.timer) this.stop();
    else {
      this.auto.setAttribute("aria-pressed", "true");
      this.auto.textContent = "Pause";
      this.beat();
    }
  }

  async beat() {
    this.timer = setTimeout(() => this.beat(), PACE);
    await this.forth();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.auto.setAttribute("aria-pressed", "false");
    this.auto.textContent = "Play";
  }

  /** Show the current step. */
  show() {
    const step = this.steps[this.at];
    for (const node of this.phases.children) {
      if (node.dataset.phase === step?.phase) node.setAttribute("aria-current", "step");
      else node.removeAttribute("aria-current");
    }
    const made = this.search.made;
    this.heading.textContent = step
      ? `Playout ${count(this.walk.number)}: ${step.phase}`
      : made
        ? `After ${count(made)} playouts`
        : "Before the first playout";
    const told = step
      ? sentencesOf(step, this.walk, this.players)
      : ["Every playout has four parts. “Next step” begins one and shows what each part does, with the numbers of this search."];
    const seen = new Set();
    this.text.replaceChildren(...told.map((text) => el("p", {}, ...explained(text, seen))));
    const lambda = this.agent.startsWith("auct") ? LAMBDA : null;
    this.numbers.replaceChildren(...(step ? numbersOf(step, this.walk, lambda) : []));
    this.drawFigures(step);
    this.drawState();
    if (step) say(`${capital(step.phase)}. ${told.join(" ")}`);
  }

  drawState() {
    this.status.textContent = stateOf(this.search);
    this.back.disabled = this.busy || this.at <= 0;
    for (const node of [this.next, this.ten]) node.disabled = this.busy;
    const end = this.at === this.steps.length - 1;
    this.next.textContent = end ? "Next playout" : "Next step";
    this.card.dataset.busy = this.busy ? "yes" : "no"; // for tests
  }

  drawFigures(step) {
    const path = step ? this.walk.path.slice(0, step.depth) : [];
    if (this.inTree) {
      this.board.show({ known: this.knownAt(step), line: path });
      this.board.caption.textContent = "Numbers: visits, and how often Dark won. Blue: the way of this playout.";
      return;
    }
    this.drawing.walk(path);
    if (step?.phase === "simulation") this.simulate();
    else if (step?.phase === "backpropagation") this.showGame(this.walk.random.length);
    else this.look(path);
  }

  look(path) {
    const { info } = this.board;
    this.board.show({ stones: stonesAfter(info, path), last: path.at(-1) ?? null });
    this.board.caption.textContent = path.length ? `After ${path.join(" ")}` : "The root";
  }

  /** The random moves one by one, unless nothing should move. */
  async simulate() {
    const { walk, at } = this;
    const { random } = walk;
    const same = () => this.walk === walk && this.at === at && !this.left;
    for (let shown = still() ? random.length : 0; shown < random.length && same(); shown++) {
      this.showGame(shown);
      await wait(BEAT);
    }
    if (same()) this.showGame(random.length);
  }

  showGame(shown) {
    const { path, random, win } = this.walk;
    const moves = [...path, ...random.slice(0, shown)];
    const end = shown === random.length;
    const stones = stonesAfter(this.board.info, moves);
    this.board.show({ stones, last: moves.at(-1), win: end ? win : [] });
    this.board.caption.textContent = end ? "The end of the random game; the winning chain is marked" : "The random game";
  }

  /** Visits and values of the tree at a step: those that backpropagation has reached are new. */
  knownAt(step) {
    const [before, after] = this.known;
    if (!step) return after;
    if (step.phase !== "backpropagation") return before;
    const known = new Map(before);
    const { path, levels } = this.walk;
    for (let level = levels.length - 1; level >= step.level; level--) {
      const way = path.slice(0, level + 1);
      for (const { move, after: row } of levels[level].moves) {
        const key = pathKey([...path.slice(0, level), move]);
        if (row.visits || key === pathKey(way)) {
          const here = [...path.slice(0, level), move];
          known.set(key, { visits: row.visits, value: firstView(here, row.value) });
        }
      }
    }
    return known;
  }

  key(event) {
    if (event.key === "ArrowRight" && !this.busy) this.forth();
    else if (event.key === "ArrowLeft") this.go(this.at - 1);
    else return false;
    return true;
  }
}
