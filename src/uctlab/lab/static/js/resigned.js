// Who gave up a game, as SGF files say it in the root's property RE: "W+R", or "W+Resign".

import { mainEnd, toList } from "./game_tree.js";

const RESIGNED = /^([BW])\+R/i;

/** 0 or 1, the player who resigned at the end of a file's main line; null if nobody did. */
export function readResigned(tree, players) {
  const winner = tree.root.properties.RE?.[0].match(RESIGNED)?.[1].toUpperCase();
  const loser = winner ? players.findIndex((name) => !name.startsWith(winner)) : -1;
  return loser < 0 ? null : loser;
}

/** The moves as a flat list for a file, with what the main line's end says of a resignation. */
export function listForFile(tree, players) {
  const [[parent, move, { RE, ...properties }], ...others] = toList(tree);
  const { resigned } = mainEnd(tree);
  const result = resigned === null ? RE : [`${players[1 - resigned].charAt(0)}+R`];
  const stale = resigned === null && RESIGNED.test(RE?.[0] ?? ""); // the game went on
  return [[parent, move, stale || !result ? properties : { ...properties, RE: result }], ...others];
}
