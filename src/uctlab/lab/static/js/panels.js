// The results of a search in one of three panels: a table of moves, charts, the tree.

import { Chart, ColorBook } from "./chart.js";
import { el, segmented } from "./dom.js";
import { RootTable } from "./root_table.js";
import { TreePanel } from "./tree_panel.js";

const PANELS = [
  ["moves", "Moves"],
  ["chart", "Charts"],
  ["tree", "Tree"],
];

export class SearchPanels {
  /** onpoint(move or null) when a row of the table is pointed at. */
  constructor(search, onpoint) {
    this.search = search;
    this.panel = "moves";
    this.side = null;
    this.table = new RootTable({ onpoint });
    this.charts = [
      new Chart("Share of visits by playouts", "share"),
      new Chart("Value by playouts", "value"),
    ];
    this.tree = new TreePanel(search);
    this.parts = {
      moves: this.table.element,
      chart: el("div", {}, ...this.charts.map((chart) => chart.element)),
      tree: this.tree.element,
    };
    this.empty = el("p", {
      class: "quiet",
      text: "No search here yet. Let the agent think, or step through single playouts.",
    });
    this.note = el("p", { class: "quiet" });
    this.shown = { letters: null, history: [], note: "", live: false, here: false };
    const choice = segmented("What to show", PANELS, this.panel, (panel) => this.choose(panel));
    this.element = el("div", { class: "card" }, choice, this.note, this.empty, ...Object.values(this.parts));
    this.clear();
    this.choose(this.panel);
  }

  /** For another position, perhaps of another game. */
  clear(sameGame = false) {
    if (sameGame) this.colors.settle();
    else this.colors = new ColorBook();
    this.tree.clear();
  }

  /** For another search of the position. */
  again() {
    this.colors.settle();
    this.tree.clear(false);
  }

  choose(panel) {
    this.panel = panel;
    for (const [name, node] of Object.entries(this.parts)) node.hidden = name !== panel;
    this.show(this.side, this.shown);
    if (panel === "tree") this.tree.refresh(true);
  }

  /**
   * side: a snapshot or null; letters: cell -> a paper's letter; history: of the search; note: where
   * it comes from; live: whether its tree still exists; here: whether that tree has this position.
   */
  show(side, shown) {
    this.side = side;
    this.shown = shown;
    const { letters, history, note, live, here } = shown;
    this.note.textContent = note;
    this.note.hidden = !note;
    this.empty.hidden = Boolean(side) || this.panel === "tree"; // which has its own message
    const lines = side ? this.colors.choose(side.root) : [];
    if (this.panel === "moves") this.table.show(side, letters, new Map(lines));
    if (this.panel === "chart") for (const chart of this.charts) chart.draw(side ? history : [], lines);
    this.tree.show(here);
    if (this.panel === "tree" && side && live) this.tree.refresh(this.search.paused);
  }
}
