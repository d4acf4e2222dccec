// Announces what happened: a line for screen readers, and messages on the page.

import { button, el } from "./dom.js";

const region = document.getElementById("live");
const messages = document.getElementById("messages");
const SHOWN_FOR = { note: 7000, error: 20000 }; // ms; errors take longer to read

/** Only for screen readers. */
export function say(text) {
  region.textContent = text;
}

/** A message at the top of the page, which makes room for it; it disappears by itself. */
export function notify(text, kind = "note") {
  for (const node of messages.children) if (node.firstChild.textContent === text) node.remove();
  const close = button("×", () => node.remove(), { class: "close", "aria-label": "Close" });
  const node = el("div", { class: `message ${kind}`, role: "status" }, el("p", { text }), close);
  messages.append(node);
  setTimeout(() => node.remove(), SHOWN_FOR[kind]);
}

export const complain = (error) => notify(error.message ?? String(error), "error");
