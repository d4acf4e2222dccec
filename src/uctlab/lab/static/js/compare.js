// The compare view: two agents search one position in lockstep, side by side.

import { say } from "./announcer.js";
import { AgentEditor } from "./agent_editor.js";
import { BoardHolder } from "./boards.js";
import { budgetFields } from "./budget.js";
import { Chart, ColorBook } from "./chart.js";
import { Facts, Transport } from "./controls.js";
import { button, el, segmented } from "./dom.js";
import { plural } from "./format.js";
import { GameChooser } from "./game_chooser.js";
import { nextOf } from "./game_tree.js";
import { explained } from "./glossary.js";
import { EXPLANATIONS, HOVER, MEASURES, heatOf, lineOf } from "./heat.js";
import { rightMove, verdict } from "./right_move.js";
import { RootTable } from "./root_table.js";
import { introduction, settled, shortName, story } from "./story.js";
import { TreeFacts } from "./tree_facts.js";
import { whenWide } from "./wide.js";

const MAX_GHOSTS = 6;
const ROWS = 6; // of the small tables

/** One of the two players: its board, its numbers, its charts. */
class Side {
  constructor(view, i) {
    this.i = i;
    this.colors = new ColorBook();
    this.name = el("h2");
    this.agent = el("code", { class: "agent-text" });
    this.choice = el("p", { class: "choice-text" });
    const place = el("div", { class: "board-place" });
    this.holder = new BoardHolder(place, view.session, { onplay: (cell) => view.play(cell), onaim: say, onpoint: (cell) => view.point(i, cell) });
    this.facts = new Facts(["playouts", "per second", "nodes", "depth"]);
    this.table = new RootTable({ columns: ["visits", "value", "velocity", "rave", "score"], most: ROWS, label: `Moves of player ${i + 1}`, onpoint: (move) => view.point(i, move) });
    this.chart = new Chart("Share of visits by playouts", "share");
    this.values = new Chart("Value by playouts", "value");
    this.element = el(
      "section",
      { class: "card compare-side", "aria-label": `Player ${i + 1}` },
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

export class CompareView {
  /** onlab() when the position shall be played. */
  constructor(element, session, search, { onlab }) {
    this.element = element;
    this.session = session;
    this.search = search;
    this.measure = "visits";
    this.treeFacts = new TreeFacts(search, () => this.drawBoards());
    this.sides = [new Side(this, 0), new Side(this, 1)];
    this.pointed = [null, null]; // the move that the mouse is on, on each side
    this.build(onlab);
    session.addEventListener("position", () => this.positionChanged());
    session.addEventListener("settings", () => this.showSettings());
    search.addEventListener("change", () => this.searchChanged());
    search.addEventListener("done", () => {
      if (this.mine && this.visible) say(this.headline.textContent);
    });
  }

  build(onlab) {
    const { session, search } = this;
    this.games = new GameChooser(session.catalog, (game, start) => {
      search.drop();
      session.go({ game, start, moves: [] });
    });
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
    this.transport = new Transport(search, session, "compare", {
      startText: "Start both",
      onstart: (paused) => this.start(paused),
    });
    this.heading = el("h1", { text: "Compare" });
    this.text = el("p", { class: "lead" });
    this.intro = el("ul", { class: "intro" });
    this.source = el("p", { class: "source" });
    this.told = el("details", { class: "told" }, el("summary", { text: "What to watch" }), this.intro, this.source);
    this.headline = el("p", { class: "headline" });
    this.details = el("ul", { class: "story" });
    this.legend = el("p", { class: "help legend-text" });
    this.heat = segmented("On the boards", MEASURES, this.measure, (measure) => {
      this.measure = measure;
      this.drawBoards();
    });
    const caption = el("div", { class: "caption-box" }, this.headline);
    const bar = el("div", { class: "card compare-bar" }, this.transport.element, caption);
    const tools = el("div", { class: "heat-tools" }, this.heat, button("Play from here", onlab), this.legend);
    const boards = el("div", { class: "columns even" }, ...this.sides.map((side) => side.element));
    this.element.replaceChildren(
      this.heading,
      this.text,
      this.told,
      bar,
      boards,
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
    whenWide((wide) => {
      this.told.open = wide;
      if (wide) {
        caption.append(this.details);
        bar.after(tools);
      } else boards.after(this.details, tools);
    });
  }

  get mine() {
    return this.search.owner === "compare" && this.search.position === this.session.position;
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
      owner: "compare",
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

  title() {
    return this.exhibit?.title ?? "";
  }

  leave() {
    this.visible = false;
    if (this.search.owner === "compare") this.search.drop();
  }

  positionChanged() {
    if (!this.visible || !this.session.info) return;
    const { info } = this.session;
    if (this.search.owner === "compare" && !this.mine) this.search.drop();
    this.pointed = [null, null];
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
    this.heading.textContent = exhibit?.title ?? "Compare";
    this.text.textContent = "Two agents search the same position in lockstep. Point at a move to see the line expected after it.";
    this.showIntroduction(introduction(info, exhibit), exhibit?.source);
    this.editors.forEach((editor, i) => editor.show(agents[i], info.position.game));
    this.names = agents.map((agent, i) => exhibit?.names?.[i] ?? shortName(agent, agents));
    this.sides.forEach((side, i) => {
      side.name.textContent = this.names[i];
      side.agent.textContent = agents[i];
    });
    this.budget.show();
    this.transport.show();
  }

  showIntroduction(sentences, source) {
    this.text.hidden = sentences.length > 0;
    this.told.hidden = !this.text.hidden;
    const shown = sentences.join();
    if (shown === this.shownIntroduction) return; // a word that is being explained stays
    this.shownIntroduction = shown;
    const seen = new Set();
    this.intro.replaceChildren(...sentences.map((text) => el("li", {}, ...explained(text, seen))));
    this.source.textContent = source ? `Source: ${source}.` : "";
    this.source.hidden = !source;
  }

  /** The move that is known to be right on the boards. */
  get right() {
    return rightMove(this.session.catalog, this.session.position);
  }

  searchChanged() {
    if (!this.visible || !this.session.info) return;
    const { info } = this.session;
    this.transport.show();
    this.transport.enable(!info.over);
    const known = this.mine ? this.search : { sides: [], turns: [], agents: [] };
    const [head, ...details] = story(known, info, this.names, this.right);
    this.headline.textContent = head;
    this.details.replaceChildren(...details.map((text) => el("li", { text })));
    this.sides.forEach((side, i) => this.showSide(side, known.sides[i] ?? null));
    this.drawBoards();
    if (known.sides.length && this.session.board() === "tree") this.treeFacts.update(info);
  }

  showSide(side, snapshot) {
    const { info } = this.session;
    const { letters } = info;
    side.facts.show(snapshot);
    const lines = snapshot ? side.colors.choose(snapshot.root) : [];
    const history = this.mine ? this.search.histories[side.i] : [];
    side.chart.draw(history, lines);
    side.values.draw(history, lines);
    side.table.show(snapshot, letters, new Map(lines));
    const choice = snapshot?.playouts && settled(snapshot, info) ? snapshot.choice : null;
    const after = choice
      ? ` after ${plural(snapshot.playouts, "playout")}`
      : snapshot?.playouts
        ? "has not decided yet"
        : "no playouts yet";
    side.choice.replaceChildren(...verdict(info, { choice, after, right: this.right }));
    side.element.dataset.choice = choice ?? "";
  }

  point(i, move) {
    if (move === this.pointed[i]) return;
    this.pointed[i] = move;
    this.drawBoards();
  }

  /** On a tree, the best line; else that of the move pointed at, or the best if lines are chosen. */
  line(snapshot, move) {
    if (!snapshot) return [];
    if (this.session.board() === "tree") return snapshot.pv;
    const pointed = move !== null && this.measure !== "off" ? lineOf(snapshot, move) : [];
    if (pointed.length > 1) return pointed.slice(0, MAX_GHOSTS);
    return this.measure === "line" ? snapshot.pv.slice(0, MAX_GHOSTS) : [];
  }

  drawBoards() {
    const { info } = this.session;
    if (!this.visible || !info) return;
    this.legend.textContent = EXPLANATIONS[this.measure] + HOVER;
    this.sides.forEach((side, i) => {
      const snapshot = this.mine ? this.search.sides[i] : null;
      side.holder.show({
        info,
        heat: snapshot ? heatOf(snapshot.root, this.measure) : new Map(),
        line: this.line(snapshot, this.pointed[i]),
        choice: snapshot?.choice ?? null,
        right: this.measure === "off" ? null : this.right,
        known: this.treeFacts.known[i],
      });
    });
  }

  key(event) {
    if (event.key === " ") this.transport.toggle();
    else if (event.key === "u" || event.key === "U" || event.key === "ArrowLeft") {
      this.session.visit(this.session.node.parent);
    } else if (event.key === "ArrowRight") this.session.visit(nextOf(this.session.node));
    else return false;
    return true;
  }
}
