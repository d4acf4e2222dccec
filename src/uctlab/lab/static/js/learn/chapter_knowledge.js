// Chapter 6: what bridges, RAVE and priors are worth, on browne2013's position.

import { el } from "../dom.js";
import { count, percent } from "../format.js";
import { Board, COLUMNS, MoveTable, shades } from "./figures.js";

const POSITION = { game: "hex:5", start: { name: "browne2013" }, moves: [] };
const PLAYOUTS = 16000;
const SEED = 0;
const RIGHT = "e"; // the paper's letter of the only move that wins
const AGENTS = {
  uct: ["UCT", "uct(c=0.354)"],
  bridge: ["UCT with bridges", "uct(c=0.354,playout=bridge)"],
  rave: ["UCT with RAVE", "uct(c=0.354,rave=k)"],
  both: ["UCT with both", "uct(c=0.354,rave=k,playout=bridge)"],
};

export const knowledge = {
  title: "Knowledge",
  about: "Bridges, RAVE and priors: a little knowledge against a position that deceives UCT.",
  make: (chapter) => new Knowledge(chapter).body,
};

class Knowledge {
  constructor({ session, search }) {
    this.search = search;
    this.results = new Map(); // key of AGENTS -> {choice, share, value}
    this.shown = "uct";
    this.board = new Board(session);
    this.table = new MoveTable([COLUMNS.visits, COLUMNS.value], { most: 5, caption: "The most visited moves" });
    this.rows = el("tbody");
    const head = ["Agent", "plays", "share of visits", "value"];
    this.summary = el(
      "section",
      { class: "card", "aria-label": "What each agent plays" },
      el(
        "table",
        { class: "found" },
        el("caption", { class: "quiet", text: `After ${count(PLAYOUTS)} playouts, seed ${SEED}` }),
        el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { scope: "col", text })))),
        this.rows,
      ),
    );
    const run = (key) => [`Run ${AGENTS[key][0]}`, () => this.run(key), { class: "primary" }];
    this.body = {
      figures: [this.board.element, el("div", { class: "card scroll" }, this.table.element), this.summary],
      open: async () => {
        await this.board.open(POSITION);
        this.letters = this.board.info.letters ?? {};
      },
      draw: () => this.draw(),
      steps: [
        {
          title: "A hard position",
          text: () => [
            "Black, who connects top and bottom, is to move, and only e wins (Browne, 2013). Random games like other moves better: they cut connections that no player would let be cut.",
            this.told("uct"),
          ],
          buttons: [run("uct")],
        },
        {
          title: "Bridges",
          text: () => [
            "Two stones form a bridge if two empty cells lie between them: when White takes one, Black takes the other. Here the random games answer an attack on a bridge in this way.",
            this.told("bridge"),
          ],
          buttons: [run("bridge")],
        },
        {
          title: "RAVE",
          text: () => [
            "A move that is good now is often good later. So RAVE also counts the games in which the same player made it at any later time, and trusts them less as the move gets games of its own.",
            this.told("rave"),
          ],
          formulas: ["rave", "beta"],
          buttons: [run("rave")],
        },
        {
          title: "Both together",
          text: () => ["RAVE learns fast what random games say, right or wrong; bridges make them say less that is wrong.", this.told("both")],
          buttons: [run("both")],
        },
        {
          title: "Priors",
          text: () => [
            "A prior is an opinion about a move before its first playout, with the weight of some playouts. Real games soon outweigh it.",
            "Hex has no priors in this program; those of Go were learnt from games. The link compares a search with and without them.",
          ],
          formulas: ["prior"],
          extra: el(
            "p",
            {},
            el("a", { href: "#compare?game=go:9&agents=fuego;fuego(prior=0)&playouts=2000&seed=0", text: "Go 9 by 9: fuego with and without priors" }),
          ),
        },
      ],
      experiment: {
        text: "UCT alone and UCT with RAVE and bridges, side by side, on the same position. Then change the seed or double the playouts, in the settings below the boards: does UCT ever find e?",
        link: "Compare them",
        run: {
          view: "compare",
          position: POSITION,
          agents: [AGENTS.uct[1], AGENTS.both[1]],
          budget: { kind: "playouts", amount: PLAYOUTS },
        },
      },
    };
  }

  async run(key) {
    this.shown = key;
    await this.search.open({ position: POSITION, agents: [AGENTS[key][1]], seed: SEED, guided: false });
    await this.search.step(PLAYOUTS);
    const [side] = this.search.sides;
    if (side?.playouts !== PLAYOUTS) return;
    const row = side.root.find(({ move }) => move === side.choice);
    this.results.set(key, { choice: side.choice, share: row.share, value: row.value });
  }

  called(move) {
    return this.letters?.[move] ?? move;
  }

  told(key) {
    const result = this.results.get(key);
    if (!result) return "Run it and see.";
    const letter = this.called(result.choice);
    const verdict = letter === RIGHT ? "That is right." : `The right move is ${RIGHT}.`;
    return `After ${count(PLAYOUTS)} playouts ${AGENTS[key][0]} plays ${letter}, with ${percent(result.share, 0)} of the visits. ${verdict}`;
  }

  draw() {
    const root = this.search.sides[0]?.root ?? [];
    const tried = root.filter((row) => row.visits);
    this.board.show({
      heat: shades(tried, (row) => row.visits, (row) => (row.share >= 0.02 ? percent(row.share, 0).replace("\u00a0", "") : "")), // prettier-ignore
      choice: this.search.made ? this.search.choice() : null,
    });
    this.board.caption.textContent = this.search.made
      ? `Shares of the visits of ${AGENTS[this.shown][0]} after ${count(this.search.made)} playouts`
      : "Black to move; small letters are those of the paper";
    this.table.element.parentElement.hidden = !tried.length;
    const names = Object.fromEntries(root.map(({ move }) => [move, `${this.called(move)} (${move})`]));
    this.table.show(root, this.search.choice(), names);
    this.rows.replaceChildren(
      ...Object.entries(AGENTS).map(([key, [name]]) => {
        const found = this.results.get(key);
        const right = found && this.called(found.choice) === RIGHT;
        const cells = found
          ? [`${this.called(found.choice)}, ${right ? "right" : "wrong"}`, percent(found.share, 0), percent(found.value, 0)]
          : ["–", "–", "–"];
        return el("tr", { "data-agent": key }, el("th", { scope: "row", text: name }), ...cells.map((text) => el("td", { text })));
      }),
    );
  }
}
