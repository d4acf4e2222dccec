// Chapter 5: Discounted against Accelerated UCT, with the decay on a slider.

import { el } from "../dom.js";
import { count, decimal } from "../format.js";
import { ValueChart } from "./figures.js";
import { inNumbers } from "./formula.js";

const POSITION = { game: "deceptive:2,depth=3", start: null, moves: [] };
const DEEPER = { game: "deceptive:2,depth=6", start: null, moves: [] };
const PLAYOUTS = 320;
const SAMPLE = 10; // playouts between two points of the charts
const SEED = 0;
const SLIDER = { min: 0.5, max: 3, step: 0.25 };
const NAMES = ["Discounted UCT", "Accelerated UCT"];

export const forgetting = {
  title: "Forgetting",
  about: "Discounted and Accelerated UCT forget old mistakes; a slider sets how fast.",
  make: (chapter) => new Forgetting(chapter).body,
};

const decayOf = (k) => 1 - 0.1 ** k;

class Forgetting {
  constructor({ search }) {
    this.search = search;
    this.k = 1;
    this.results = []; // {k, sides: [{choice, since, changes}]}
    this.uct = null; // plain UCT's
    this.charts = NAMES.map((name) => new ValueChart(`${name}: values of B and C by playouts`));
    this.output = el("output", { class: "in-numbers", for: "decay" });
    const range = el("input", { id: "decay", type: "range", ...SLIDER, value: this.k });
    range.addEventListener("input", () => {
      this.k = Number(range.value);
      this.showDecay();
    });
    this.slider = el(
      "div",
      { class: "field decay" },
      el("label", { for: "decay", text: "Decay, as k: from a short memory to a long one" }),
      range,
      this.output,
    );
    this.rows = el("tbody");
    this.table = el(
      "section",
      { class: "card", "aria-label": "Turning points" },
      el("h2", { text: "Turning points" }),
      el(
        "table",
        { class: "turning" },
        el("caption", { class: "quiet", text: `Which move is preferred after ${PLAYOUTS} playouts, and since when` }),
        el(
          "thead",
          {},
          el("tr", {}, ...["Decay", ...NAMES].map((text) => el("th", { scope: "col", text }))),
        ),
        this.rows,
      ),
    );
    this.body = {
      figures: [el("div", { class: "card" }, ...this.charts.map((chart) => chart.element)), this.table],
      open: () => this.plain(),
      draw: () => this.draw(),
      steps: [
        {
          title: "Why forget?",
          text: () => [
            "Old playouts come from a time when the search knew less. Here the trap of chapter 4 is three levels deep: B looks better than C until F has been found three times in a row.",
            this.plainText(),
          ],
        },
        {
          title: "Discounted UCT",
          text: () => [
            "Discounted UCT multiplies the visits of all moves of a position by the decay λ each time it passes, and adds 1 to the chosen one. Old results fade, and old visits too.",
            `All visits of a position together then never count more than 1 / (1 − λ): ${decimal(1 / (1 - decayOf(this.k)))} with λ = ${decimal(decayOf(this.k))}, which is set now.`,
          ],
          formulas: ["visits", "discounted", "decay"],
        },
        {
          title: "Accelerated UCT",
          text: () => [
            "Accelerated UCT counts visits as UCT does, and beside them a velocity, which fades. A position is worth the mean of its answers, weighted by their velocities.",
            "An answer that nobody chooses any more loses its velocity, and with it its say, while the bonus for exploration stays as it is in UCT.",
          ],
          formulas: ["velocity", "accelerated"],
        },
        {
          title: "Turn the slider",
          text: () => this.turnText(),
          extra: this.slider,
          buttons: [[`Search ${PLAYOUTS} playouts with both`, () => this.run(), { class: "primary" }]],
        },
        {
          title: "How much to forget",
          text: () => [
            "With a long memory both behave like UCT. With a short one Accelerated UCT turns early, while Discounted UCT forgets why it left a move, and comes back to it.",
            this.summary(),
          ],
          extra: el("p", {}, el("a", { href: "#learn/playout", text: "Watch velocities decay in a single playout" })),
        },
      ],
      experiment: {
        text: "A tree six levels deep. Discounted UCT with λ = 0.99 on the left, Accelerated UCT with λ = 0.9 on the right. Which of them finds C first, and does it stay there?",
        link: "Compare them in the deeper tree",
        run: {
          view: "compare",
          position: DEEPER,
          agents: ["duct(k=2)", "auct(k=1)"],
          budget: { kind: "playouts", amount: 5000 },
        },
      },
    };
    this.showDecay();
  }

  showDecay() {
    this.output.replaceChildren(inNumbers("decay", { k: String(this.k), l: decayOf(this.k) }));
  }

  /** Plain UCT, as a measure for the others. */
  async plain() {
    await this.search.open({ position: POSITION, agents: ["uct"], seed: SEED });
    await this.search.step(PLAYOUTS);
    if (this.search.made === PLAYOUTS) this.uct = told(this.search.sides[0]);
  }

  async run() {
    const { k } = this;
    const agents = [`duct(k=${k})`, `auct(k=${k})`];
    await this.search.open({ position: POSITION, agents, seed: SEED });
    const { setup } = this.search;
    while (this.search.setup === setup && this.search.made < PLAYOUTS) await this.search.step(SAMPLE);
    if (this.search.made !== PLAYOUTS) return;
    this.results = this.results.filter((one) => one.k !== k);
    this.results.push({ k, sides: this.search.sides.map(told) });
    this.results.sort((a, b) => a.k - b.k);
  }

  plainText() {
    if (!this.uct) return "Plain UCT is searching.";
    return `Plain UCT ${sentence(this.uct)}. Can a search that forgets do better?`;
  }

  turnText() {
    const found = this.results.find(({ k }) => k === this.k);
    const lead = "Set the decay, let both search, and see when each of them turned from B to C.";
    if (!found) return [lead];
    const λ = decimal(decayOf(this.k));
    return [lead, `With λ = ${λ}: ${NAMES.map((name, i) => `${name} ${sentence(found.sides[i])}`).join("; ")}.`];
  }

  summary() {
    if (!this.uct || this.results.length < 2) return "Try at least two settings of the slider, a small and a large one, and compare them in the table.";
    const found = this.results
      .flatMap(({ k, sides }) => sides.map((side, i) => ({ k, i, ...side })))
      .filter(({ choice }) => choice === "C");
    if (!found.length) return "With none of the settings so far does a search end with C.";
    const best = found.reduce((a, b) => (b.since < a.since ? b : a));
    return `Of your settings, ${NAMES[best.i]} with λ = ${decimal(decayOf(best.k))} has preferred C for the longest time, since playout ${count(best.since)}; plain UCT ${sentence(this.uct)}.`;
  }

  draw() {
    const both = this.search.sides.length === 2;
    this.charts.forEach((chart, i) => {
      chart.element.hidden = !both;
      const side = this.search.sides[i];
      // The last change is a turning point only if it has lasted for a while.
      const turned = side?.turns.at(-1);
      const lasting = turned && turned[0] > 1 && side.playouts - turned[0] > PLAYOUTS / 10;
      if (both) chart.show(this.search, i, lasting ? turned : null);
    });
    this.charts[0].element.parentElement.hidden = !both;
    const line = (name, sides) =>
      el(
        "tr",
        {},
        el("th", { scope: "row", text: name }),
        ...sides.map((side) => el("td", { text: side ? cell(side) : "–", colspan: sides.length === 1 ? NAMES.length : null })),
      );
    this.rows.replaceChildren(
      ...this.results.map(({ k, sides }) => line(`k = ${k}, λ = ${decimal(decayOf(k))}`, sides)),
      line("plain UCT, λ = 1", [this.uct]),
    );
  }
}

/** What is remembered of a search that is done. */
function told({ choice, turns, changes }) {
  return { choice, since: turns.at(-1)?.[0] ?? 0, changes };
}

function sentence({ choice, since, changes }) {
  const times = { 1: "once", 2: "twice" }[changes] ?? `${count(changes)} times`;
  const mind = changes ? `has changed its mind ${times}` : "has never changed its mind";
  return `has preferred ${choice} since playout ${count(since)} of ${PLAYOUTS}, and ${mind}`;
}

const cell = ({ choice, since, changes }) =>
  `${choice} since ${count(since)}, ${count(changes)} change${changes === 1 ? "" : "s"}`;
