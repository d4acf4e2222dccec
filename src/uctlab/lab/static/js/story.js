// Describes in words what is going on while two agents are compared.

import { capital, count, percent, plural } from "./format.js";
import { readAgent } from "./agent_editor.js";
import { treeSize } from "./board_tree.js";
import { judgement, moveName } from "./right_move.js";
import { family } from "./session.js";

const TITLES = { uct: "UCT", auct: "AUCT", duct: "DUCT", dfuct: "depth-first UCT", mc: "flat Monte Carlo", ucb: "flat UCB", tuned: "UCB1-Tuned" }; // prettier-ignore
const RIGHT = "C"; // of the deceptive tree, at A
const TRAP = "B";

/** "UCT" for uct(c=1), or the whole text if both players would have the same name. */
export function shortName(agent, agents) {
  const { name } = readAgent(agent);
  const same = agents.filter((other) => readAgent(other).name === name).length > 1;
  return same ? agent : (TITLES[name] ?? name);
}

const inTree = (info) => family(info.position.game) === "deceptive" && !info.position.moves.length;

/** One sentence each. */
const sentences = (text) => text.split(/(?<=\.)\s+(?=[A-Z])/);

const DRAWING =
  "Below, the same tree is searched by two agents. Thick branches were tried often, the blue " +
  "line is the best play the search knows, and percentages show how often you won there.";
const MOVERS = "You (dark) move first, at A. The opponent (light) moves at B and at C.";

/** What to know before watching: a case's text, and how a tree is to be read; nothing for other games. */
export function introduction(info, exhibit) {
  if (exhibit) {
    const told = sentences(exhibit.text);
    return inTree(info) ? [MOVERS, ...told, DRAWING] : told;
  }
  if (!inTree(info)) return [];
  const { depth } = treeSize(info.position.game);
  const deeper =
    depth > 1
      ? [`In this tree F and H are not the end: the same decision comes ${depth} times in a row.`]
      : [];
  return [
    MOVERS,
    "B is a trap. Most leaves below it are wins, so it looks good to a search that plays at " +
      "random. But the opponent chooses there, and chooses F, which is a loss.",
    "C is right. The opponent can only play G, and there you choose H, which is a win.",
    ...deeper,
    DRAWING,
  ];
}

function belief(name, side, turn) {
  const row = (move) => side.root.find((one) => one.move === move);
  const told = (move) => {
    const found = row(move);
    return found?.visits ? `${move} at ${percent(found.value, 0)}` : `${move} not yet tried`;
  };
  const tried = row(side.choice);
  const share = `its most visited move, ${count(tried?.visits)} of ${count(side.playouts)} playouts`;
  const worth = `It rates ${told(TRAP)} and ${told(RIGHT)}.`;
  if (side.choice === TRAP) {
    const turning = (row(RIGHT)?.visits && row(RIGHT).value > row(TRAP).value) || false;
    const end = turning ? "By now C looks better and is catching up." : "That is the trap.";
    return `${name} plays B, ${share}. ${worth} ${end}`;
  }
  const since = turn?.since > 1 ? ` by playout ${count(turn.since)}` : "";
  return `${name} plays C, ${share}. ${worth} That is right, and it was found${since}.`;
}

/** Whether a search prefers a move: every move has been tried, and not just once each. */
export function decided(side) {
  const visits = side.root.map((row) => row.visits);
  return Math.min(...visits) > 0 && Math.max(...visits) > 1;
}

function treeStory(search, names) {
  const { sides, turns } = search;
  const right = sides.map((side) => side.choice === RIGHT);
  const after = `After ${plural(sides[0].playouts, "playout")}`;
  if (!sides.every(decided)) {
    const tried = sides.every((side) => side.root.every((row) => row.visits));
    return [tried ? `${after} neither move is ahead yet.` : `${after} not every move has been tried yet.`];
  }
  let head = `${after} both have seen through the trap.`;
  if (sides.length === 1) head = `${after} ${names[0]} ${right[0] ? "has seen through the trap" : "is deceived"}.`; // prettier-ignore
  else if (!right[0] && !right[1]) head = `${after} both are deceived.`;
  else if (right[0] !== right[1]) {
    const [seeing, blind] = right[0] ? names : [names[1], names[0]];
    head = `${after} ${seeing} has seen through the trap, ${blind} is still deceived.`;
  }
  return [head, ...sides.map((side, i) => belief(names[i], side, turns[i]))];
}

/** Whether a search has a choice worth telling: each move had its playout. */
export const settled = (side, info) => (inTree(info) ? decided(side) : side.playouts >= side.root.length);

/** Sentences about the search as it stands, the main one first; right: the move that is known to be right. */
export function story(search, info, names, right = null) {
  const { sides, turns } = search;
  if (!sides.length || !sides[0].playouts) return ["No playouts yet."];
  const answer = (choice = "") => (right ? ` ${judgement(info, choice, right)}` : "");
  if (inTree(info)) {
    const [head, ...beliefs] = treeStory(search, names);
    return [head + answer(), ...beliefs];
  }
  const called = (move) => moveName(info, move ?? "nothing yet");
  const choices = sides.map((side) => side.choice);
  const after = `After ${plural(sides[0].playouts, "playout")}`;
  if (!settled(sides[0], info)) return [`${after} not every move has been tried yet.${answer()}`];
  const head =
    choices.length === 2 && choices[0] === choices[1]
      ? `${after} both play ${called(choices[0])}.`
      : `${after} ${names.map((name, i) => `${name} plays ${called(choices[i])}`).join(", ")}.`; // prettier-ignore
  const more = sides.map((side, i) => {
    const row = side.root.find((one) => one.move === side.choice);
    return `${capital(names[i])}: ${called(side.choice)} by playout ${count(turns[i]?.since)}, ${percent(row?.share, 0)} of its visits, worth ${percent(row?.value)}.`; // prettier-ignore
  });
  const agreed = choices.every((choice) => choice === choices[0]) ? choices[0] : "";
  return [head + answer(agreed), ...more];
}
