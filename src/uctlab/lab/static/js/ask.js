// A question with a few answers, asked before something cannot be taken back.

import { button, el } from "./dom.js";

/**
 * The value of the chosen answer; null if the dialog was closed.
 * @param {string} title
 * @param {string} text
 * @param {[string, string][]} answers values and texts; the first is the usual one
 * @returns {Promise<string | null>}
 */
export function ask(title, text, answers) {
  return new Promise((resolve) => {
    const choose = (value) => {
      chosen = value;
      dialog.close();
    };
    let chosen = null;
    const heading = el("h2", { text: title, id: "question" });
    const buttons = answers.map(([value, words], i) =>
      button(words, () => choose(value), { class: i ? null : "primary", autofocus: i === 0 }),
    );
    const dialog = el(
      "dialog",
      { class: "question", "aria-labelledby": "question" },
      heading,
      el("p", { text }),
      el("div", { class: "buttons" }, ...buttons, button("Cancel", () => choose(null))),
    );
    const leave = () => dialog.close(); // the question was about the position before
    window.addEventListener("popstate", leave);
    dialog.addEventListener("close", () => {
      window.removeEventListener("popstate", leave);
      dialog.remove();
      resolve(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
