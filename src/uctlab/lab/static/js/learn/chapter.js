// One chapter: a few sentences at a time beside a figure with a live search, and an experiment.

import { complain, say } from "../announcer.js";
import { button, el } from "../dom.js";
import { explained } from "../glossary.js";
import { count } from "../format.js";
import { writeHash } from "../url.js";
import { keepFocus } from "./figures.js";
import { formula } from "./formula.js";

const CHAPTERS = 6;

/**
 * A chapter is made by a plain object:
 *
 * title, about   its name, and one sentence for the list
 * make(chapter)  what it shows: {
 *   figures      elements
 *   steps        [{title, text(): sentences, formulas: names, extra: element, buttons: [[text, action]],
 *                  ready(): whether the buttons may be pressed}]
 *   experiment   {text, link: text, run: what runExperiment in main.js takes}
 *   open()       called at the start, to open the search
 *   draw()       called whenever the search has changed
 *   leave()      optional
 * }
 */
export class Chapter {
  constructor(kind, number, { session, search, onrun, next }) {
    this.title = kind.title;
    this.session = session;
    this.search = search;
    this.at = 0;
    this.busy = false;
    this.seen = new Set(); // words that were explained
    this.body = kind.make(this);
    this.words = el("div", { class: "words" });
    this.back = button("Back", () => this.go(this.at - 1));
    this.forth = button("Next", () => this.go(this.at + 1), { class: "primary" });
    this.where = el("span", { class: "quiet" });
    this.status = el("p", { class: "state" });
    this.card = el(
      "div",
      { class: "card step-card" },
      this.words,
      this.status,
      el("div", { class: "buttons turn-page" }, this.back, this.forth, this.where),
    );
    this.elements = [
      el(
        "header",
        { class: "chapter-head" },
        el("p", { class: "quiet", text: `Chapter ${number} of ${CHAPTERS}` }),
        el("h1", { tabindex: -1, text: this.title }),
      ),
      el(
        "div",
        { class: "columns lesson" },
        this.card,
        el("div", { class: "side figures" }, ...this.body.figures),
      ),
      this.experiment(this.body.experiment, onrun),
      el(
        "nav",
        { class: "chapter-nav", "aria-label": "Chapters" },
        number > 1 ? el("a", { href: `#learn/${number - 1}`, text: `← Chapter ${number - 1}` }) : null,
        el("a", { href: "#learn", text: "All chapters" }),
        next ? el("a", { href: `#learn/${number + 1}`, text: `Chapter ${number + 1}: ${next} →` }) : null,
      ),
    ];
    this.redraw = () => this.draw();
    search.addEventListener("change", this.redraw);
  }

  /** The link opens the experiment; a plain click also starts its search. */
  experiment({ text, link, run }, onrun) {
    const { view, position, agents, budget, seed = 0 } = run;
    const href = writeHash(view, { position, agents, budget, you: "both", seed });
    const open = el("a", { class: "button primary", href, text: link });
    open.addEventListener("click", (event) => {
      if (event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      onrun({ view, position, agents, budget, seed });
    });
    return el(
      "section",
      { class: "card try-it", "aria-labelledby": "try-it" },
      el("h2", { id: "try-it", text: "Try it" }),
      el("p", {}, ...explained(text, this.seen)),
      open,
    );
  }

  get step() {
    return this.body.steps[this.at];
  }

  enter() {
    this.show();
    this.do(() => this.body.open());
  }

  leave() {
    this.search.removeEventListener("change", this.redraw);
    this.search.close();
    this.body.leave?.();
  }

  /** Do something with the search, one thing at a time. */
  async do(action) {
    if (this.busy) return;
    const giveBack = keepFocus();
    this.busy = true;
    this.draw();
    try {
      await action();
    } catch (error) {
      complain(error);
    } finally {
      this.busy = false;
      this.draw();
      giveBack();
    }
  }

  /** What a button does; screen readers hear what came of it. */
  async press(action) {
    await this.do(action);
    say(this.step.text().join(" "));
  }

  go(step) {
    if (step < 0 || step >= this.body.steps.length) return;
    this.at = step;
    this.show();
    this.words.querySelector("h2").focus({ preventScroll: true });
    const top = this.words.getBoundingClientRect().top;
    if (top < 0 || top > innerHeight / 2) this.words.scrollIntoView({ block: "start" });
  }

  /** Build the current step. */
  show() {
    const { title, formulas = [], extra = null, buttons = [] } = this.step;
    this.text = el("div", { class: "sentences" });
    this.told = null;
    this.buttons = buttons.map(([text, action, options]) =>
      button(text, () => this.press(action), options ?? {}),
    );
    this.words.replaceChildren(
      el("h2", { tabindex: -1, text: title }),
      this.text,
      ...(formulas.length ? [formula(...formulas)] : []),
      ...(extra ? [extra] : []),
      el("div", { class: "buttons" }, ...this.buttons),
    );
    this.back.disabled = this.at === 0;
    this.forth.disabled = this.at === this.body.steps.length - 1;
    this.where.textContent = `${this.at + 1} of ${this.body.steps.length}`;
    this.draw();
  }

  draw() {
    if (!this.text) return;
    const told = this.step.text();
    if (told.join() !== this.told) {
      this.told = told.join();
      const seen = new Set();
      this.text.replaceChildren(...told.map((text) => el("p", {}, ...explained(text, seen))));
    }
    const ready = this.step.ready?.() ?? true;
    for (const node of this.buttons) node.disabled = this.busy || !ready;
    this.status.textContent = stateOf(this.search);
    this.card.dataset.busy = this.busy ? "yes" : "no"; // for tests
    this.body.draw();
  }

  key(_event) {
    return false;
  }
}

/** What the search is doing, in words; nothing while it waits for a person. */
export function stateOf(search) {
  const { state, place, made, busy } = search;
  if (!busy) return "";
  if (state === "queued") return place ? `Waiting for a free process, place ${place} in the queue…` : "";
  if (state === "compiling" && !search.setup?.guided) return "Compiling this agent, which happens once…";
  return state === "running" ? `Searching: ${count(made)} playouts…` : "";
}

/** "1 game", "20 games" */
export const many = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
