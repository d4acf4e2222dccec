// The search tree in two forms, of which one is shown: a list of scores, and a drawing.

import { el, segmented } from "./dom.js";
import { TreeDrawing } from "./tree_drawing.js";
import { TreeView } from "./tree_view.js";

const REFRESH = 600; // ms between two drawings of a running search
const FORMS = [
  ["list", "List"],
  ["drawing", "Drawing"],
];

/** Dispatches "treepick" with {position, path} when a node of the drawing is chosen. */
export class TreePanel {
  constructor(search) {
    this.search = search;
    this.list = new TreeView(search);
    this.drawing = new TreeDrawing({
      ask: (what) => search.connection.request({ type: "subtree", side: 0, ...what }),
      onpick: (path) => this.pick(path),
    });
    this.hint = el("p", {
      class: "quiet",
      text: "Choose a node to set the board. Drag to move; pinch, Ctrl and the wheel, or + and − to zoom; arrow keys go along the branches, Space unfolds.",
    });
    this.drawing.element.append(this.hint);
    this.none = el("p", { class: "quiet", text: "No tree here: only that of the latest search is kept. It appears when a search runs." });
    this.here = false; // whether the tree has the position on the board
    this.form = "list";
    const choice = segmented("Form of the tree", FORMS, this.form, (form) => this.choose(form));
    this.element = el("div", { class: "tree-panel" }, choice, this.none, this.list.element, this.drawing.element);
    this.choose(this.form);
  }

  choose(form) {
    this.form = form;
    this.place();
    this.refresh(true);
  }

  /** here: whether the tree has the position on the board; the tree of another one is not shown for it. */
  show(here) {
    this.here = here;
    this.place();
  }

  place() {
    this.none.hidden = this.here;
    this.list.element.hidden = !this.here || this.form !== "list";
    this.drawing.element.hidden = !this.here || this.form !== "drawing";
  }

  clear(fold = true) {
    this.list.clear(fold);
  }

  /** The list by itself looks after its own pace. */
  refresh(now = false) {
    if (!this.here) return undefined;
    if (this.form === "list") return this.list.refresh(now);
    return this.redraw();
  }

  async redraw() {
    clearTimeout(this.timer);
    const { search } = this;
    if (!search.sides.length || this.element.hidden) return;
    const wait = (this.asked ?? 0) + REFRESH - Date.now();
    if (this.busy || wait > 0) {
      this.timer = setTimeout(() => this.redraw(), Math.max(50, wait));
      return;
    }
    if (this.shown !== search.id) {
      // A position that was chosen in the drawing keeps it; only another search replaces it.
      this.shown = search.id;
      this.drawing.clear();
    }
    this.busy = true;
    this.asked = Date.now();
    try {
      await this.drawing.refresh();
    } catch {
      // The search is over: keep what is shown.
    } finally {
      this.busy = false;
    }
  }

  pick(path) {
    const { position } = this.search;
    if (!position) return;
    if (this.search.live && !this.search.paused) this.search.pause();
    const detail = { ...position, moves: [...position.moves, ...path] };
    this.element.dispatchEvent(new CustomEvent("treepick", { bubbles: true, detail }));
  }
}
