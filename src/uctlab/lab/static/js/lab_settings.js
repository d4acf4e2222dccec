// The settings of the lab: game, players, agent, budget; folded on a small screen.

import { AgentEditor } from "./agent_editor.js";
import { budgetFields } from "./budget.js";
import { el, field, select } from "./dom.js";
import { count } from "./format.js";
import { GameChooser } from "./game_chooser.js";
import { family } from "./session.js";

const SIDES = [
  ["first", "First"],
  ["second", "Second"],
  ["both", "Both sides"],
  ["none", "Neither: watch"],
];

export class LabSettings {
  /** ongame(spec, start) when another game is chosen, onyou() when the person changes sides. */
  constructor(session, { ongame, onyou }) {
    this.session = session;
    this.games = new GameChooser(session.catalog, ongame);
    this.you = select(SIDES, session.you, (you) => {
      session.set({ you });
      onyou();
    });
    this.agent = new AgentEditor(session.catalog, "Agent", (text) => {
      session.set({ agents: [text, session.agents[1]] });
    });
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
        this.agent.element,
        this.budget.element,
      ),
    );
    // On a small screen the board comes first; on a wide one the settings are open.
    const wide = matchMedia("(min-width: 901px)");
    this.element.open = wide.matches;
    wide.addEventListener("change", () => (this.element.open = wide.matches));
  }

  /** What the catalog says about the game on the board. */
  get game() {
    return this.games.entry(family(this.session.position.game));
  }

  show() {
    const { agents, budget, position, info, you } = this.session;
    this.games.show(position);
    this.agent.show(agents[0], position.game);
    this.budget.show();
    (info?.players ?? []).forEach((name, i) => (this.you.options[i].textContent = name));
    this.you.value = you;
    const title = this.game?.title ?? position.game;
    const size = `${count(budget.amount)} ${budget.kind}`;
    this.summary.textContent = `${title}, ${agents[0]}, ${size}: change`;
  }
}
