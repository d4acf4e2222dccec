// The bar that is shown while there is no connection to the lab's server.

import { button, el } from "./dom.js";
import { capital } from "./format.js";

export function showOffline(connection) {
  const bar = document.getElementById("offline");
  const text = el("span");
  const retry = button("Retry now", () => connection.retry());
  bar.replaceChildren(text, retry);
  connection.addEventListener("open", () => (bar.hidden = true));
  connection.addEventListener("closed", () => {
    const why = connection.reason || "The connection to the lab was lost";
    text.textContent = `${capital(why)}. Reconnecting by itself; what you do until then is done afterwards.`;
    bar.hidden = false;
  });
}
