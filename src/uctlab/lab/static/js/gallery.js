// The first page: cases from the papers, each opened as a duel, and games to play.

import { button, el } from "./dom.js";

const GAMES = [
  ["othello", "Othello"],
  ["hex:7", "Hex"],
  ["havannah:5", "Havannah"],
  ["go:9", "Go"],
];

/** One sentence per paragraph: what the position is, what to watch, what it means. */
const sentences = (text) => text.split(/(?<=\.)\s+(?=[A-Z])/);

export class GalleryView {
  /** onduel(exhibit) and onplay(game) leave this page. */
  constructor(element, session, { onduel, onplay }) {
    this.element = element;
    this.onduel = onduel;
    this.onplay = onplay;
    const own = session.catalog.games
      .filter(({ board }) => board === "text")
      .map(({ name, title }) => [name, title]);
    const cards = session.catalog.gallery.map((exhibit) => this.card(exhibit));
    element.replaceChildren(
      el("h1", { text: "Watch a search think, and watch it being deceived" }),
      el("p", {
        class: "lead",
        text:
          "Monte-Carlo tree search plays thousands of random games and trusts the moves that do " +
          "well in them. Each case below shows two such players side by side in one position, and " +
          "one of them is wrong for a while.",
      }),
      el("div", { class: "gallery" }, ...cards),
      el("h2", { text: "Or play yourself" }),
      el(
        "div",
        { class: "buttons" },
        ...[...own, ...GAMES].map(([game, title]) => button(`Play ${title}`, () => onplay(game))),
      ),
    );
  }

  card(exhibit) {
    return el(
      "article",
      { class: "card exhibit", "data-exhibit": exhibit.id },
      el("img", {
        class: "thumbnail",
        src: `/api/thumbnails/${encodeURIComponent(exhibit.id)}.svg`,
        alt: "", // the words say what it shows
      }),
      el(
        "div",
        { class: "words" },
        el("h2", { text: exhibit.title }),
        el("p", { class: "source", text: exhibit.source ?? "" }),
        ...sentences(exhibit.text).map((text) => el("p", { text })),
        button("Watch the duel", () => this.onduel(exhibit), {
          class: "primary",
          "aria-label": `Watch the duel: ${exhibit.title}`,
        }),
      ),
    );
  }

  async enter() {}

  leave() {}

  key() {
    return false;
  }
}
