// The game beside the board: its value, its moves, its variations, its comments.

import { Analysis } from "./analysis.js";
import { complain } from "./announcer.js";
import { ask } from "./ask.js";
import { button, el, field } from "./dom.js";
import { percent } from "./format.js";
import { isMain, lineThrough, pathTo, promote, remove } from "./game_tree.js";
import { costliest, turnAt } from "./kept.js";
import { MoveList } from "./move_list.js";
import { ValueGraph } from "./value_graph.js";
import { VariationTree } from "./variation_tree.js";

const NAMES = { Black: "PB", White: "PW" };

export class GamePanel {
  /** onchoose(node) when another position is wanted. */
  constructor(session, onchoose) {
    this.session = session;
    this.onchoose = onchoose;
    this.analysis = new Analysis(session);
    this.analysis.addEventListener("change", () => this.showAnalysis());
    this.graph = new ValueGraph(onchoose);
    this.worst = el("ol");
    this.costly = el("div", { class: "costly" }, el("p", { class: "quiet", text: "The costliest moves" }), this.worst);
    this.list = new MoveList(onchoose);
    this.tree = new VariationTree(onchoose);
    this.names = el("p", { class: "names" });
    this.analyse = button("Analyse the game", () => this.toggle());
    this.progress = el("progress", { max: 1, value: 0, "aria-label": "Positions analysed", hidden: true });
    this.told = el("span", { class: "quiet", role: "status" });
    this.main = button("Make main line", () => this.promote());
    this.cut = button("Remove from here", () => this.remove());
    this.comment = el("textarea", { rows: 2, maxlength: 4000, oninput: () => this.write(), onchange: () => session.changedTree() });
    this.commented = null; // the node whose comment is in the field
    this.empty = el("p", { class: "quiet", text: "The value of every searched position appears here as a graph." });
    this.element = el(
      "div",
      { class: "card game-panel" },
      el("div", { class: "panel-head" }, el("h2", { text: "Game" }), this.names),
      this.graph.element,
      this.empty,
      el("div", { class: "buttons" }, this.analyse, this.told),
      this.progress,
      this.costly,
      this.list.element,
      this.tree.element,
      el("div", { class: "buttons small" }, this.main, this.cut),
      el("details", { class: "more" }, el("summary", { text: "Comment on this position" }), field("Comment", this.comment)),
    );
  }

  show() {
    const { node, info, tree } = this.session;
    this.showValues();
    this.main.hidden = isMain(node);
    this.cut.hidden = !node.parent;
    const names = info.players.map((player) => tree.root.properties[NAMES[player]]?.[0]);
    this.names.textContent = names.some(Boolean) ? names.map((name, i) => `${info.players[i]}: ${name || "unknown"}`).join(", ") : "";
    this.showComment(node);
    if (node.comment) this.comment.closest("details").open = true;
    if (this.shown !== tree) this.analysis.stop();
    this.shown = tree;
    this.showAnalysis(false);
  }

  toggle() {
    if (this.analysis.running) this.analysis.stop();
    else this.analysis.start(lineThrough(this.session.node)).catch(complain);
  }

  showAnalysis(redraw = true) {
    const { running, done, total } = this.analysis;
    this.analyse.textContent = running ? "Stop the analysis" : "Analyse the game";
    this.progress.hidden = !running;
    this.progress.value = total ? done / total : 0;
    this.told.textContent = running ? `${done} of ${total} positions` : "";
    if (redraw && this.session.info) this.showValues();
  }

  /** All that depends on what searches have found. */
  showValues() {
    const { node, info, tree } = this.session;
    const line = lineThrough(node);
    this.graph.show(node, info.players);
    this.list.show(node, tree.firstTurn ?? 0);
    this.tree.show(tree, node, info.players);
    this.empty.hidden = line.some((one) => one.kept);
    const worst = costliest(line);
    this.costly.hidden = !worst.length;
    this.worst.replaceChildren(...worst.map(({ node: one, cost }) => this.costlyMove(one, cost, info.players)));
  }

  /** "Move 17, Black b7: 9.6 % lost, f1 was better" */
  costlyMove(node, cost, players) {
    const move = button(`Move ${node.depth}, ${players[turnAt(node.parent)]} ${node.move}`, () => this.onchoose(node), { class: "link" });
    return el("li", {}, move, `: ${percent(cost)} lost, ${node.parent.kept.side.choice} was better`);
  }

  promote() {
    promote(this.session.node);
    this.session.changedTree();
  }

  async remove() {
    const { node } = this.session;
    const after = lineThrough(node).length - pathTo(node).length;
    const text = after ? `${node.move} and the ${after} moves after it, with their variations.` : `The move ${node.move}.`;
    if ((await ask("Remove from the game?", text, [["yes", "Remove"]])) !== "yes") return;
    this.onchoose(remove(node));
  }

  showComment(node) {
    const writing = document.activeElement === this.comment && node === this.commented;
    this.commented = node;
    if (!writing) this.comment.value = node.comment;
  }

  /** At once: the board may change while somebody writes. */
  write() {
    this.commented.comment = this.comment.value.trim();
  }
}
