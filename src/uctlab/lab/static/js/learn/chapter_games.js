// Chapter 1: what random games say about a move, and what they do not.

import { el } from "../dom.js";
import { count, percent } from "../format.js";
import { many } from "./chapter.js";
import { Board, shades, still, stonesAfter, wait } from "./figures.js";
import { inNumbers } from "./formula.js";

const POSITION = { game: "hex:4", start: null, moves: [] };
const PROBLEM = { game: "hex:5", start: { name: "browne2013" }, moves: [] };
const BEAT = 130; // ms between two moves of a random game
const CELLS = 16;

export const randomGames = {
  title: "Random games",
  about: "How games without any thought can tell a good move from a bad one.",
  make: (chapter) => new RandomGames(chapter).body,
};

class RandomGames {
  constructor({ session, search }) {
    this.search = search;
    this.board = new Board(session);
    this.live = el("p", { class: "in-numbers" });
    this.last = null; // the random game on the board
    this.shading = false; // whether the board shows shares instead of a game
    const more = (games) => () => {
      this.shading = true;
      return search.step(games);
    };
    this.body = {
      figures: [this.board.element],
      open: async () => {
        await this.board.open(POSITION);
        await search.open({ position: POSITION, agents: ["mc"], seed: 1 });
      },
      draw: () => this.draw(),
      leave: () => (this.left = true),
      steps: [
        {
          title: "A game without thought",
          text: () => [
            "In Hex, Black connects top and bottom, White connects left and right. In a random game both sides play by chance until one of them has connected.",
            this.lastText(),
          ],
          buttons: [["Play a random game", () => this.play(), { class: "primary" }]],
        },
        {
          title: "Many games",
          text: () => [
            "One random game says almost nothing. So play many, spread evenly over the first moves, and count how often each of them wins: this is flat Monte Carlo.",
            this.manyText(),
          ],
          buttons: [
            ["Every first move once", more(CELLS)],
            ["Every first move ten times", more(10 * CELLS)],
          ],
        },
        {
          title: "How sure is that?",
          text: () => this.sureText(),
          formulas: ["mean", "error"],
          extra: this.live,
          buttons: [["Ten times more for each", more(10 * CELLS)]],
        },
        {
          title: "What random games do not know",
          text: () => [
            "A share of wins says how good a move is if both sides play at random afterwards. A real opponent does not.",
            "So a move can win most random games and still lose, because one good answer refutes it. More games do not help: they only measure the wrong thing more exactly.",
          ],
        },
      ],
      experiment: {
        text: "In this position of Browne (2013) Black is to move, and only the cell marked e wins. Flat Monte Carlo plays 20,000 random games. Where does it play, and how many games did e win?",
        link: "Run flat Monte Carlo in the Lab",
        run: { view: "lab", position: PROBLEM, agents: ["mc", "uct"], budget: { kind: "playouts", amount: 20000 } },
      },
    };
  }

  async play() {
    this.shading = false;
    const walks = await this.search.playout();
    if (!walks) return;
    const walk = walks[0];
    const moves = [...walk.path, ...walk.random];
    for (let shown = 1; shown < moves.length && !still() && !this.left; shown++) {
      this.board.show({ stones: stonesAfter(this.board.info, moves.slice(0, shown)), last: moves[shown - 1] });
      await wait(BEAT);
    }
    this.last = { ...walk, moves };
  }

  lastText() {
    if (!this.last) return "Press the button and watch one.";
    const { number, path, moves, result } = this.last;
    const winner = result > 0.5 ? "Black" : "White";
    return `Game ${count(number)}: Black began with ${path[0]}, and after ${many(moves.length, "move")} ${winner} was connected.`;
  }

  get tried() {
    return (this.search.sides[0]?.root ?? []).filter((row) => row.visits);
  }

  get best() {
    return this.tried.reduce((a, b) => (b.value > a.value ? b : a), this.tried[0]);
  }

  manyText() {
    const { tried } = this;
    if (tried.length < CELLS) return `So far ${many(tried.length, "first move")} of ${CELLS} ${tried.length === 1 ? "has" : "have"} been tried.`;
    const visits = tried.map((row) => row.visits);
    const [few, most] = [Math.min(...visits), Math.max(...visits)];
    const each = few === most ? many(few, "time") : `${few} or ${most} times`;
    const worst = tried.reduce((a, b) => (b.value < a.value ? b : a));
    const { best } = this;
    return `After ${many(this.search.made, "game")} every first move has been tried ${each}. ${best.move} has the largest share of wins, ${percent(best.value, 0)}; ${worst.move} has the smallest, ${percent(worst.value, 0)}.`;
  }

  sureText() {
    const { best } = this;
    if (!best) return ["First play some random games, on the step before."];
    const wins = Math.round(best.value * best.visits);
    const error = Math.sqrt((best.value * (1 - best.value)) / best.visits);
    return [
      `${best.move} has won ${count(wins)} of its ${many(best.visits, "game")}. The standard error says how far such a share is usually from the true one: ${percent(error)} here.`,
      "Four times as many games halve it. But every move gets the same number of games, the bad ones too; the next chapter spends them better.",
    ];
  }

  draw() {
    const { best } = this;
    if (best) {
      const values = { w: String(Math.round(best.value * best.visits)), n: String(best.visits), r: best.value };
      const error = Math.sqrt((best.value * (1 - best.value)) / best.visits);
      this.live.replaceChildren(
        `${best.move}: `,
        inNumbers("mean", values, null),
        ", ",
        inNumbers("error", { ...values, g: error }, null),
      );
    } else this.live.replaceChildren();
    if (this.shading) {
      const heat = shades(this.tried, (row) => row.value, (row) => percent(row.value, 0).replace("\u00a0", "")); // prettier-ignore
      this.board.show({ heat });
      this.board.caption.textContent = "How often each first move won its random games";
    } else if (this.last) {
      const { moves, win } = this.last;
      this.board.show({ stones: stonesAfter(this.board.info, moves), last: moves.at(-1), win });
      this.board.caption.textContent = "The last random game; the winning chain is marked";
    } else {
      this.board.caption.textContent = "Hex, 4 by 4: the coloured edges belong to Black and White";
    }
  }
}
