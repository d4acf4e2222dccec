// The lab view: a board to play on, an agent that answers, and what its search has found.

import { say } from "./announcer.js";
import { ask } from "./ask.js";
import { Facts, Transport } from "./controls.js";
import { button, el } from "./dom.js";
import { capital } from "./format.js";
import { GamePanel } from "./game_panel.js";
import { nextOf, pathTo } from "./game_tree.js";
import { keep } from "./kept.js";
import { LabBoard } from "./lab_board.js";
import { labKey } from "./lab_keys.js";
import { LabSettings } from "./lab_settings.js";
import { passText } from "./lab_status.js";
import { OtherMoves } from "./other_moves.js";
import { SearchPanels } from "./panels.js";
import { Record } from "./record.js";
import { SetUp } from "./setup.js";
import { Watching } from "./watching.js";
import { whenWide } from "./wide.js";

export class LabView {
  /** oncompare() when two agents shall search this position. */
  constructor(element, session, search, { oncompare }) {
    this.element = element;
    this.session = session;
    this.search = search;
    this.record = new Record(session, () => this.board.picture());
    this.setUp = new SetUp(
      () => this.board.draw(),
      (stones, turn) => this.endSetUp(stones, turn),
    );
    this.build(oncompare);
    session.addEventListener("position", () => this.positionChanged());
    session.addEventListener("settings", () => this.showSettings());
    session.addEventListener("tree", () => this.visible && this.searchChanged());
    search.addEventListener("change", () => this.searchChanged());
    search.addEventListener("done", () => this.searchDone());
    session.connection.addEventListener("open", () => this.search.live || this.answer());
  }

  build(oncompare) {
    const { session, search } = this;
    this.settings = new LabSettings(session, {
      ongame: (game, start) => this.newGame(game, start),
      onyou: () => this.takeOver(),
      onagent: () => this.agentChanged(),
    });
    this.board = new LabBoard(this);
    this.others = new OtherMoves((move) => this.play(move));
    this.watching = new Watching(session, { onpause: () => this.pauseGame(), ongo: () => this.goOn() });
    this.newButton = button("New", () => this.again(), { title: "N" });
    this.undoButton = button("Undo", () => this.undo(), { title: "U" });
    this.redoButton = button("Redo", () => this.redo(), { title: "R" });
    this.resignButton = button("Resign", () => this.resign());
    this.setUpButton = button("Set up", () => this.beginSetUp());
    this.compareButton = button("Compare", oncompare, { title: "Let two agents search this position" });

    this.transport = new Transport(search, session, "lab", {
      startText: "Think",
      onstart: (paused) => this.think(paused),
      onstop: () => this.stop(),
    });
    this.playIt = button("Play its move", () => this.play(this.side.choice));
    this.facts = new Facts();
    this.panels = new SearchPanels(search, (move) => this.board.point(move));
    this.game = new GamePanel(session, (node) => session.visit(node));
    const board = el(
      "div",
      { class: "card board-card" },
      this.board.element,
      this.others.element,
      this.watching.element,
      this.setUp.element,
      this.board.steps.element,
      el(
        "div",
        { class: "buttons board-tools" },
        this.newButton,
        this.undoButton,
        this.redoButton,
        this.resignButton,
        this.setUpButton,
        ...this.record.buttons,
      ),
      this.board.tools,
      this.board.rules,
    );
    const side = el(
      "div",
      { class: "side" },
      el(
        "div",
        { class: "card" },
        this.transport.element,
        this.facts.element,
        el("div", { class: "buttons stretched" }, this.playIt, this.compareButton),
      ),
      this.panels.element,
    );
    const columns = el("div", { class: "lab-columns" }, board, side, this.game.element);
    this.element.replaceChildren(el("h1", { class: "hidden", text: "Lab" }), columns);
    whenWide((wide) => (wide ? columns.before(this.settings.element) : board.after(this.settings.element)));
  }

  get mine() {
    return this.search.owner === "lab";
  }

  /** Whether the page's search is one of the position on the board. */
  get searched() {
    return this.mine && this.search.position === this.session.position;
  }

  /** What the latest search says about the position on the board. */
  get side() {
    return (this.searched && this.search.sides[0]) || (this.session.node.kept?.side ?? null);
  }

  // Playing

  /** Begin another game; the one on the board can be returned to. */
  async newGame(game, start = null, { settings = {}, push = true } = {}) {
    this.search.drop();
    // The deceptive tree is for looking at, not for playing to win.
    const you = this.session.board(game) === "tree" ? "both" : this.session.you;
    return this.session.go({ game, start, moves: [] }, "", { push, settings: { you, ...settings } });
  }

  /** A new game from the start, or from a named position; a position that was set up is dropped. */
  async again() {
    const { tree } = this.session;
    if (tree.root.children.length) {
      const text = "The game on the board leaves the page; the browser's Back returns to it.";
      const answers = /** @type {[string, string][]} */ ([["new", "New game"], ["save", "Save it first"]]); // prettier-ignore
      const answer = await ask("Begin a new game?", text, this.settings.game?.sgf ? answers : [answers[0]]);
      if (answer === "save") await this.record.saveSgf();
      if (!answer) return;
    }
    await this.newGame(tree.game, tree.start?.name ? tree.start : null);
  }

  async play(move) {
    const { session } = this;
    const { info } = session;
    if (this.setUp.active || session.over || !session.yours || !info.legal.includes(move)) {
      if (!this.setUp.active && !session.over && session.yours) say(`${move} is not a legal move`);
      return;
    }
    if (move === "pass" && info.last === "pass" && info.legal.length > 1) {
      const count = info.count ? `As the stones stand: ${info.count}.` : "";
      const text = `Both players have passed then, and the stones are counted. ${count}`;
      if ((await ask("Pass and end the game?", text, [["pass", "Pass and count"]])) !== "pass") return;
    }
    this.search.drop();
    await session.play(move);
  }

  /** Back to the previous position in which it was the person's turn. */
  undo() {
    const { session } = this;
    const { node } = session;
    const alone = session.you === "both" || session.you === "none" || session.you !== ["first", "second"][session.info.turn];
    session.visit(alone ? node.parent : (node.parent?.parent ?? node.parent));
  }

  redo() {
    const { node, you } = this.session;
    const next = nextOf(node);
    const after = next && you !== "both" && you !== "none" ? (nextOf(next) ?? next) : next;
    this.session.visit(after);
  }

  async resign() {
    const { session } = this;
    const who = session.you === "second" ? 1 : session.you === "first" ? 0 : session.info.turn;
    const [loser, winner] = [session.info.players[who], session.info.players[1 - who]];
    if ((await ask(`${loser} resigns?`, `${winner} wins the game.`, [["yes", "Resign"]])) !== "yes") return;
    this.search.drop();
    session.node.resigned = who;
    say(`${loser} has resigned.`);
    session.changedTree();
  }

  /** On the person's turn a search is only for looking; on the agent's turn it ends with a move. */
  think(paused = false) {
    const { session } = this;
    if (session.over) return;
    this.purpose = session.yours ? "look" : "move";
    this.hurried = false;
    this.panels.again();
    this.search.start({
      owner: "lab",
      node: session.node,
      position: session.position,
      agents: [session.agent],
      budget: session.budget,
      pace: session.pace,
      seed: session.seed,
      paused,
      watched: session.yours,
    });
  }

  /** An agent that is told to move before it has made a playout moves as soon as it has made one. */
  stop() {
    this.hurried = this.purpose === "move" && !this.side?.choice;
    if (this.hurried) this.search.resume();
    else this.search.stop();
  }

  /** The agent's turn: it searches, and plays when its budget is used up. */
  answer() {
    const { session } = this;
    clearTimeout(this.timer);
    if (!this.visible || !session.info || session.over || session.yours) return;
    if (this.setUp.active) return;
    const wait = this.watching.wait;
    if (wait) this.timer = setTimeout(() => session.yours || session.over || this.think(), wait);
    else this.think();
  }

  /** The person plays another side now. */
  takeOver() {
    this.session.resting = false;
    if (this.mine && this.search.live) this.search.drop();
    this.searchChanged();
    this.answer();
  }

  /** From a position that was only looked at, the game goes on. */
  goOn() {
    this.session.resting = false;
    this.searchChanged();
    this.answer();
  }

  /** Agents that play each other wait. */
  pauseGame() {
    this.session.resting = true;
    clearTimeout(this.timer);
    if (this.mine && this.search.live) this.search.drop();
    this.searchChanged();
  }

  /** A search by another agent than the chosen one would be shown under the wrong name. */
  agentChanged() {
    if (!this.searched || !this.search.live || this.search.agents[0] === this.session.agent) return;
    const { paused } = this.search;
    this.think(paused);
  }

  searchDone() {
    if (!this.searched || !this.visible) return;
    const side = this.side;
    const { state, reason } = this.search;
    const complete = state === "done" || reason === "stopped"; // not if it was abandoned
    if (this.purpose === "move" && complete && side?.choice && !this.session.yours) {
      this.purpose = "look";
      this.session.play(side.choice);
    } else if (side) {
      const { verdict } = this.board;
      say(`The search is done. ${verdict.hidden ? `It would play ${side.choice}.` : verdict.textContent}`);
    }
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
    clearTimeout(this.timer);
    if (this.mine) this.search.drop();
  }

  title() {
    return this.settings.game?.title ?? "";
  }

  positionChanged() {
    if (!this.visible || !this.session.info) return;
    const { info } = this.session;
    clearTimeout(this.timer);
    if (this.mine && !this.searched) this.search.drop();
    if (this.setUp.active && this.session.node !== this.shownNode) this.setUp.end();
    this.panels.clear(this.shownNode?.tree === this.session.tree);
    this.shownNode = this.session.node;
    this.board.positionChanged();
    this.showSettings();
    this.setUpButton.hidden = !this.settings.game?.setup;
    this.record.show(Boolean(this.settings.game?.sgf), this.session.board() !== "text");
    if (info.last) {
      const who = info.players[1 - info.turn] ?? "";
      say([passText(info) || `${who} played ${info.last}`, info.text, info.over && info.count].filter(Boolean).join(". "));
    }
    this.searchChanged();
    this.answer();
  }

  showSettings() {
    if (!this.visible) return;
    this.settings.show();
    this.transport.show();
    if (this.session.info) this.watching.show();
  }

  searchChanged() {
    if (!this.visible || !this.session.info) return;
    const { session, search } = this;
    if (this.searched && search.wanted?.node) keep(search.wanted.node, search);
    const side = this.side;
    if (this.hurried && this.searched && search.live && side?.choice) this.stop();
    this.transport.show();
    this.transport.enable(!session.over && !this.setUp.active);
    this.transport.stop.textContent = this.purpose === "move" ? "Move now" : "Stop";
    const yours = session.yours && !session.over;
    this.playIt.hidden = !(side?.choice && yours && !this.setUp.active);
    if (side?.choice) this.playIt.textContent = `Play its move: ${side.choice}`;
    this.showFindings(side);
    this.board.draw();
    this.showButtons();
    this.watching.show();
    if (!search.live || this.shownGame !== session.node) this.game.show(); // not with every report
    this.shownGame = session.node;
    const all = session.board() === "text"; // such a board has all moves
    this.others.show(session.info, yours && !this.setUp.active && !all);
    this.element.dataset.turn = session.over ? "over" : session.yours ? "yours" : "agent";
  }

  /** The search of this position; after the agent's move, what it thought before it. */
  showFindings(side) {
    const { session, search } = this;
    const before = side || session.node.children.length ? null : session.node.parent?.kept;
    const shown = side ?? before?.side ?? null;
    this.facts.show(shown);
    const live = this.searched && Boolean(search.sides.length);
    const kept = before ?? session.node.kept;
    const note = before
      ? `What ${before.agent} thought before the last move, ${session.node.move}.`
      : shown && !live
        ? `An earlier search by ${kept.agent}.`
        : "";
    const history = live && !before ? search.histories[0] : (kept?.history ?? []);
    const here = this.mine && pathTo(session.node).includes(search.wanted.node);
    this.panels.show(shown, { letters: session.info.letters, history, note: capital(note), live: live && !search.gone, here });
  }

  showButtons() {
    const { node, over } = this.session;
    const begun = Boolean(node.parent);
    this.undoButton.disabled = !begun;
    this.redoButton.disabled = !node.children.length;
    this.resignButton.disabled = over || !begun || this.session.you === "none";
    this.newButton.disabled = this.setUp.active;
  }

  paste(event) {
    this.record.paste(event);
  }

  dragover(event) {
    event.preventDefault();
  }

  drop(event) {
    this.record.drop(event);
  }

  key(event) {
    return labKey(this, event);
  }
}
