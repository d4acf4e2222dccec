// The results of a search in one of three panels: a table of moves, charts, the tree.

import { Chart, ColorBook } from "./chart.js";
import { el, segmented } from "./dom.js";
import { RootTable } from "./root_table.js";
import { TreeView } from "./tree_view.js";

const PANELS = [
  ["moves", "Moves"],
  ["chart", "Charts"],
  ["tree", "Tree"],
];

export class SearchPanels {
  constructor(search) {
    this.search = search;
    this.panel = "moves";
    this.side = null;
    this.table = new RootTable();
    this.charts = [
      new Chart("Share of visits by playouts", "share"),
      new Chart("Value by playouts", "value"),
    ];
    this.tree = new TreeView(search);
    this.parts = {
      moves: this.table.element,
      chart: el("div", {}, ...this.charts.map((chart) => chart.element)),
      tree: this.tree.element,
    };
    this.empty = el("p", {
      class: "quiet",
      text: "No search here yet. Let the agent think, or step through single playouts.",
    });
    const choice = segmented("What to show", PANELS, this.panel, (panel) => this.choose(panel));
    this.element = el("div", { class: "card" }, choice, this.empty, ...Object.values(this.parts));
    this.clear();
    this.choose(this.panel);
  }

  /** For another position. */
  clear() {
    this.colors = new ColorBook();
    this.tree.clear();
  }

  choose(panel) {
    this.panel = panel;
    for (const [name, node] of Object.entries(this.parts)) node.hidden = name !== panel;
    this.show(this.side, this.letters);
    if (panel === "tree") this.tree.refresh(true);
  }

  /** side: a snapshot or null; letters: cell -> a paper's letter. */
  show(side, letters = null) {
    this.side = side;
    this.letters = letters;
    this.empty.hidden = Boolean(side) || this.panel === "tree"; // which has its own message
    const lines = side ? this.colors.choose(side.root) : [];
    const history = side ? this.search.histories[0] : [];
    if (this.panel === "moves") this.table.show(side, letters, new Map(lines));
    if (this.panel === "chart") for (const chart of this.charts) chart.draw(history, lines);
    if (this.panel === "tree" && side) this.tree.refresh(this.search.paused);
  }
}
