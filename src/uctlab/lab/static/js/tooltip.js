// One explanation at a time beside what it explains: on hover, on focus, and on a tap. It goes with what it explains.

import { el } from "./dom.js";

const LEAVE = 200; // ms in which the pointer may move on to the explanation itself
const GAP = 8; // px

const tip = el("div", { id: "tip", class: "tip", role: "tooltip", hidden: true });
let owner = null;
let timer = 0;
const watched = { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] };
const gone = new MutationObserver(() => owner?.getClientRects().length || hide());

tip.addEventListener("pointerenter", () => clearTimeout(timer));
tip.addEventListener("pointerleave", hide);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && owner) {
    event.preventDefault();
    hide();
  }
});
window.addEventListener("scroll", hide, { passive: true });
document.addEventListener("pointerdown", ({ target }) => {
  if (owner && target instanceof Node && !owner.contains(target) && !tip.contains(target)) hide();
});

function show(node, text) {
  clearTimeout(timer);
  if (owner === node) return;
  hide();
  owner = node;
  tip.textContent = text;
  tip.hidden = false;
  const main = document.getElementById("main"); // within a landmark, for screen readers
  if (!tip.isConnected) main.append(tip);
  gone.observe(main, watched);
  node.setAttribute("aria-describedby", tip.id);
  const place = node.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const right = document.documentElement.clientWidth - width - GAP;
  const left = Math.max(GAP, Math.min(place.left + place.width / 2 - width / 2, right));
  const above = place.top - height - GAP;
  tip.style.setProperty("left", `${left}px`);
  tip.style.setProperty("top", `${above > GAP ? above : place.bottom + GAP}px`);
}

function hide() {
  clearTimeout(timer);
  gone.disconnect();
  owner?.removeAttribute("aria-describedby");
  owner = null;
  tip.hidden = true;
}

/** Explain an element; it must be focusable if the keyboard is to reach the explanation. */
export function explain(node, text) {
  node.addEventListener("pointerenter", () => show(node, text));
  node.addEventListener("pointerleave", () => {
    timer = setTimeout(() => owner === node && hide(), LEAVE);
  });
  node.addEventListener("focus", () => show(node, text));
  node.addEventListener("blur", hide);
  return node;
}
