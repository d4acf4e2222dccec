// The lab's board with all that is on it: status, heat or line, the buttons to step, a picture to save.

import { say } from "./announcer.js";
import { BoardHolder } from "./boards.js";
import { el, segmented } from "./dom.js";
import { EXPLANATIONS, HOVER, MEASURES, heatOf, lineOf } from "./heat.js";
import { countText, passText, statusText } from "./lab_status.js";
import { Steps } from "./move_list.js";
import { rightMove, verdict } from "./right_move.js";
import { settled, shortName } from "./story.js";
import { TreeFacts } from "./tree_facts.js";

const MAX_GHOSTS = 8; // stones of a line
const UNKNOWN = "This agent does not record this measure; choose another one.";

export class LabBoard {
  constructor(view) {
    this.view = view;
    this.session = view.session;
    this.measure = "visits";
    this.pointed = null; // the move that the mouse or the cursor is on
    this.judged = new Map(); // node -> the referee's verdict, or null while it is asked for
    this.status = el("p", { class: "status", "aria-live": "off" });
    this.count = el("p", { class: "count" });
    this.verdict = el("p", { class: "verdict", hidden: true });
    this.rules = el("p", { class: "help" });
    this.note = el("p", { class: "board-note", hidden: true });
    this.place = el("div", { class: "board-place" });
    this.holder = new BoardHolder(this.place, this.session, {
      onplay: (cell) => (view.setUp.active ? view.setUp.paint(cell) : view.play(cell)),
      onaim: say,
      onpoint: (cell) => this.point(cell),
    });
    this.treeFacts = new TreeFacts(view.search, () => this.draw());
    this.steps = new Steps(this.session, (node) => this.session.visit(node));
    this.help = el("p", { class: "help legend-text" });
    this.heat = segmented("On the board", MEASURES, this.measure, (measure) => {
      this.measure = measure;
      this.draw();
    });
    this.tools = el("div", { class: "heat-box" }, el("div", { class: "heat-tools" }, this.heat), this.help);
    this.element = el("div", { class: "board-frame" }, el("div", { class: "status-row" }, this.status, this.note), this.count, this.verdict, this.place);
  }

  get settingUp() {
    return this.view.setUp.active;
  }

  point(move) {
    if (move === this.pointed) return;
    this.pointed = move;
    this.draw();
  }

  positionChanged() {
    this.pointed = null;
    this.treeFacts.clear();
    this.rules.textContent = this.view.settings.game?.help ?? "";
    this.judge();
  }

  /** Ask for dead stones at the end of a game that has a referee. */
  async judge() {
    const { node, connection } = this.session;
    if (!node.info.over || !node.info.referee || this.judged.has(node)) return;
    this.judged.set(node, null);
    try {
      this.judged.set(node, await connection.request({ type: "judge", position: node.position }));
    } catch {
      this.judged.delete(node); // the count of the rules is on the page already
    }
    this.draw();
  }

  draw() {
    const { session, view } = this;
    const { info, node } = session;
    if (!view.visible || !info) return;
    const side = this.settingUp ? null : view.side;
    const heat = side ? heatOf(side.root, this.measure) : new Map();
    const known = this.measure === "off" || this.measure === "line" || heat.size;
    const verdict = this.judged.get(node);
    this.help.textContent = side && !known ? UNKNOWN : EXPLANATIONS[this.measure] + (side ? HOVER : "");
    this.tools.hidden = session.board() === "tree";
    this.status.textContent = statusText(session, this.settingUp);
    this.count.textContent = this.settingUp ? "" : countText(info, info.referee && info.over ? verdict : undefined);
    this.note.textContent = session.over ? "" : passText(info);
    this.note.hidden = !this.note.textContent || this.settingUp;
    this.steps.show();
    const right = side ? rightMove(session.catalog, session.position) : null; // nobody is told before searching
    this.showVerdict(side, right);
    this.holder.show({
      info,
      area: verdict?.area ?? info.area ?? {},
      heat,
      line: this.line(side),
      choice: this.measure === "off" ? null : (side?.choice ?? null),
      right: this.measure === "off" ? null : right,
      open: session.yours && !session.over,
      setup: this.settingUp ? view.setUp : null,
      dead: verdict?.dead ?? [],
      known: this.treeFacts.known[0],
    });
    if (side && session.board() === "tree" && view.searched) this.treeFacts.update(info);
  }

  /** What the search plays and what is right, where that is known. */
  showVerdict(side, right) {
    const { view, session } = this;
    this.verdict.hidden = right === null;
    if (right === null) return;
    const agent = view.searched && view.search.sides[0] ? view.search.agents[0] : session.node.kept.agent;
    const name = shortName(agent, [agent]);
    const choice = settled(side, session.info) ? side.choice : null;
    const after = choice ? "" : `${name} has not tried every move yet`;
    this.verdict.replaceChildren(...verdict(session.info, { name, choice, after, right }));
  }

  /** On a tree, the best line; else the line of the move that is pointed at, or the best if that is chosen. */
  line(side) {
    if (!side) return [];
    if (this.session.board() === "tree") return side.pv;
    if (this.pointed !== null && this.measure !== "off") {
      const line = lineOf(side, this.pointed);
      if (line.length > 1) return line.slice(0, MAX_GHOSTS);
    }
    return this.measure === "line" ? side.pv.slice(0, MAX_GHOSTS) : [];
  }

  /** The board as it is drawn. */
  picture() {
    return this.place.querySelector("svg");
  }
}
