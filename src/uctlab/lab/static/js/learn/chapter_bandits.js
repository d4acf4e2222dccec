// Chapter 2: the bandit, played by a person and by UCB1; then a position as a bandit.

import { button, el } from "../dom.js";
import { count, decimal, percent } from "../format.js";
import { Bandit } from "./bandit.js";
import { many } from "./chapter.js";
import { Board, shades } from "./figures.js";
import { inNumbers } from "./formula.js";

const POSITION = { game: "hex:4", start: null, moves: [] };
const PROBLEM = { game: "hex:5", start: { name: "browne2013" }, moves: [] };
const MACHINES = 5;
const COINS = 40;
const CELLS = 16;
const NAMES = ["A", "B", "C", "D", "E"];
const SEARCHED = 2; // from this step on the figure is a search

export const bandits = {
  title: "Bandits and UCB1",
  about: "Play slot machines against the rule that decides where a search looks next.",
  make: (chapter) => new Bandits(chapter).body,
};

class Bandits {
  constructor(chapter) {
    const { session, search } = chapter;
    this.chapter = chapter;
    this.search = search;
    this.board = new Board(session, "How often UCB1 tried each first move");
    this.live = el("p", { class: "in-numbers" });
    this.machines = el("div", { class: "machines" });
    this.score = el("p", { class: "headline" });
    this.again = button("Other machines", () => this.shuffle());
    this.parlour = el(
      "section",
      { class: "card parlour", "aria-label": "Slot machines" },
      this.score,
      this.machines,
      el("div", { class: "buttons" }, this.again),
    );
    this.seed = 1;
    this.bandit = new Bandit(this.seed, MACHINES, COINS);
    const more = (games) => () => search.step(games);
    this.body = {
      figures: [this.parlour, this.board.element],
      open: async () => {
        await this.board.open(POSITION);
        await search.open({ position: POSITION, agents: ["ucb"], seed: 1 });
      },
      draw: () => this.draw(),
      steps: [
        {
          title: "Five machines",
          text: () => [
            `Each machine pays with a chance of its own, which nobody tells you. You have ${COINS} coins, and so has UCB1, which plays one after each of yours.`,
            "The first coin in a machine has the same luck for both of you, and so has the second, and so on: nobody is luckier. Who wins more?",
            this.standing(),
          ],
        },
        {
          title: "The rule UCB1",
          text: () => [
            "UCB1 gives every machine a score and plays the highest: the mean so far, plus a bonus that falls with each coin in this machine and grows slowly with all coins.",
            this.why(),
          ],
          formulas: ["ucb1"],
          extra: this.live,
        },
        {
          title: "Moves are machines",
          text: () => [
            "A move in a game is such a machine: a coin is a random game that begins with it. Here flat UCB1 chooses the first move of every random game in Hex.",
            this.searched(),
          ],
          buttons: [
            ["16 games", more(CELLS)],
            ["160 games", more(10 * CELLS)],
          ],
        },
        {
          title: "Learn and win at once",
          text: () => [
            "Every game both wins or loses and teaches. UCB1 never stops exploring, but explores less and less: a move that looks bad is tried again when its bonus has grown.",
            "It still looks only one move ahead. What the opponent would answer is left to chance.",
          ],
        },
      ],
      experiment: {
        text: "Flat Monte Carlo and flat UCB1 in the position of Browne (2013), side by side. Where do the visits go? Does choosing better where to look find e, the only move that wins?",
        link: "Compare them",
        run: {
          view: "compare",
          position: PROBLEM,
          agents: ["mc", "ucb(c=0.5)"],
          budget: { kind: "playouts", amount: 20000 },
        },
      },
    };
  }

  shuffle() {
    this.seed += 1;
    this.bandit = new Bandit(this.seed, MACHINES, COINS);
    this.chapter.draw();
  }

  play(machine) {
    this.bandit.play(machine);
    this.chapter.draw();
    this.machines.querySelectorAll("button")[machine]?.focus();
  }

  standing() {
    const { you, ucb, over, best, chances, lastYou } = this.bandit;
    if (!you.spent) return "Choose a machine.";
    if (!over) {
      const { machine, win } = lastYou;
      return `${NAMES[machine]} ${win ? "paid" : "did not pay"}. After ${many(you.spent, "coin")} you have won ${count(you.won)} and UCB1 ${count(ucb.won)}.`;
    }
    const end = you.won === ucb.won ? "That is a draw" : you.won > ucb.won ? "You have beaten it" : "UCB1 was better";
    return `All coins are spent: you have won ${count(you.won)}, UCB1 ${count(ucb.won)}. ${end}. Machine ${NAMES[best]} pays most, ${percent(chances[best], 0)}; all ${COINS} coins in it would win ${decimal(COINS * chances[best])} on average.`;
  }

  why() {
    const { lastUcb } = this.bandit;
    if (!lastUcb) return "Play a coin to see it at work.";
    const { machine, before, scores } = lastUcb;
    if (!before.coins[machine]) return `It has just played ${NAMES[machine]}, which it had never tried: such a machine comes before all others.`;
    return `It has just played ${NAMES[machine]}: after ${many(before.wins[machine], "win")} with ${many(before.coins[machine], "coin")} its score was ${decimal(scores[machine])}, the highest of all.`;
  }

  searched() {
    const rows = (this.search.sides[0]?.root ?? []).filter((row) => row.visits);
    const { made } = this.search;
    if (rows.length < CELLS) return "Play some games to see where they go.";
    const most = rows.reduce((a, b) => (b.visits > a.visits ? b : a));
    const least = rows.reduce((a, b) => (b.visits < a.visits ? b : a));
    return `Of ${many(made, "game")} it gave ${count(most.visits)} to ${most.move} and ${count(least.visits)} to ${least.move}. Flat Monte Carlo would have given ${decimal(made / CELLS)} to each.`;
  }

  draw() {
    const searching = this.chapter.at >= SEARCHED;
    this.parlour.hidden = searching;
    this.board.element.hidden = !searching;
    if (searching) this.drawSearch();
    else this.drawMachines();
  }

  drawSearch() {
    const rows = (this.search.sides[0]?.root ?? []).filter((row) => row.visits);
    this.board.show({ heat: shades(rows, (row) => row.visits, (row) => String(row.visits)) });
  }

  drawMachines() {
    const { you, ucb, over, chances, lastYou, lastUcb } = this.bandit;
    this.score.textContent = `Coin ${Math.min(you.spent + 1, COINS)} of ${COINS}. You: ${you.won} won. UCB1: ${ucb.won} won.`;
    if (over) this.score.textContent = `You: ${you.won} of ${COINS}. UCB1: ${ucb.won} of ${COINS}.`;
    const share = (player, i) => `${player.wins[i]} of ${player.coins[i]}`;
    this.machines.replaceChildren(
      ...chances.map((chance, i) => {
        const mine = lastYou?.machine === i ? (lastYou.win ? " paid" : " empty") : "";
        return el(
          "div",
          { class: "machine", "data-machine": NAMES[i] },
          button(`Machine ${NAMES[i]}`, () => this.play(i), { disabled: over, class: `lever${mine}` }),
          el("span", { text: `You ${share(you, i)}` }),
          el("span", { class: lastUcb?.machine === i ? "ucb now" : "ucb", text: `UCB1 ${share(ucb, i)}` }),
          el("span", { class: "quiet", text: over ? `pays ${percent(chance, 0)}` : "pays ?" }),
        );
      }),
    );
    this.live.replaceChildren();
    if (!lastUcb) return;
    const { machine, before, scores } = lastUcb;
    if (!before.coins[machine]) return;
    const values = {
      r: before.wins[machine] / before.coins[machine],
      c: "1",
      s: String(before.spent),
      n: String(before.coins[machine]),
    };
    this.live.replaceChildren(`${NAMES[machine]}: `, inNumbers("ucb1", values, scores[machine]));
  }
}
