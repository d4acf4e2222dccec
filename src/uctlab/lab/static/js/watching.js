// Agents that play each other, or a game that was looked back at: pause, pace, go on.

import { button, el, select } from "./dom.js";

const PAUSES = [
  ["0", "Moves follow at once"],
  ["1000", "One second between moves"],
  ["3000", "Three seconds between moves"],
];

export class Watching {
  constructor(session, { onpause, ongo }) {
    this.session = session;
    this.between = 1000; // ms between two moves of agents
    this.pause = button("Pause the game", onpause, { class: "primary" });
    this.go = button("Go on from here", ongo);
    this.pace = select(PAUSES, String(this.between), (value) => (this.between = Number(value)), {
      "aria-label": "Pace of the game",
    });
    this.element = el("div", { class: "buttons watching" }, this.pause, this.go, this.pace);
  }

  /** ms before the agent begins to think. */
  get wait() {
    return this.session.you === "none" && this.session.node.parent ? this.between : 0;
  }

  show() {
    const { you, resting, over, info } = this.session;
    const watching = you === "none";
    const agents = watching || (you !== "both" && you !== ["first", "second"][info.turn]);
    this.pause.hidden = !watching || resting || over;
    this.go.hidden = !resting || over || !agents;
    this.go.textContent = watching ? "Let the agents play on" : "Let the agent move";
    this.pace.hidden = !watching;
    this.element.hidden = this.pause.hidden && this.go.hidden && this.pace.hidden;
  }
}
