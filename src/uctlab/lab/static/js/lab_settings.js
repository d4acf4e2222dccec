// The settings of the lab: game, players, agent, budget; folded on a small screen.

import { AgentEditor } from "./agent_editor.js";
import { budgetFields } from "./budget.js";
import { el, field, select } from "./dom.js";
import { count } from "./format.js";
import { GameChooser } from "./game_chooser.js";
import { family } from "./session.js";
import { whenWide } from "./wide.js";

const SIDES = [
  ["first", "First"],
  ["second", "Second"],
  ["both", "Both sides"],
  ["none", "Neither: two agents"],
];

export class LabSettings {
  /** ongame(spec, start) when another game is chosen, onyou() when the person changes sides, onagent() when an agent is another one. */
  constructor(session, { ongame, onyou, onagent }) {
    this.session = session;
    this.games = new GameChooser(session.catalog, ongame);
    this.you = select(SIDES, session.you, (you) => {
      session.set({ you });
      onyou();
    });
    const change = (i) => (/** @type {string} */ text) => {
      session.set({ agents: session.agents.map((old, k) => (k === i ? text : old)) });
      onagent();
    };
    this.agents = [0, 1].map((i) => new AgentEditor(session.catalog, "Agent", change(i)));
    this.budget = budgetFields(session);
    this.summary = el("summary");
    this.element = el(
      "details",
      { class: "card settings-fold lab-settings" },
      this.summary,
      el(
        "div",
        { class: "settings" },
        this.games.element,
        field("You play", this.you),
        ...this.agents.map((agent) => agent.element),
        this.budget.element,
      ),
    );
    whenWide((wide) => (this.element.open = wide));
  }

  /** What the catalog says about the game on the board. */
  get game() {
    return this.games.entry(family(this.session.position.game));
  }

  show() {
    const { agents, budget, position, info, you } = this.session;
    this.games.show(position);
    const both = you === "none";
    this.agents.forEach((agent, i) => {
      agent.show(agents[i], position.game);
      agent.label(both ? `${info?.players[i] ?? ["First", "Second"][i]}'s agent` : "Agent");
    });
    this.agents[1].element.hidden = !both;
    this.budget.show();
    (info?.players ?? []).forEach((name, i) => (this.you.options[i].textContent = name));
    this.you.value = you;
    const title = this.game?.title ?? position.game;
    const size = `${count(budget.amount)} ${budget.kind}`;
    this.summary.textContent = `${title}, ${both ? agents.join(" against ") : agents[0]}, ${size}: change`;
  }
}
