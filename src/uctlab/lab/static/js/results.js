// The results: matches in stores, refreshed while they run, and reports of `uctlab reproduce`.

import { complain } from "./announcer.js";
import { fetchJson } from "./connection.js";
import { button, el } from "./dom.js";
import { count, missing } from "./format.js";
import { MatchGames } from "./match_games.js";

const REFRESH = 2000; // ms between two requests for the matches

/** Make a frame as high as its page, now and whenever the page's width changes. */
function fit(frame) {
  const page = frame.contentDocument?.body;
  if (!page) {
    complain(new Error("The report cannot be shown"));
    return;
  }
  new ResizeObserver(() => {
    const border = frame.offsetHeight - frame.clientHeight;
    frame.style.height = `${Math.ceil(page.getBoundingClientRect().height) + border}px`;
  }).observe(page);
}

export class ResultsView {
  /** onaddress() when another report or match is shown; ongame(position, properties) opens a game. */
  constructor(element, { onaddress, ongame }) {
    this.element = element;
    this.onaddress = onaddress;
    this.list = el("ul", { class: "reports" });
    this.matches = el("div", { class: "scroll matches card", tabindex: 0, role: "region", "aria-label": "Matches" });
    this.troubles = el("ul", { class: "reports quiet" });
    this.report = el("article", { class: "report" });
    this.games = new MatchGames(ongame);
    this.back = button("← All results", () => this.choose({}), { class: "link" });
    this.detail = el("div", { class: "detail", tabindex: -1, hidden: true }, this.back, this.report, this.games.element);
    this.overview = el(
      "div",
      { class: "overview" },
      el("h2", { text: "Matches" }),
      this.matches,
      this.troubles,
      el("h2", { text: "Reports" }),
      this.list,
    );
    element.replaceChildren(el("h1", { text: "Results" }), this.overview, this.detail);
    this.shown = { report: null, match: null };
  }

  async enter() {
    this.visible = true;
    this.watch();
    try {
      this.reports = (await fetchJson("/api/results")).reports;
      this.showReports();
    } catch (error) {
      complain(error);
    }
    this.show();
  }

  leave() {
    this.visible = false;
    clearTimeout(this.timer);
  }

  key() {
    return false;
  }

  address() {
    const { report, match } = this.shown;
    if (report) return `#results?report=${encodeURIComponent(report)}`;
    return match ? `#results?match=${encodeURIComponent(match)}` : "#results";
  }

  title() {
    return this.shown.report ?? this.shown.match ?? "";
  }

  /** What an address says. */
  follow(query) {
    this.shown = { report: query.get("report"), match: query.get("match") };
    if (this.visible) this.show();
  }

  /** Back to the lists. */
  top() {
    this.follow(new URLSearchParams());
  }

  choose({ report = null, match = null }) {
    this.shown = { report, match };
    this.onaddress();
    this.show();
  }

  show() {
    const { report, match } = this.shown;
    this.overview.hidden = Boolean(report || match);
    this.detail.hidden = !report && !match;
    this.report.hidden = !report;
    this.games.element.hidden = !match;
    if (report) this.open(report);
    else this.opened = null;
    if (match) this.games.show(match);
    window.scrollTo(0, 0);
    if (!this.detail.hidden) this.detail.focus({ preventScroll: true });
  }

  showReports() {
    const titles = this.reports.map(({ title }) => title);
    const items = this.reports.map(({ id, title, date }) => {
      const repeated = titles.indexOf(title) !== titles.lastIndexOf(title);
      return el(
        "li",
        {},
        button(repeated ? `${title} (${id})` : title, () => this.choose({ report: id }), { class: "link" }),
        el("span", { class: "quiet", text: [!repeated && id, date].filter(Boolean).join(" · ") }),
      );
    });
    const none = "No report yet. Write one with: uctlab reproduce ID --quick";
    this.list.replaceChildren(...(items.length ? items : [el("li", { class: "quiet", text: none })]));
  }

  open(id) {
    if (!this.reports || id === this.opened) return; // the list comes first
    const report = this.reports.find((one) => one.id === id);
    if (!report) {
      this.report.replaceChildren(el("p", { text: `There is no report ${id} here.` }));
      return;
    }
    this.opened = id;
    const where = (file) => `/api/results/${encodeURIComponent(id)}/${encodeURIComponent(file)}`;
    const link = (file, text) => el("a", { href: where(file), text, target: "_blank" });
    const data = report.files.filter((file) => /\.(csv|json)$/.test(file));
    this.report.replaceChildren(
      report.page.endsWith(".md") ? this.plainText(where(report.page)) : this.frame(where(report.page), report.title),
      el(
        "p",
        { class: "quiet" },
        link(report.page, "Open in a new tab"),
        ...data.map((file) => link(file, file)),
      ),
    );
  }

  /** The report has styles of its own and no scripts; of this origin, so that it can be measured. */
  frame(src, title) {
    const frame = el("iframe", {
      src,
      title: `Report: ${title}`,
      sandbox: "allow-same-origin",
      onload: () => fit(frame),
    });
    return frame;
  }

  /** A report that was written by hand, in Markdown. */
  plainText(src) {
    const text = el("pre", { class: "card", text: "…" });
    fetch(src)
      .then((answer) => answer.text())
      .then((found) => (text.textContent = found))
      .catch(complain);
    return text;
  }

  async watch() {
    clearTimeout(this.timer);
    if (!this.visible) return;
    try {
      const { matches, totals, troubles } = await fetchJson("/api/matches");
      this.showMatches(matches, totals);
      this.showTroubles(troubles);
    } catch {
      // The next attempt may succeed.
    }
    this.timer = setTimeout(() => this.watch(), REFRESH);
  }

  /** Only if they have changed: who reads the table has the focus in it. */
  showMatches(matches, totals) {
    const told = JSON.stringify([matches, totals]);
    if (told === this.told) return;
    this.told = told;
    const focused = document.activeElement?.getAttribute("data-match");
    if (!matches.length) {
      const none = "No match yet. Play one with: uctlab match hex:7 uct mc --store games.sqlite";
      this.matches.replaceChildren(el("p", { class: "quiet", text: none }));
      return;
    }
    const head = ["Game", "A", "B", "Budget per move", "Score of A", "95 % interval", "Games"];
    this.matches.replaceChildren(
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { text, scope: "col" })))),
        ...Object.entries(totals).map(([store, total]) =>
          this.group(store, total, matches.filter((match) => match.store === store)),
        ),
      ),
    );
    if (focused) this.matches.querySelector(`[data-match="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  showTroubles(troubles) {
    const lines = troubles.map(({ store, reason }) => `${store}: ${reason}`);
    this.troubles.replaceChildren(...lines.map((text) => el("li", { text })));
    this.troubles.hidden = !lines.length;
  }

  /** The matches of a store below its name. */
  group(store, total, matches) {
    const part = matches.length < total ? `${count(matches.length)} of ${count(total)} matches, those with the most games` : "";
    return el(
      "tbody",
      {},
      el("tr", {}, el("th", { scope: "rowgroup", colspan: 7 }, store, el("span", { class: "quiet", text: part }))),
      ...matches.map((match) => this.row(match)),
    );
  }

  row(match) {
    const [a, b] = match.players;
    const interval = match.interval?.map((end) => end.toFixed(1)).join(" to ") ?? "";
    const budget = match.playouts ? `${count(match.playouts)} playouts` : `${match.seconds} s`;
    return el(
      "tr",
      { class: match.running ? "running" : null },
      el("td", {}, button(match.game, () => this.choose({ match: match.id }), { class: "link", title: "Show its games", "data-match": match.id })),
      el("td", {}, el("code", { text: a, title: a })),
      el("td", {}, el("code", { text: b, title: b })),
      el("td", { text: budget }),
      el("td", { class: "right", text: missing(match.score) ? "" : `${match.score.toFixed(1)} %` }),
      el("td", { class: "right", text: interval }),
      el(
        "td",
        { class: "right" },
        count(match.games),
        match.running ? el("span", { class: "badge", text: "running" }) : null,
      ),
    );
  }
}
