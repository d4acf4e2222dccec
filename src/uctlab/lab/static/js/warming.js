// Tells what the server compiles in the background, and asks it to prepare the game on the board.

import { fetchJson } from "./connection.js";
import { el } from "./dom.js";

const PAUSE = 2000; // ms between two questions while something is being compiled

/** Show what is compiled, and let the agents of each new game be compiled. */
export function watchWarming(session) {
  const place = document.getElementById("warming");
  let timer = 0;
  let asked = "";

  async function look() {
    clearTimeout(timer);
    let answer = null;
    try {
      answer = await fetchJson("/api/warming");
    } catch {
      // The connection's own bar says so.
    }
    const { now = null, left = 0 } = answer ?? {};
    place.hidden = !now;
    if (!now) return;
    const more = left ? `, ${left} more to come` : "";
    place.replaceChildren(
      el("i", { class: "spinner", "aria-hidden": "true" }),
      `Preparing ${now.agent} for ${now.game}, once and for all: ${Math.round(now.seconds)} s so far${more}. You can play meanwhile.`,
    );
    timer = setTimeout(look, PAUSE);
  }

  function prepare() {
    if (!session.info || session.info.over) return;
    const wanted = { game: session.position.game, agents: session.agents.slice(0, session.you === "none" ? 2 : 1) };
    if (JSON.stringify(wanted) === asked) return;
    asked = JSON.stringify(wanted);
    session.connection.request({ type: "warm", ...wanted }).then(look, () => {});
  }

  session.addEventListener("position", prepare);
  session.addEventListener("settings", prepare);
  prepare();
  look();
}
