// Chapter 4: the tree of hashimoto2012, Fig. 1, in which the better-looking move loses.

import { el } from "../dom.js";
import { count, decimal } from "../format.js";
import { many } from "./chapter.js";
import { Board, ValueChart } from "./figures.js";
import { askKnown } from "./tree_known.js";

const POSITION = { game: "deceptive:2", start: null, moves: [] };
const DEEP = { game: "deceptive:2,depth=4", start: null, moves: [] };
const SEED = 3; // one with which B looks better for a while
const PATIENCE = 200; // playouts in which it should have turned

export const deception = {
  title: "Deception",
  about: "A tree of nine nodes in which the move that wins most random games loses.",
  make: (chapter) => new Deception(chapter).body,
};

class Deception {
  constructor({ session, search }) {
    this.search = search;
    this.known = new Map();
    this.board = new Board(session, "Numbers: visits, and how often the dark player won. Blue: the line of play.");
    this.chart = new ValueChart("Values of B and C, for the player who moves at A");
    const step = (playouts) => () => this.step(playouts);
    this.body = {
      figures: [this.board.element, el("div", { class: "card" }, this.chart.element)],
      open: async () => {
        await this.board.open(POSITION);
        await search.open({ position: POSITION, agents: ["uct"], seed: SEED });
      },
      draw: () => this.draw(),
      steps: [
        {
          title: "A trap",
          text: () => [
            "You are dark and move at A. Below B two of three leaves are won, so B wins two of three random games; below C, only one of two.",
            "But at B the opponent moves, and chooses F: you lose. At C the opponent can only play G, and there you choose H: you win. C is right.",
          ],
        },
        {
          title: "Step by step",
          text: () => [
            "UCT does not know that. Watch the values of B and C, playout by playout.",
            this.now(),
          ],
          buttons: [
            ["One playout", step(1), { class: "primary" }],
            ["Five", step(5)],
          ],
        },
        {
          title: "The turning point",
          text: () => [this.turning(), this.trap()],
          buttons: [["Until it changes its mind", () => this.untilTurn()]],
        },
        {
          title: "Why so late?",
          text: () => [
            "A value in UCT is the mean of all playouts, also of those from the time before the refutation was found. They are wrong, and they never leave the mean: new ones can only outnumber them.",
            this.ballast(),
          ],
          buttons: [["50 playouts", step(50)]],
        },
      ],
      experiment: {
        text: "The same trap four times as deep: F must be found four times in a row before B is seen to lose. UCT and Accelerated UCT, side by side. Which of them turns to C first, and after how many playouts?",
        link: "Compare them in the deep tree",
        run: { view: "compare", position: DEEP, agents: ["uct", "auct(k=1)"], budget: { kind: "playouts", amount: 1000 } },
      },
    };
  }

  async step(playouts) {
    await this.search.step(playouts);
    this.known = await askKnown(this.search);
  }

  /** Step until the choice is C and was B before. */
  async untilTurn() {
    while (!this.turn && this.search.made < PATIENCE && this.search.setup) await this.search.step(1);
    this.known = await askKnown(this.search);
  }

  /** The playout at which it turned from B to C for good. */
  get turn() {
    const turns = this.search.sides[0]?.turns ?? [];
    const last = turns.at(-1);
    return last?.[1] === "C" && turns.length > 1 ? last[0] : null;
  }

  worth(move) {
    const row = this.search.row(move);
    return row?.visits ? `${move} is worth ${decimal(row.value)} after ${many(row.visits, "visit")}` : `${move} has not been tried yet`;
  }

  now() {
    const { made } = this.search;
    if (!made) return "Press the button.";
    const tried = ["B", "C"].every((move) => this.search.row(move)?.visits);
    const choice = tried ? ` UCT would play ${this.search.choice()}${this.search.choice() === "C" ? ", which is right" : ", the trap"}.` : "";
    return `After ${many(made, "playout")} ${this.worth("B")}, and ${this.worth("C")}.${choice}`;
  }

  turning() {
    if (!this.search.made) return "Let UCT search until it prefers C.";
    if (!this.turn) return `After ${many(this.search.made, "playout")} UCT would still play ${this.search.choice()}.`;
    return `At playout ${count(this.turn)} UCT turned from B to C. The move with the most visits is played, so C had to overtake B in visits, not only in value.`;
  }

  trap() {
    const visits = (path) => this.known.get(path)?.visits ?? 0;
    const refuted = visits("B F");
    const other = visits("B D") + visits("B E");
    if (!refuted && !other) return "Below B the opponent's answers D, E and F are tried once each before any is tried twice.";
    return `Below B the opponent has answered F ${many(refuted, "time")}, and D or E ${many(other, "time")}.`;
  }

  ballast() {
    const row = this.search.row("B");
    const wins = row?.visits ? Math.round(row.value * row.visits) : 0;
    if (!wins) return "Let it search a little, on the step before.";
    return `B still carries ${many(wins, "win")} among its ${many(row.visits, "visit")}, although it is lost: its value is ${decimal(row.value)} and not 0.`;
  }

  draw() {
    this.board.show({ known: this.known, line: this.search.made ? (this.search.sides[0]?.pv ?? []) : [] });
    this.chart.show(this.search, 0, this.turn ? [this.turn, "C"] : null);
  }
}
