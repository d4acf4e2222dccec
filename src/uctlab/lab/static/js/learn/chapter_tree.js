// Chapter 3: the bandit's rule in every position of a growing tree.

import { el } from "../dom.js";
import { count, percent } from "../format.js";
import { TreeDrawing } from "../tree_drawing.js";
import { many } from "./chapter.js";
import { Board, stonesAfter } from "./figures.js";

const POSITION = { game: "hex:3", start: null, moves: [] };

export const theTree = {
  title: "The tree",
  about: "UCT asks the bandit's rule in every position that it has reached, for both players.",
  make: (chapter) => new TheTree(chapter).body,
};

class TheTree {
  constructor({ session, search }) {
    this.search = search;
    this.board = new Board(session, "Choose a node of the tree to see its position");
    this.drawing = new TreeDrawing({
      ask: (what) => search.subtree(what),
      onpick: (path) => this.look(path),
    });
    this.drawing.players = ["Black", "White"];
    this.way = [];
    this.last = null; // the latest single playout
    const more = (playouts) => async () => {
      this.last = null;
      await search.step(playouts);
      await this.redraw();
    };
    this.body = {
      figures: [
        el("section", { class: "card", "aria-label": "The tree" }, this.drawing.element),
        this.board.element,
      ],
      open: async () => {
        await this.board.open(POSITION);
        await search.open({ position: POSITION, agents: ["uct"], seed: 1 });
        await this.redraw();
      },
      draw: () => {},
      steps: [
        {
          title: "One move further",
          text: () => [
            "Flat UCB1 leaves the opponent's answer to chance. UCT remembers it: when a move is reached again, its answers are added to the tree, and UCB1 chooses among them for the opponent.",
            this.one(),
          ],
          buttons: [["One playout", () => this.single(), { class: "primary" }]],
        },
        {
          title: "It grows where it matters",
          text: () => [
            "Good moves are visited often, so that the tree is deep below them and stays flat below bad ones. In the drawing a node is as large as its visits.",
            this.grown(),
          ],
          buttons: [
            ["10 playouts", more(10)],
            ["100 playouts", more(100)],
          ],
        },
        {
          title: "The line of play",
          text: () => [
            "The thick line follows the most visited move, its most visited answer, and so on: the play that the search believes in.",
            this.line(),
          ],
          buttons: [["100 playouts", more(100)]],
        },
        {
          title: "Which move is played?",
          text: () => [
            "At the end UCT plays the move with the most visits, not the one with the highest value: a high value after a few visits may be luck.",
            this.choice(),
          ],
          extra: el("p", {}, el("a", { href: "#learn/playout", text: "Look at one playout, step by step" })),
        },
      ],
      experiment: {
        text: "UCT on an empty 5 by 5 board. When it is done, open the panel Tree, choose Drawing, and click along the line of play: the board follows.",
        link: "Run UCT in the Lab",
        run: {
          view: "lab",
          position: { game: "hex:5", start: null, moves: [] },
          agents: ["uct", "auct(k=3)"],
          budget: { kind: "playouts", amount: 20000 },
        },
      },
    };
  }

  async redraw() {
    await this.drawing.refresh();
    this.drawing.walk(this.last?.path ?? null);
  }

  async single() {
    const walks = await this.search.playout();
    if (!walks) return;
    [this.last] = walks;
    await this.redraw();
    this.look(this.last.path);
  }

  look(path) {
    this.way = path;
    const { info } = this.board;
    if (!info) return;
    this.board.show({ stones: stonesAfter(info, path), last: path.at(-1) ?? null });
    this.board.caption.textContent = path.length ? `After ${path.join(" ")}` : "The root: an empty board";
  }

  one() {
    if (!this.last) return "Press the button a dozen times and watch where the new nodes go.";
    const { number, path, expanded, result } = this.last;
    const winner = result > 0.5 ? "Black" : "White";
    const how = expanded ? `The answers to ${path.slice(0, -1).join(" ")} were added` : `${path.join(" ")} was new`;
    return `Playout ${count(number)} went ${path.join(" ")}. ${how}, and ${winner} won the random game from there.`;
  }

  get rows() {
    return (this.search.sides[0]?.root ?? []).filter((row) => row.visits);
  }

  grown() {
    const side = this.search.sides[0];
    const [most] = this.rows;
    if (!most) return "Let it make some playouts.";
    const least = this.rows.at(-1);
    return `After ${many(side.playouts, "playout")} the tree has ${many(side.nodes, "node")}, the deepest of them ${many(side.depth, "move")} down. ${percent(most.share, 0)} of the visits went to ${most.move}, ${percent(least.share, 0)} to ${least.move}.`;
  }

  line() {
    const side = this.search.sides[0];
    if (!side?.pv.length) return "Let it make some playouts.";
    return `Now it is ${side.pv.join(" ")}.`;
  }

  choice() {
    const [most] = this.rows;
    if (!most) return "Let it make some playouts, on the step before.";
    const best = this.rows.reduce((a, b) => (b.value > a.value ? b : a));
    const told = `${most.move} has the most visits, ${count(most.visits)}, and a value of ${percent(most.value, 0)}.`;
    if (best.value <= most.value) return `${told} No move has a higher value: the two measures agree.`;
    return `${told} The highest value belongs to ${best.move}: ${percent(best.value, 0)} after ${many(best.visits, "visit")}.`;
  }
}
