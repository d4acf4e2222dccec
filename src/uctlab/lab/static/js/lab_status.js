// Says in words whose move it is, who passed, and how a game has ended.

import { capital } from "./format.js";
import { endOf } from "./game_tree.js";

/** The line above the board. */
export function statusText(session, settingUp) {
  const { info, node, you } = session;
  if (settingUp) return "Set up a position";
  if (node.resigned !== null) {
    return `${info.players[node.resigned]} has resigned. ${info.players[1 - node.resigned]} has won.`;
  }
  const passed = passText(info);
  if (info.over) {
    const by = info.lead ? ` by ${Math.abs(info.lead)}` : "";
    return [passed, info.text + by].filter(Boolean).join(". ") + ".";
  }
  const end = endOf(node).depth;
  let text = info.text;
  if (!session.yours) text += ": the agent is thinking";
  else if (session.resting && end > node.depth) text += node.parent ? `: move ${node.depth} of ${end}` : ": start";
  else if (session.resting && you === "none") text += ": paused";
  else if (you === ["first", "second"][info.turn]) text += ": your turn";
  if (session.yours && info.legal.join() === "pass") text += ". No move is possible but to pass";
  return passed ? `${passed}. ${text}` : text;
}

/** "White passed", or nothing. */
export function passText(info) {
  return info.last === "pass" ? `${info.players[1 - info.turn]} passed` : "";
}

/** The points, where they mean something: always in Othello, in Go at the end. */
export function countText(info, verdict) {
  if (!info.count || (!info.over && info.referee)) return "";
  if (!info.over || verdict === undefined) return `${capital(info.count)}.`;
  if (verdict === null) return `${info.count}, as the stones stand. Looking for dead stones.`;
  if (!verdict.dead.length) return `${info.count}. No stones are dead.`;
  return `${info.count}, as the stones stand. Without the stones that are crossed out: ${verdict.count}, ${verdict.text}.`;
}
