// The pages of the course, loaded when the first of them is opened.

import { el } from "../dom.js";
import { TERMS } from "../glossary.js";
import { Chapter } from "./chapter.js";
import { bandits } from "./chapter_bandits.js";
import { deception } from "./chapter_deception.js";
import { forgetting } from "./chapter_forgetting.js";
import { randomGames } from "./chapter_games.js";
import { knowledge } from "./chapter_knowledge.js";
import { theTree } from "./chapter_tree.js";
import { loadFormulas } from "./formula.js";
import { GuidedSearch } from "./guided_search.js";
import { PlayoutPage } from "./playout_page.js";

const CHAPTERS = [randomGames, bandits, theTree, deception, forgetting, knowledge];

/** page: 1 to 6, playout, or nothing for the list. */
export async function makePage(page, session, onrun) {
  await loadFormulas();
  const context = { session, onrun, search: new GuidedSearch(session.connection) };
  if (page === "playout") return new PlayoutPage(context);
  if (!page) return new Contents();
  const number = Number(page);
  return new Chapter(CHAPTERS[number - 1], number, { ...context, next: CHAPTERS[number]?.title });
}

/** The list of all pages, and the glossary. */
class Contents {
  constructor() {
    this.title = "";
    const rows = CHAPTERS.map(({ title, about }, i) => item(`#learn/${i + 1}`, title, about));
    rows.splice(
      3,
      0,
      item(
        "#learn/playout",
        "One playout, step by step",
        "Selection, expansion, simulation, backpropagation: every number of a single playout, before and after.",
        "extra",
      ),
    );
    this.elements = [
      el("h1", { tabindex: -1, text: "How a search thinks, in six short chapters" }),
      el("p", {
        class: "lead",
        text: "Each takes a few minutes and has a live search in it. Every number is that of the search in front of you.",
      }),
      el("ol", { class: "contents" }, ...rows),
      el("h2", { text: "Words" }),
      el(
        "dl",
        { class: "card glossary" },
        ...TERMS.flatMap(([, name, text]) => [el("dt", { text: name }), el("dd", { text })]),
      ),
    ];
  }

  enter() {}

  leave() {}

  key(_event) {
    return false;
  }
}

const item = (href, title, about, kind = "chapter") =>
  el(
    "li",
    { class: `card ${kind}` },
    el("h2", {}, el("a", { href, text: title })),
    el("p", { text: about }),
  );
