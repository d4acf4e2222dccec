// Velocities of the moves of a position before and after a playout, as bars that shrink and grow.

import { el } from "../dom.js";
import { decimal } from "../format.js";
import { still } from "./figures.js";

/** moves: [{move, before, after}] of a level; lambda: the decay. */
export function velocityBars({ moves, chosen }, lambda) {
  const most = Math.max(1, ...moves.flatMap(({ before, after }) => [before?.velocity ?? 0, after.velocity]));
  const rows = moves
    .filter(({ after }) => after.visits)
    .map(({ move, before, after }) => {
      const old = before?.velocity ?? 0;
      const bar = el("i", { class: "velocity-bar" });
      const share = (velocity) => bar.style.setProperty("--share", String(velocity / most));
      share(still() ? after.velocity : old);
      if (!still()) setTimeout(() => share(after.velocity), 60);
      const added = move === chosen ? " + 1" : "";
      return el(
        "tr",
        { class: move === chosen ? "chosen" : null },
        el("th", { class: "name", scope: "row", text: move }),
        el("td", { class: "bar-cell" }, bar),
        el("td", { text: `${decimal(lambda)} × ${decimal(old)}${added} = ${decimal(after.velocity)}` }),
      );
    });
  return el(
    "table",
    { class: "velocities" },
    el("caption", { class: "quiet", text: "Velocities: all shrink by the decay, the chosen move gets 1 more" }),
    el("tbody", {}, ...rows),
  );
}
