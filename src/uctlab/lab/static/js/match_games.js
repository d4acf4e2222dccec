// The games of one match of a store, each of which opens in the lab.

import { fetchJson } from "./connection.js";
import { button, el } from "./dom.js";
import { plural } from "./format.js";

const SCORES = { 1: "A won", 0.5: "draw", 0: "B won" };

/** How many of the games each side has lost by forfeit, and the score of the others; empty if there are none. */
export function forfeitText(games) {
  const lost = games.filter((one) => one.ending.startsWith("forfeit"));
  if (!lost.length) return "";
  const others = games.filter((one) => !lost.includes(one));
  const points = others.reduce((sum, one) => sum + one.score, 0);
  const score = others.length ? ` A scores ${((100 * points) / others.length).toFixed(1)} % of the other ${others.length}.` : "";
  const by = (score) => lost.filter((one) => one.score === score).length;
  return `Lost by forfeit: ${by(0)} by A, ${by(1)} by B.${score}`;
}

export class MatchGames {
  /** ongame(position, properties) when a game is opened. */
  constructor(ongame) {
    this.ongame = ongame;
    this.element = el("div", { class: "match-games card" });
  }

  async show(id) {
    this.element.replaceChildren(el("p", { class: "quiet", text: "Reading the games…" }));
    let match;
    try {
      match = await fetchJson(`/api/games?match=${encodeURIComponent(id)}`);
    } catch {
      this.element.replaceChildren(el("p", { text: `There is no match ${id} here.` }));
      return;
    }
    const { game, players, games, shown } = match;
    const forfeits = forfeitText(games);
    const note = shown
      ? "Click a game to step through it in the Lab."
      : "This game is a file of the user's own; open the lab with it to see its games: uctlab lab FILE.py";
    this.element.replaceChildren(
      el("h2", { text: `${game}: ${plural(match.total, "game")}` }),
      el("p", {}, "A is ", el("code", { text: players[0] }), ", B is ", el("code", { text: players[1] }), "."),
      forfeits ? el("p", { text: forfeits }) : null,
      el("p", { class: "help", text: match.total > games.length ? `${note} The latest ${games.length} are shown.` : note }),
      el("ol", { class: "games" }, ...games.map((one) => el("li", {}, this.item(match, one)))),
    );
  }

  item(match, one) {
    const first = one.a_first ? 0 : 1;
    const text = `Game ${one.number + 1}: ${SCORES[one.score] ?? one.score}, ${plural(one.moves.length, "move")}${one.ending === "played" ? "" : `, ${one.ending}`}`;
    if (!match.shown) return text;
    const [a, b] = [match.players[first], match.players[1 - first]];
    const names = match.colours[0] === "B" ? { PB: [a], PW: [b] } : { PW: [a], PB: [b] };
    const open = () => this.ongame({ game: match.game, start: null, moves: one.moves }, names);
    return button(text, open, { class: "link" });
  }
}
