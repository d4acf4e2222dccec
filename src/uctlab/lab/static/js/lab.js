// The lab view: a board to play on, an agent that answers, and what its search has found.

import { say } from "./announcer.js";
import { BoardHolder } from "./boards.js";
import { Facts, Transport } from "./controls.js";
import { button, el, segmented } from "./dom.js";
import { EXPLANATIONS, MEASURES, heatOf } from "./heat.js";
import { LabSettings } from "./lab_settings.js";
import { OtherMoves } from "./other_moves.js";
import { SearchPanels } from "./panels.js";
import { Record } from "./record.js";
import { SetUp } from "./setup.js";
import { TreeFacts } from "./tree_facts.js";

const MAX_GHOSTS = 8; // stones of the principal variation
const UNKNOWN = "This agent does not record this measure; choose another one.";

export class LabView {
  constructor(element, session, search) {
    this.element = element;
    this.session = session;
    this.search = search;
    this.measure = "visits";
    this.line = true; // whether the principal variation is shown
    this.record = new Record(session);
    this.setUp = new SetUp(
      () => this.drawBoard(),
      (stones, turn) => this.endSetUp(stones, turn),
    );
    this.treeFacts = new TreeFacts(search, () => this.drawBoard());
    this.build();
    session.addEventListener("position", () => this.positionChanged());
    session.addEventListener("settings", () => this.showSettings());
    search.addEventListener("change", () => this.searchChanged());
    search.addEventListener("done", () => this.searchDone());
  }

  build() {
    const { session, search } = this;
    this.settings = new LabSettings(session, {
      ongame: (game, start) => this.newGame(game, start),
      onyou: () => this.answer(),
    });

    this.status = el("p", { class: "status", "aria-live": "off" });
    this.rules = el("p", { class: "help" });
    this.place = el("div", { class: "board-place" });
    this.holder = new BoardHolder(this.place, session, {
      onplay: (cell) => (this.setUp.active ? this.setUp.paint(cell) : this.play(cell)),
      onaim: say,
    });
    this.others = new OtherMoves((move) => this.play(move));
    this.heatHelp = el("p", { class: "help" });
    this.heat = segmented("Heat map", MEASURES, this.measure, (measure) => {
      this.measure = measure;
      this.drawBoard();
    });
    const line = el("input", { type: "checkbox", id: "line", checked: true });
    line.addEventListener("change", () => {
      this.line = line.checked;
      this.drawBoard();
    });
    this.undoButton = button("Undo", () => this.undo(), { title: "U" });
    this.setUpButton = button("Set up", () => this.beginSetUp());

    this.transport = new Transport(search, session, "lab", {
      startText: "Think",
      onstart: (paused) => this.think(paused),
    });
    this.playIt = button("Play its move", () => this.play(search.sides[0].choice));
    this.facts = new Facts();
    this.panels = new SearchPanels(search);
    this.element.replaceChildren(
      el("h1", { class: "hidden", text: "Lab" }),
      this.settings.element,
      el(
        "div",
        { class: "columns" },
        el(
          "div",
          { class: "card board-card" },
          this.status,
          this.rules,
          this.place,
          this.others.element,
          this.setUp.element,
          el(
            "div",
            { class: "buttons board-tools" },
            button("New", () => this.again(), { title: "N" }),
            this.undoButton,
            this.setUpButton,
            ...this.record.buttons,
          ),
          el(
            "div",
            { class: "heat-tools" },
            this.heat,
            el("label", { class: "check", for: "line" }, line, " Principal variation"),
          ),
          this.heatHelp,
        ),
        el(
          "div",
          { class: "side" },
          el("div", { class: "card" }, this.transport.element, this.facts.element, this.playIt),
          this.panels.element,
        ),
      ),
    );
  }

  get mine() {
    return this.search.owner === "lab";
  }

  /** What the search says about the position on the board. */
  get side() {
    return this.mine && this.search.position === this.session.position ? this.search.sides[0] : null;
  }

  // Playing

  newGame(game, start = null) {
    this.search.drop();
    // The deceptive tree is for looking at, not for playing to win.
    const you = this.session.board(game) === "tree" ? "both" : this.session.you;
    this.session.set({ you });
    return this.session.go({ game, start, moves: [] });
  }

  /** A new game from the start, or from a named position; a position that was set up is dropped. */
  again() {
    const { game, start } = this.session.position;
    return this.newGame(game, start?.name ? start : null);
  }

  async play(move) {
    const { session } = this;
    const { info } = session;
    if (this.setUp.active || info.over || !info.legal.includes(move)) {
      if (!this.setUp.active && !info.over) say(`${move} is not a legal move`);
      return;
    }
    this.search.drop();
    await session.play(move);
  }

  /** Back to the previous position in which it was the person's turn. */
  undo() {
    const { session } = this;
    const made = session.position.moves.length;
    const alone = session.you === "both" || session.you === "none" || !session.yours;
    const plies = alone ? 1 : 2;
    if (made < plies) return;
    this.search.drop();
    session.undo(plies);
  }

  /** On the person's turn a search is only for looking; on the agent's turn it ends with a move. */
  think(paused = false) {
    const { session } = this;
    if (session.info.over) return;
    this.purpose = session.yours ? "look" : "move";
    this.panels.tree.clear(false);
    this.search.start({
      owner: "lab",
      position: session.position,
      agents: session.agents.slice(0, 1),
      budget: session.budget,
      pace: session.pace,
      seed: session.seed,
      paused,
      watched: session.yours,
    });
  }

  /** The agent's turn: it searches, and plays when its budget is used up. */
  answer() {
    const { session } = this;
    if (!this.visible || !session.info || session.info.over || session.yours) return;
    if (this.setUp.active) return;
    this.think();
  }

  searchDone() {
    if (!this.mine || !this.visible) return;
    const side = this.side;
    const { state, reason } = this.search;
    const complete = state === "done" || reason === "stopped"; // not if it was abandoned
    if (this.purpose === "move" && complete && side?.choice && !this.session.yours) {
      this.purpose = "look";
      this.session.play(side.choice);
    } else if (side) say(`The search is done. It would play ${side.choice}.`);
    this.panels.tree.refresh(true);
  }

  beginSetUp() {
    this.search.drop();
    this.setUp.begin(this.session.info);
    this.searchChanged();
  }

  async endSetUp(stones, turn) {
    const { session } = this;
    if (stones) {
      const message = { type: "setup", game: session.position.game, stones, turn };
      this.setUp.active = false;
      if (!(await session.accept(message))) {
        this.setUp.active = true; // the server has reported what is wrong; the stones stay
        this.searchChanged();
        return;
      }
    }
    this.setUp.end();
    if (!stones) this.positionChanged();
  }

  // Showing

  enter() {
    this.visible = true;
    this.showSettings();
    this.positionChanged();
  }

  leave() {
    this.visible = false;
    if (this.mine) this.search.drop();
  }

  positionChanged() {
    if (!this.visible || !this.session.info) return;
    const { info } = this.session;
    if (this.setUp.active && info.position.game !== this.shownGame) this.setUp.end();
    this.shownGame = info.position.game;
    this.panels.clear();
    this.treeFacts.clear();
    this.showSettings();
    this.rules.textContent = this.settings.game?.help ?? "";
    this.setUpButton.hidden = !this.settings.game?.setup;
    this.record.show(Boolean(this.settings.game?.sgf));
    if (info.last) say(`${info.players[1 - info.turn] ?? ""} played ${info.last}. ${info.text}.`);
    this.searchChanged();
    this.answer();
  }

  showSettings() {
    if (!this.visible) return;
    this.settings.show();
    this.transport.show();
  }

  searchChanged() {
    if (!this.visible || !this.session.info) return;
    const side = this.side;
    this.transport.show();
    this.transport.enable(!this.session.info.over && !this.setUp.active);
    this.transport.stop.textContent = this.purpose === "move" ? "Move now" : "Stop";
    this.facts.show(side);
    const yours = this.session.yours && !this.session.info.over;
    this.playIt.hidden = !(side?.choice && yours && !this.setUp.active);
    if (side?.choice) this.playIt.textContent = `Play its move: ${side.choice}`;
    this.drawBoard();
    this.panels.show(side, this.session.info.letters);
    this.showStatus();
    if (side && this.session.board() === "tree") this.treeFacts.update(this.session.info);
  }

  showStatus() {
    const { info } = this.session;
    this.undoButton.disabled = !this.session.position.moves.length;
    this.element.dataset.turn = info.over ? "over" : this.session.yours ? "yours" : "agent";
    let text = info.text;
    if (this.setUp.active) text = "Set up a position";
    else if (!info.over && !this.session.yours) text = `${info.text}: the agent is thinking`;
    else if (!info.over && this.session.you !== "both") text = `${info.text}: your turn`;
    this.status.textContent = text;
    const all = this.session.board() === "text"; // such a board has all moves
    this.others.show(info, this.session.yours && !this.setUp.active && !all);
  }

  drawBoard() {
    const { info } = this.session;
    if (!this.visible || !info) return;
    const side = this.setUp.active ? null : this.side;
    const heat = side ? heatOf(side.root, this.measure) : new Map();
    const unknown = side && !heat.size && this.measure !== "off";
    this.heatHelp.textContent = unknown ? UNKNOWN : EXPLANATIONS[this.measure];
    this.element.classList.toggle("no-heat", this.session.board() === "tree");
    this.holder.show({
      info,
      heat,
      line: side && this.line ? side.pv.slice(0, MAX_GHOSTS) : [],
      choice: side?.choice ?? null,
      open: this.session.yours,
      setup: this.setUp.active ? this.setUp : null,
      known: this.treeFacts.known[0],
    });
  }

  key(event) {
    if (event.key === "u" || event.key === "U") this.undo();
    else if (event.key === " ") this.transport.toggle();
    else if (event.key === "n" || event.key === "N") this.again();
    else if ((event.key === "p" || event.key === "P") && this.session.yours) this.play("pass");
    else return false;
    return true;
  }
}
