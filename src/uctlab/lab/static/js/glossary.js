// What the words of the field mean, one sentence each, and a function that marks them in a text.

import { el } from "./dom.js";
import { explain } from "./tooltip.js";

/**
 * [words that are marked, the name in the list, what it means]
 * @type {[string[], string, string][]}
 */
export const TERMS = [
  [["playouts", "playout"], "Playout", "One pass of the search: down the tree, a random game from there to the end, and the result back to the root."],
  [["random games", "random game"], "Random game", "A game in which both sides choose among their legal moves by chance; all moves are equally likely."],
  [["Accelerated UCT", "AUCT"], "Accelerated UCT", "UCT that judges a position by the answers chosen lately, so that it forgets old mistakes (Hashimoto and others, 2012)."],
  [["Discounted UCT", "DUCT"], "Discounted UCT", "UCT in which every result loses weight as new ones come in."],
  [["UCT"], "UCT", "Upper Confidence bounds applied to Trees: the formula UCB1 chooses the move in every position of the tree."],
  [["UCB1"], "UCB1", "A rule for choosing between options: the mean result so far, plus a bonus that is larger the less often the option was tried."],
  [["bandit", "bandits"], "Bandit", "A choice between machines with unknown chances: each coin can be used to learn or to win."],
  [["exploration"], "Exploration", "Trying what was tried seldom, because its mean may be wrong."],
  [["exploitation"], "Exploitation", "Choosing what has done best so far."],
  [["flat Monte Carlo"], "Flat Monte Carlo", "Random games spread evenly over the moves of one position, without a tree."],
  [["visits"], "Visits", "How many playouts went through a move or a position."],
  [["value", "values"], "Value", "The mean result of a move's playouts for the player who makes it: 1 is a win, 0 a loss."],
  [["RAVE"], "RAVE", "Rapid Action Value Estimation: a move is also judged by games in which the same player made it later on."],
  [["velocity", "velocities"], "Velocity", "How often a move was chosen lately: it grows by 1 when the move is chosen, and shrinks by the decay at every visit."],
  [["decay"], "Decay", "The factor below 1 by which old visits shrink at each new one; close to 1 means a long memory."],
  [["prior", "priors"], "Prior", "What a game's own knowledge says of a move before any playout, counted as if some playouts had been made."],
  [["bridge", "bridges"], "Bridge", "In Hex, two cells of one colour with two empty cells between them: if the opponent takes one, you take the other."],
  [["selection"], "Selection", "The way down the tree: in each position the move with the highest score is taken."],
  [["expansion"], "Expansion", "Adding the moves of a position to the tree when it is reached again."],
  [["simulation"], "Simulation", "The random game from the leaf of the tree to the end."],
  [["backpropagation"], "Backpropagation", "Carrying the result back to the root: every move on the way gets one visit more and a new value."],
  [["principal variation", "line of play"], "Line of play", "The most visited move, its most visited answer, and so on: the play that the search believes in."],
  [["root"], "Root", "The position that is searched, at the top of the tree."],
  [["leaf"], "Leaf", "A node at the bottom of a tree; in a search, where the random game begins."],
  [["seed"], "Seed", "The number from which all random numbers follow: the same seed gives the same search."],
]; // prettier-ignore

/** @type {Map<string, string>} */
const BY_WORD = new Map();
for (const [words, , text] of TERMS) for (const word of words) BY_WORD.set(word.toLowerCase(), text);
const LONGEST_FIRST = [...BY_WORD.keys()].sort((a, b) => b.length - a.length);
const WORDS = new RegExp(`\\b(${LONGEST_FIRST.join("|")})\\b`, "gi");

/** A word with its explanation on hover and focus. */
export function term(word) {
  const text = BY_WORD.get(word.toLowerCase());
  return text ? explain(el("dfn", { class: "term", tabindex: 0, text: word }), text) : word;
}

/**
 * A text as nodes, with the words of the glossary marked; `seen` collects the explanations that
 * were given already, so that each is marked once.
 * @returns {(string | Node)[]}
 */
export function explained(text, seen = new Set()) {
  const parts = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const meaning = BY_WORD.get(word.toLowerCase());
    if (seen.has(meaning)) continue;
    seen.add(meaning);
    parts.push(text.slice(end, index), term(word));
    end = index + word.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}
