// The duel view: two agents search one position in lockstep, side by side.

import { say } from "./announcer.js";
import { AgentEditor } from "./agent_editor.js";
import { BoardHolder } from "./boards.js";
import { budgetFields } from "./budget.js";
import { Chart, ColorBook } from "./chart.js";
import { Facts, Transport } from "./controls.js";
import { el, segmented } from "./dom.js";
import { count } from "./format.js";
import { GameChooser } from "./game_chooser.js";
import { MEASURES, heatOf } from "./heat.js";
import { RootTable } from "./root_table.js";
import { introduction, shortName, story } from "./story.js";
import { TreeFacts } from "./tree_facts.js";

const MAX_GHOSTS = 6;
const ROWS = 6; // of the small tables

/** One of the two players: its board, its numbers, its charts. */
class Side {
  constructor(duel, i) {
    this.i = i;
    this.colors = new ColorBook();
    this.name = el("h2");
    this.agent = el("code", { class: "agent-text" });
    this.choice = el("p", { class: "choice-text" });
    const place = el("div", { class: "board-place" });
    this.holder = new BoardHolder(place, duel.session, { onplay: (cell) => duel.play(cell), onaim: say });
    this.facts = new Facts(["playouts", "per second", "nodes", "depth"]);
    this.table = new RootTable({ columns: ["visits", "value", "velocity", "rave", "score"], most: ROWS });
    this.chart = new Chart("Share of visits by playouts", "share");
    this.values = new Chart("Value by playouts", "value");
    this.element = el(
      "section",
      { class: "card duel-side", "aria-label": `Player ${i + 1}` },
      el("header", {}, this.name, this.agent),
      this.choice,
      place,
      this.facts.element,
      this.chart.element,
      this.values.element,
      this.table.element,
    );
  }
}

export class DuelView {
  constructor(element, session, search) {
    this.element = element;
    this.session = session;
    this.search = search;
    this.measure = "visits";
    this.treeFacts = new TreeFacts(search, () => this.drawBoards());
    this.sides = [new Side(this, 0), new Side(this, 1)];
    this.build();
    session.addEventListener("position", () => this.positionChanged());
    session.addEventListener("settings", () => this.showSettings());
    search.addEventListener("change", () => this.searchChanged());
    search.addEventListener("done", () => {
      if (this.mine && this.visible) say(this.headline.textContent);
    });
  }

  build() {
    const { session, search } = this;
    this.games = new GameChooser(session.catalog, (game, start) =>
      session.go({ game, start, moves: [] }),
    );
    this.editors = [0, 1].map(
      (i) =>
        new AgentEditor(session.catalog, i ? "Right" : "Left", (text) => {
          const agents = [...session.agents];
          agents[i] = text;
          search.drop();
          session.set({ agents });
        }),
    );
    this.budget = budgetFields(session);
    this.transport = new Transport(search, session, "duel", {
      startText: "Start the duel",
      onstart: (paused) => this.start(paused),
    });
    this.title = el("h1", { text: "Duel" });
    this.text = el("p", { class: "lead" });
    this.intro = el("ul", { class: "intro" });
    this.headline = el("p", { class: "headline" });
    this.details = el("ul", { class: "story" });
    this.heat = segmented("Heat map", MEASURES, this.measure, (measure) => {
      this.measure = measure;
      this.drawBoards();
    });
    this.element.replaceChildren(
      this.title,
      this.text,
      this.intro,
      el(
        "div",
        { class: "card duel-bar" },
        this.transport.element,
        el("div", { class: "caption-box" }, this.headline, this.details),
      ),
      el("div", { class: "heat-tools" }, this.heat),
      el("div", { class: "columns even" }, ...this.sides.map((side) => side.element)),
      el(
        "details",
        { class: "card more settings-fold" },
        el("summary", { text: "Change the game, the agents or the budget" }),
        el(
          "div",
          { class: "settings" },
          this.games.element,
          this.editors[0].element,
          this.editors[1].element,
          this.budget.element,
        ),
      ),
    );
  }

  get mine() {
    return this.search.owner === "duel" && this.search.position === this.session.position;
  }

  /** The gallery's exhibit that is on the page, if it is one. */
  get exhibit() {
    const { position, agents, catalog } = this.session;
    const told = ({ game, start }) => JSON.stringify([game, start]);
    return catalog.gallery.find(
      (one) => told(one.position) === told(position) && one.agents.join() === agents.join(),
    );
  }

  start(paused = false) {
    const { session } = this;
    if (session.info.over) return;
    this.treeFacts.clear();
    this.search.start({
      owner: "duel",
      position: session.position,
      agents: session.agents.slice(0, 2),
      budget: session.budget,
      pace: session.pace,
      seed: session.seed,
      paused,
    });
  }

  play(move) {
    const { info } = this.session;
    if (info.over || !info.legal.includes(move)) return;
    this.search.drop();
    this.session.play(move);
  }

  enter() {
    this.visible = true;
    this.showSettings();
    this.positionChanged();
  }

  leave() {
    this.visible = false;
    if (this.search.owner === "duel") this.search.drop();
  }

  positionChanged() {
    if (!this.visible || !this.session.info) return;
    const { info } = this.session;
    this.treeFacts.clear();
    for (const side of this.sides) side.colors = new ColorBook();
    this.games.show(info.position);
    this.element.classList.toggle("no-heat", this.session.board() === "tree");
    this.showSettings();
    this.searchChanged();
  }

  showSettings() {
    if (!this.visible || !this.session.info) return;
    const { agents, info } = this.session;
    const exhibit = this.exhibit;
    this.title.textContent = exhibit?.title ?? "Duel";
    this.text.textContent =
      exhibit?.text ?? "Two agents search the same position in lockstep.";
    this.intro.replaceChildren(...introduction(info).map((text) => el("li", { text })));
    this.text.hidden = this.intro.children.length > 0;
    this.editors.forEach((editor, i) => editor.show(agents[i], info.position.game));
    this.names = agents.map((agent, i) => exhibit?.names?.[i] ?? shortName(agent, agents));
    this.sides.forEach((side, i) => {
      side.name.textContent = this.names[i];
      side.agent.textContent = agents[i];
    });
    this.budget.show();
    this.transport.show();
  }

  searchChanged() {
    if (!this.visible || !this.session.info) return;
    const { info } = this.session;
    this.transport.show();
    this.transport.enable(!info.over);
    const known = this.mine ? this.search : { sides: [], turns: [], agents: [] };
    const [head, ...details] = story(known, info, this.names);
    this.headline.textContent = head;
    this.details.replaceChildren(...details.map((text) => el("li", { text })));
    this.sides.forEach((side, i) => this.showSide(side, known.sides[i] ?? null));
    this.drawBoards();
    if (known.sides.length && this.session.board() === "tree") this.treeFacts.update(info);
  }

  showSide(side, snapshot) {
    const { letters } = this.session.info;
    side.facts.show(snapshot);
    const lines = snapshot ? side.colors.choose(snapshot.root) : [];
    const history = this.mine ? this.search.histories[side.i] : [];
    side.chart.draw(history, lines);
    side.values.draw(history, lines);
    side.table.show(snapshot, letters, new Map(lines));
    const choice = snapshot?.playouts ? snapshot.choice : null;
    const letter = letters?.[choice];
    side.choice.replaceChildren(
      choice ? "would play " : "no playouts yet",
      choice ? el("b", { text: letter ? `${letter} (${choice})` : choice }) : "",
      choice ? ` after ${count(snapshot.playouts)} playouts` : "",
    );
    side.element.dataset.choice = choice ?? "";
  }

  drawBoards() {
    const { info } = this.session;
    if (!this.visible || !info) return;
    const tree = this.session.board() === "tree";
    this.sides.forEach((side, i) => {
      const snapshot = this.mine ? this.search.sides[i] : null;
      side.holder.show({
        info,
        heat: snapshot ? heatOf(snapshot.root, this.measure) : new Map(),
        line: snapshot ? snapshot.pv.slice(0, tree ? undefined : MAX_GHOSTS) : [],
        choice: snapshot?.choice ?? null,
        known: this.treeFacts.known[i],
      });
    });
  }

  key(event) {
    if (event.key === " ") this.transport.toggle();
    else if ((event.key === "u" || event.key === "U") && this.session.position.moves.length) {
      this.search.drop();
      this.session.undo(1);
    } else return false;
    return true;
  }
}
