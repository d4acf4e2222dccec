// Controls for the budget of a search, in playouts or seconds, and for its random seed.

import { el, field, select } from "./dom.js";

const USUAL = { playouts: 20000, seconds: 2 };
const LEAST = { playouts: 1, seconds: 0.1 };

export function budgetFields(session) {
  const amount = el("input", { type: "number", min: 0, step: "any", inputmode: "decimal" });
  const units = [["playouts", "playouts"], ["seconds", "seconds"]]; // prettier-ignore
  const unit = select(units, "playouts", (kind) => tell(USUAL[kind]), { "aria-label": "Unit" });
  const seed = el("input", { type: "text", inputmode: "numeric", placeholder: "random" });
  seed.className = "narrow";
  seed.title = "The same number gives the same search; if empty, each search is different.";

  function tell(wanted) {
    const kind = unit.value;
    const given = wanted > 0 ? Math.max(LEAST[kind], wanted) : USUAL[kind];
    session.set({ budget: session.allowed({ kind, amount: given }) });
  }

  amount.addEventListener("change", () => tell(Number(amount.value)));
  seed.addEventListener("change", () => {
    session.set({ seed: /^\d{1,15}$/.test(seed.value.trim()) ? Number(seed.value) : null });
  });
  const budget = field("Budget per search", amount);
  budget.append(el("div", { class: "pair" }, amount, unit));
  return {
    element: el("div", { class: "inline" }, budget, field("Seed", seed)),
    show() {
      amount.value = String(session.budget.amount);
      unit.value = session.budget.kind;
      seed.value = session.seed ?? "";
    },
  };
}
