// The search tree from the root down, foldable, with each child's score split into its parts.

import { button, el } from "./dom.js";
import { count, decimal, missing, percent } from "./format.js";

// The parts that add up to a score: [key, name].
const PARTS = [
  ["mean", "mean"],
  ["rave_part", "rave"],
  ["prior_part", "prior"],
  ["exploration", "exploration"],
];
const SHOWN = 8; // children of a node before "show all"
const REFRESH = 700; // ms between two refreshes of a running search
const PAUSE = 50; // ms per requested node: the server accepts 40 messages per second

export class TreeView {
  constructor(search) {
    this.search = search;
    this.open = new Set([""]); // path keys
    this.whole = new Set(); // path keys whose children are all shown
    this.nodes = new Map(); // path key -> the server's answer
    this.extra = el(
      "span",
      { hidden: true },
      ", ",
      el("i", { class: "swatch rave" }),
      "RAVE, ",
      el("i", { class: "swatch prior" }),
      "prior knowledge",
    );
    this.list = el("ul", { class: "tree-list", role: "tree", "aria-label": "Search tree" });
    this.empty = el("p", { class: "quiet", text: "The tree appears here when a search runs." });
    this.element = el(
      "div",
      { class: "tree-view" },
      el(
        "p",
        { class: "legend" },
        "Each bar is the score of a move: ",
        el("i", { class: "swatch mean" }),
        "mean of its playouts, ",
        el("i", { class: "swatch exploration" }),
        "exploration, the bonus for few visits",
        this.extra,
        ". The move with the highest score is tried next.",
      ),
      this.empty,
      this.list,
    );
    this.asked = 0;
  }

  /** For another position; a new search of the same position keeps unfolded nodes open. */
  clear(fold = true) {
    this.nodes = new Map(); // a late answer goes into the old map
    if (fold) this.open = new Set([""]);
    this.whole.clear();
    this.draw();
  }

  /** Request all open nodes again, but not so often that it slows the search down. */
  async refresh(now = false) {
    clearTimeout(this.timer);
    if (!this.search.sides.length) return;
    const pause = Math.max(now ? 0 : REFRESH, PAUSE * this.open.size);
    const wait = this.asked + pause - Date.now();
    if (this.busy || wait > 0) {
      this.timer = setTimeout(() => this.refresh(now), Math.max(PAUSE, wait));
      return;
    }
    this.busy = true;
    this.asked = Date.now();
    const { nodes } = this;
    try {
      for (const key of this.open) {
        const path = key ? key.split(" ") : [];
        try {
          nodes.set(key, await this.search.tree(0, path));
        } catch {
          // Not in the tree yet, or the search is over: keep what is shown.
        }
      }
    } finally {
      this.busy = false;
    }
    this.draw();
  }

  draw() {
    const root = this.nodes.get("");
    this.empty.hidden = Boolean(root);
    const extra = (row) => !missing(row.rave_part) || !missing(row.prior_part);
    this.extra.hidden = !root?.children.some(extra);
    const focused = document.activeElement?.getAttribute("data-fold") ?? undefined;
    this.list.replaceChildren(...(root ? this.children("", root) : []));
    if (focused !== undefined) {
      this.list.querySelector(`[data-fold="${CSS.escape(focused)}"]`)?.focus();
    }
  }

  children(key, answer) {
    const rows = [...answer.children].sort((a, b) => b.visits - a.visits);
    const shown = this.whole.has(key) ? rows : rows.slice(0, SHOWN);
    const finite = rows.map((row) => row.score).filter((score) => Number.isFinite(score));
    const most = Math.max(1e-9, ...finite);
    const next = rows.reduce((best, row) => (score(row) > score(best) ? row : best), rows[0]);
    const items = shown.map((row) => this.item(key, row, most, row === next));
    if (rows.length > shown.length) {
      const all = button(`show all ${rows.length}`, () => {
        this.whole.add(key);
        this.draw();
      });
      all.className = "link";
      items.push(el("li", { role: "treeitem" }, all));
    }
    return items;
  }

  item(parent, row, most, next) {
    const key = parent ? `${parent} ${row.move}` : row.move;
    const open = this.open.has(key);
    const fold = row.expanded
      ? button(open ? "▾" : "▸", () => this.toggle(key), {
          class: "fold",
          "data-fold": key,
          "aria-label": `${open ? "fold" : "unfold"} ${row.move}`,
        })
      : el("span", { class: "fold" });
    const bar = el(
      "span",
      { class: "parts", title: PARTS.map(([key, name]) => [name, row[key]]).filter(([, value]) => !missing(value)).map(([name, value]) => `${name} ${decimal(value)}`).join(", ") }, // prettier-ignore
      ...PARTS.map(([key, name]) => part(name, row[key], most)),
    );
    const facts = [`${count(row.visits)}×`, percent(row.visits ? row.value : null)];
    if (!missing(row.velocity)) facts.push(`velocity ${decimal(row.velocity)}`);
    if (!missing(row.rave)) facts.push(`RAVE ${percent(row.rave)}`);
    if (!missing(row.prior)) facts.push(`prior ${decimal(row.prior)}`);
    const line = el(
      "div",
      { class: next ? "tree-row next" : "tree-row" },
      fold,
      el("b", { text: row.move }),
      bar,
      el("span", { class: "score", text: decimal(row.score ?? Infinity) }),
      el("span", { class: "facts", text: facts.join(" · ") }),
      next ? el("span", { class: "badge", text: "next" }) : null,
    );
    const item = el("li", { role: "treeitem", "aria-expanded": row.expanded ? String(open) : null }, line);
    const answer = this.nodes.get(key);
    if (open && answer) item.append(el("ul", { role: "group" }, ...this.children(key, answer)));
    return item;
  }

  toggle(key) {
    if (this.open.has(key)) {
      // Nodes below a folded node are folded too.
      for (const other of this.open) {
        if (other === key || other.startsWith(`${key} `)) this.open.delete(other);
      }
      this.draw();
    } else {
      this.open.add(key);
      this.refresh(true);
    }
  }
}

/** A move that was never tried has an infinite score: it comes first. */
const score = (row) => (missing(row.score) ? Infinity : row.score);

function part(name, value, most) {
  const node = el("i", { class: name });
  const share = missing(value) || !Number.isFinite(value) ? 0 : Math.max(0, value) / most;
  node.style.setProperty("--share", Math.min(1, share));
  return node;
}
