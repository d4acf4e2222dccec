// The moves of the line on the board, with buttons to step through them.

import { button, el } from "./dom.js";
import { endOf, lineThrough, nextOf, sibling } from "./game_tree.js";
import { plural } from "./format.js";
import { mistakeOf } from "./kept.js";

/** First, back, forward, last: below the board. */
export class Steps {
  /** onstep(node) when another position is wanted. */
  constructor(session, onstep) {
    this.session = session;
    const go = (find) => () => onstep(find(session.node));
    this.first = button("«", go((node) => node.tree.root), { "aria-label": "First position", title: "Home" });
    this.back = button("‹", go((node) => node.parent), { "aria-label": "One move back", title: "←" });
    this.forward = button("›", go(nextOf), { "aria-label": "One move forward", title: "→" });
    this.last = button("»", go(endOf), { "aria-label": "Last position", title: "End" });
    this.where = el("span", { class: "where" });
    this.element = el(
      "div",
      { class: "steps-row", role: "group", "aria-label": "Step through the game" },
      this.first,
      this.back,
      this.where,
      this.forward,
      this.last,
    );
  }

  show() {
    const { node } = this.session;
    const end = endOf(node).depth;
    this.first.disabled = this.back.disabled = !node.parent;
    this.forward.disabled = this.last.disabled = !node.children.length;
    this.where.textContent = node.parent ? `Move ${node.depth} of ${end}` : "Start";
  }

  /** The node to which a key leads; undefined for other keys. */
  target(key) {
    const { node } = this.session;
    switch (key) {
      case "ArrowLeft":
        return node.parent;
      case "ArrowRight":
        return nextOf(node);
      case "ArrowUp":
      case "ArrowDown":
        // Without variations these keys scroll the page, as everywhere.
        return node.parent?.children.length > 1 ? sibling(node, key === "ArrowUp" ? -1 : 1) : undefined;
      case "Home":
        return node.tree.root;
      case "End":
        return endOf(node);
      default:
        return undefined;
    }
  }
}

/** The moves as text, two on a line, each a button. */
export class MoveList {
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.list = el("ol", { class: "move-list" });
    this.empty = el("p", { class: "quiet", text: "No moves yet." });
    this.element = el("div", { class: "scroll move-place", tabindex: 0, role: "region", "aria-label": "Moves of the game" }, this.empty, this.list);
  }

  show(current, firstTurn) {
    const line = lineThrough(current).slice(1);
    this.empty.hidden = line.length > 0;
    const pairs = [];
    line.forEach((node, i) => {
      if ((i + firstTurn) % 2 === 0 || !pairs.length) pairs.push([]);
      pairs.at(-1).push(node);
    });
    const begun = firstTurn && pairs.length; // the second player moved first
    this.list.replaceChildren(
      ...pairs.map((pair, i) =>
        el(
          "li",
          {},
          el("span", { class: "number", text: `${i + 1}` }),
          begun && i === 0 ? el("span", { class: "gap", text: "…" }) : null,
          ...pair.map((node) => this.move(node, node === current)),
        ),
      ),
    );
    // Only the list itself scrolls, not the page.
    const chosen = this.list.querySelector(".here");
    if (chosen instanceof HTMLElement) {
      const top = chosen.offsetTop; // within the list
      if (top < this.element.scrollTop || top > this.element.scrollTop + this.element.clientHeight - 40) {
        this.element.scrollTop = top - this.element.clientHeight / 2;
      }
    } else this.element.scrollTop = 0;
  }

  move(node, here) {
    const mistake = mistakeOf(node);
    const others = node.parent.children.length - 1;
    const loss = mistake ? `: a ${mistake.name} move, ${Math.round(100 * mistake.cost)} % lost` : "";
    const signs = [mistake?.mark, node.comment && "✎", others > 0 && `+${others}`].filter(Boolean);
    const more = others ? `; ${plural(others, "other variation")} here` : "";
    const item = button(node.move, () => this.onchoose(node), {
      class: ["link", "move", mistake?.name, here && "here"].filter(Boolean).join(" "),
      "aria-current": here ? "step" : null,
      title: `Move ${node.depth}${loss}${more}`,
    });
    if (signs.length) item.append(el("span", { class: "signs", text: signs.join("") }));
    return item;
  }
}
