// Starts the page: the connection, the views, of which one is visible, and the address.

import { complain, say } from "./announcer.js";
import { Connection, fetchJson } from "./connection.js";
import { DuelView } from "./duel.js";
import { capital } from "./format.js";
import { GalleryView } from "./gallery.js";
import { LabView } from "./lab.js";
import { ResultsView } from "./results.js";
import { Search } from "./search.js";
import { Session } from "./session.js";
import { VIEWS, readHash, writeHash } from "./url.js";

const BOARDS = new Set(["lab", "duel"]);
const FEW = 200; // an exhibit with at most this many playouts is shown one by one
const TEXT_FIELDS = "input, select, textarea";

async function start() {
  const connection = new Connection();
  const offline = document.getElementById("offline");
  connection.addEventListener("open", () => (offline.hidden = true));
  connection.addEventListener("closed", () => {
    const why = connection.reason || "The connection to the lab was lost";
    offline.textContent = `${capital(why)}. Reconnecting.`;
    offline.hidden = false;
  });
  connection.complain = (text) => complain(new Error(text));

  const session = new Session(connection, await fetchJson("/api/catalog"));
  const search = new Search(connection);
  const place = (name) => document.getElementById(name);
  const views = {
    gallery: new GalleryView(place("gallery"), session, { onduel: openExhibit, onplay: openGame }),
    lab: new LabView(place("lab"), session, search),
    duel: new DuelView(place("duel"), session, search),
    results: new ResultsView(place("results")),
  };
  let current = null;

  function writeAddress(push) {
    const hash = writeHash(current, session);
    if (hash === location.hash) return;
    if (push) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  }

  async function open(view, push = true) {
    // The other views need no board, and the first page should not wait for it.
    if (BOARDS.has(view) && !session.info) await session.go(session.position);
    if (current !== view) {
      if (current) views[current].leave();
      current = view;
      for (const name of VIEWS) {
        place(name).hidden = name !== view;
        const tab = document.querySelector(`nav a[href="#${name}"]`);
        if (name === view) tab.setAttribute("aria-current", "page");
        else tab.removeAttribute("aria-current");
      }
      window.scrollTo(0, 0);
      views[view].enter();
      // If the focused button is hidden now, the Tab key continues from here.
      if (document.activeElement?.closest("section[hidden]")) place("main").focus();
    }
    writeAddress(push);
  }

  async function openExhibit(exhibit) {
    session.set({
      agents: [...exhibit.agents],
      budget: { kind: "playouts", amount: exhibit.playouts },
      seed: exhibit.seed ?? 0,
      pace: exhibit.playouts <= FEW ? "single" : "slow",
    });
    if (!(await session.go(exhibit.position))) return;
    await open("duel");
    views.duel.start(false);
  }

  async function openGame(game) {
    session.set({ you: "first", pace: "full", seed: null });
    if (await session.go({ game, start: null, moves: [] })) open("lab");
  }

  /** Show what the address says. */
  async function follow() {
    const { view, position, ...settings } = readHash(location.hash);
    session.set({ seed: null, ...session.possible(settings) });
    if (position) await session.go(position, "The link contains no valid position: ");
    await open(view, false);
  }

  for (const name of ["position", "settings"]) {
    session.addEventListener(name, () => current && writeAddress(false));
  }
  window.addEventListener("popstate", follow);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the hash belongs to the views
    place("main").focus();
  });
  document.querySelector("nav").addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const view = target.closest("a")?.getAttribute("href").slice(1);
    if (!view) return;
    event.preventDefault();
    open(view);
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.matches(TEXT_FIELDS)) return;
    // The space bar presses the focused button, as everywhere.
    if (event.key === " " && target.closest("button, a, summary")) return;
    if (views[current]?.key(event)) event.preventDefault();
  });
  await follow();
  place("loading").remove();
  document.body.dataset.ready = "yes"; // for tests: all listeners are attached
  say("The lab is ready.");
}

start().catch((error) => {
  document.getElementById("loading").textContent = "The lab could not be opened.";
  complain(error);
});
