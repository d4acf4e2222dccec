// The first page: games to play, and cases from the papers, each opened as a comparison.

import { button, el } from "./dom.js";
import { explained } from "./glossary.js";
import { family } from "./session.js";

const GAMES = [
  ["othello", "Othello"],
  ["hex:7", "Hex"],
  ["havannah:5", "Havannah"],
  ["go:9", "Go"],
  ["kalah:6", "Kalah"],
];

export class GalleryView {
  /** oncase(exhibit), onplay(game) and onbegin(the catalog's game to play) leave this page. */
  constructor(element, catalog, { oncase, onplay, onbegin }) {
    this.element = element;
    this.oncase = oncase;
    const own = catalog.games
      .filter(({ board, name }) => board === "text" && !GAMES.some(([game]) => family(game) === name))
      .map(({ name, title }) => [name, title]);
    const cards = catalog.gallery.map((exhibit) => this.card(exhibit));
    element.replaceChildren(
      el("h1", { text: "Watch a search think, and watch it being deceived" }),
      el(
        "section",
        { class: "card begin", "aria-label": "Play" },
        button("Play", () => onbegin(catalog.play), { class: "primary", "aria-describedby": "play-text" }),
        el("p", { id: "play-text" }, ...explained(catalog.play.text)),
        el(
          "div",
          { class: "buttons" },
          ...[...own, ...GAMES].map(([game, title]) => button(`Play ${title}`, () => onplay(game))),
        ),
      ),
      el("p", {
        class: "lead",
        text:
          "Monte-Carlo tree search plays thousands of random games and trusts the moves that do " +
          "well in them. Each case below shows two such players side by side in one position, and " +
          "at least one of them is wrong for a while.",
      }),
      el("p", {}, el("a", { href: "#learn", text: "New to this? Six short chapters explain how it works." })),
      el("div", { class: "gallery" }, ...cards),
    );
  }

  card(exhibit) {
    const picture = `/api/thumbnails/${encodeURIComponent(exhibit.id)}.svg`;
    const tall = (image) => image.naturalHeight > 1.3 * image.naturalWidth;
    return el(
      "article",
      { class: "card exhibit", "data-exhibit": exhibit.id },
      el(
        "picture",
        {},
        el("source", { srcset: `${picture}?night`, media: "(prefers-color-scheme: dark)" }),
        el("img", {
          class: "thumbnail",
          src: picture,
          alt: "", // the words say what it shows
          onload: ({ target }) => target.classList.toggle("tall", tall(target)),
        }),
      ),
      el(
        "div",
        { class: "words" },
        el("h2", { text: exhibit.title }),
        el("p", {}, ...explained(exhibit.card)),
        button("Watch", () => this.oncase(exhibit), {
          class: "primary",
          "aria-label": `Watch: ${exhibit.title}`,
        }),
      ),
    );
  }

  enter() {}

  address() {
    return "#gallery";
  }

  leave() {}

  key() {
    return false;
  }
}
