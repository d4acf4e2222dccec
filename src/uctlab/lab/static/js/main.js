// Starts the page: the connection, the views, of which one is visible, and the address.

import { complain, say } from "./announcer.js";
import { CompareView } from "./compare.js";
import { Connection, fetchJson } from "./connection.js";
import { GalleryView } from "./gallery.js";
import { LabView } from "./lab.js";
import { LearnView } from "./learn/view.js";
import { showOffline } from "./offline.js";
import { ResultsView } from "./results.js";
import { keepGame } from "./saved_game.js";
import { Search } from "./search.js";
import { Session, family } from "./session.js";
import { VIEWS, readHash, writeHash } from "./url.js";
import { watchWarming } from "./warming.js";

const FEW = 200; // an exhibit with at most this many playouts is shown one by one
const TEXT_FIELDS = "input, select, textarea";
const PRESSED = "button, a, summary, [role=button]"; // what the space bar presses, unless it was clicked
const TITLES = { gallery: "Gallery", learn: "Learn", lab: "Lab", compare: "Compare", results: "Results" };

async function start() {
  const connection = new Connection();
  showOffline(connection);
  connection.complain = (text) => complain(new Error(text));

  const catalog = await fetchJson("/api/catalog");
  const opponent = (name) => catalog.games.find((game) => game.name === name)?.agent;
  const sessions = {
    lab: new Session(connection, catalog, (name) => [opponent(name), "uct"]),
    compare: new Session(connection, catalog, () => ["uct", "auct(k=3)"]),
  };
  const search = new Search(connection);
  const place = (name) => document.getElementById(name);
  // A view has enter, leave and key(event), and address() if it has no session; title(), follow(query),
  // top(), paste(event), dragover(event) and drop(event) if it wants.
  const views = {
    gallery: new GalleryView(place("gallery"), catalog, { oncase: openExhibit, onplay: openGame, onbegin: beginGame }),
    learn: new LearnView(place("learn"), sessions.lab, { onrun: runExperiment, ontitle: showTitle }),
    lab: new LabView(place("lab"), sessions.lab, search, { oncompare: compareHere }),
    compare: new CompareView(place("compare"), sessions.compare, search, { onlab: playFromHere }),
    results: new ResultsView(place("results"), { onaddress: () => writeAddress(true), ongame: openStored }),
  };
  let current = null;
  let following = false; // whether the page is just doing what its address says

  function writeAddress(push) {
    const session = sessions[current];
    const hash = session ? writeHash(current, session) : views[current].address();
    const state = session ? { game: session.tree.id } : null;
    if (hash !== location.hash && push && !following) history.pushState(state, "", hash);
    else history.replaceState(state, "", hash);
    showTitle();
  }

  function showTitle() {
    const more = views[current].title?.();
    document.title = [more, TITLES[current], "uctlab"].filter(Boolean).join(" · ");
  }

  async function open(view, push = true) {
    // The other views need no board, and the first page should not wait for it.
    const session = sessions[view];
    if (session && !session.info) {
      const { lab } = sessions;
      await session.go(view === "compare" && lab.info ? lab.position : session.position, "", { push: false });
    }
    if (current !== view) {
      if (current) views[current].leave();
      current = view;
      for (const name of VIEWS) {
        place(name).hidden = name !== view;
        const tab = document.querySelector(`nav a[href="#${name}"]`);
        if (name === view) tab.setAttribute("aria-current", "page");
        else tab.removeAttribute("aria-current");
      }
      for (const line of document.querySelectorAll(".keys p")) {
        line.toggleAttribute("hidden", line.getAttribute("data-view") !== view);
      }
      window.scrollTo(0, 0);
      views[view].enter();
      // If the focused button is hidden now, the Tab key continues from here.
      if (document.activeElement?.closest("section[hidden]")) place("main").focus({ preventScroll: true });
    }
    writeAddress(push);
  }

  async function openExhibit(exhibit) {
    const settings = {
      agents: [...exhibit.agents],
      budget: { kind: "playouts", amount: exhibit.playouts },
      seed: exhibit.seed,
      pace: exhibit.playouts <= FEW ? "single" : "slow",
    };
    if (!(await sessions.compare.go(exhibit.position, "", { push: false, settings }))) return;
    await open("compare");
    views.compare.start(exhibit.paused);
  }

  /** Open an experiment of the course and start its search. */
  async function runExperiment({ view, position, ...settings }) {
    const told = { you: "both", pace: "full", ...settings };
    if (!(await sessions[view].go(position, "", { push: false, settings: told }))) return;
    await open(view);
    if (view === "compare") views.compare.start(false);
    else views.lab.think();
  }

  async function openGame(game, more = {}) {
    const settings = { you: "first", ...more };
    if (await views.lab.newGame(game, null, { push: false, settings })) open("lab");
  }

  /** The game that the catalog proposes to play. */
  async function beginGame({ game, playouts }) {
    const budget = { kind: "playouts", amount: playouts };
    await openGame(game, { agents: sessions.lab.usual(family(game)), budget, seed: null, pace: "full" });
  }

  /** The lab's position in the compare view, and the other way round. */
  async function compareHere() {
    if (await sessions.compare.go(sessions.lab.position, "", { push: false })) open("compare");
  }

  async function playFromHere() {
    const settings = { you: "both" };
    if (await sessions.lab.go(sessions.compare.position, "", { push: false, settings })) open("lab");
  }

  /** A game of a match. */
  async function openStored(position, properties) {
    const { lab } = sessions;
    const settings = { you: "both" };
    if (!(await lab.go(position, "", { resting: true, push: false, settings }))) return;
    Object.assign(lab.tree.root.properties, properties);
    open("lab");
  }

  /** Show what the address says; `id` is the game that was on the board there, `stepping` whether by Back or Forward. */
  async function follow(id, stepping) {
    following = true;
    try {
      let { view, position, page, query, ...settings } = readHash(location.hash);
      const session = sessions[view];
      if (session) {
        // Within a game, Back and Forward change the position and not who plays.
        const { game } = position ?? session.position;
        const told = stepping && session.knows(id) ? {} : { seed: null, ...session.possible(settings, game) };
        if (!position) session.set(told);
        else if (!(await session.follow(position, id, told)) && !session.info) view = "gallery";
      } else views[view].follow?.(query, page);
      await open(view, false);
    } finally {
      following = false;
    }
  }

  for (const [name, session] of Object.entries(sessions)) {
    session.addEventListener("position", () => current === name && writeAddress(session.push));
    session.addEventListener("settings", () => current === name && writeAddress(false));
  }
  window.addEventListener("popstate", (event) => follow(event.state?.game, true));
  place("lab").addEventListener("treepick", async (event) => {
    const { moves } = /** @type {CustomEvent} */ (event).detail;
    sessions.lab.visit(await sessions.lab.described(moves));
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault(); // the hash belongs to the views
    place("main").focus();
  });
  document.querySelector("nav").addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const view = target.closest("a")?.getAttribute("href").slice(1);
    if (!view) return;
    event.preventDefault();
    views[view].top?.();
    open(view);
  });
  let clicked = null; // the button that was last pressed with the mouse or a finger
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    clicked = event.detail > 0 ? target.closest(PRESSED) : null;
  });
  document.addEventListener("focusin", (event) => {
    if (event.target !== clicked) clicked = null;
  });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.matches(TEXT_FIELDS) || target.closest("dialog")) return;
    // The space bar presses the button to which the Tab key has led, as everywhere; after a click it thinks.
    const pressed = target.closest(PRESSED);
    if (event.key === " " && pressed && pressed !== clicked) return;
    if (views[current]?.key(event)) event.preventDefault();
  });
  document.addEventListener("keyup", (event) => {
    // Buttons are pressed when the space bar is released.
    const target = /** @type {Element} */ (event.target);
    if (event.key === " " && clicked && target.closest(PRESSED) === clicked) event.preventDefault();
  });
  for (const name of ["paste", "dragover", "drop"]) {
    document.addEventListener(name, (event) => {
      if (views[current]?.[name]) views[current][name](event);
      else if (name !== "paste") event.preventDefault(); // a dropped file would replace the page
    });
  }
  keepGame(sessions.lab, history.state?.game);
  await follow(history.state?.game, false);
  watchWarming(sessions.lab);
  place("loading").remove();
  document.body.dataset.ready = "yes"; // for tests: all listeners are attached
  say("The lab is ready.");
}

start().catch((error) => {
  document.getElementById("loading").textContent = "The lab could not be opened.";
  complain(error);
});
