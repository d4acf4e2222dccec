// The results: matches in stores, refreshed while they run, and reports of `uctlab reproduce`.

import { complain } from "./announcer.js";
import { fetchJson } from "./connection.js";
import { button, el } from "./dom.js";
import { count, missing } from "./format.js";

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
  constructor(element) {
    this.element = element;
    this.list = el("ul", { class: "reports" });
    this.matches = el("div", { class: "scroll matches card", tabindex: 0, role: "region", "aria-label": "Matches" });
    this.skipped = el("ul", { class: "reports quiet" });
    this.report = el("article", { class: "report", tabindex: -1, hidden: true });
    element.replaceChildren(
      el("h1", { text: "Results" }),
      el("h2", { text: "Matches" }),
      this.matches,
      this.skipped,
      el("h2", { text: "Reports" }),
      this.list,
      this.report,
    );
  }

  async enter() {
    this.visible = true;
    this.follow();
    try {
      this.showReports(await fetchJson("/api/results"));
    } catch (error) {
      complain(error);
    }
  }

  leave() {
    this.visible = false;
    clearTimeout(this.timer);
  }

  key() {
    return false;
  }

  showReports(answer) {
    const items = answer.reports.map((report) =>
      el(
        "li",
        {},
        button(report.title ?? report.id, () => this.open(report), { class: "link" }),
        el("span", { class: "quiet", text: [report.id, report.date].filter(Boolean).join(" · ") }),
      ),
    );
    const none = "No report yet. Write one with: uctlab reproduce ID --quick";
    this.list.replaceChildren(...(items.length ? items : [el("li", { class: "quiet", text: none })]));
  }

  open(report) {
    const where = (file) =>
      `/api/results/${encodeURIComponent(report.id)}/${encodeURIComponent(file)}`;
    const link = (file, text) => el("a", { href: where(file), text, target: "_blank" });
    // The report has styles of its own and no scripts; of this origin, so that it can be measured.
    const frame = el("iframe", {
      src: where("report.html"),
      title: `Report: ${report.title}`,
      sandbox: "allow-same-origin",
      onload: () => fit(frame),
    });
    const data = report.files.filter((file) => /\.(csv|json)$/.test(file));
    this.report.replaceChildren(
      frame,
      el(
        "p",
        { class: "quiet" },
        link("report.html", "Open in a new tab"),
        ...data.map((file) => link(file, file)),
      ),
    );
    this.report.hidden = false;
    this.report.scrollIntoView({ block: "start" });
    this.report.focus({ preventScroll: true });
  }

  async follow() {
    clearTimeout(this.timer);
    if (!this.visible) return;
    try {
      const { matches, skipped } = await fetchJson("/api/matches");
      this.showMatches(matches);
      this.showSkipped(skipped);
    } catch {
      // The next attempt may succeed.
    }
    this.timer = setTimeout(() => this.follow(), REFRESH);
  }

  showMatches(matches) {
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
        el("tbody", {}, ...matches.map((match) => this.row(match))),
      ),
    );
  }

  showSkipped(skipped) {
    const lines = skipped.map(({ store, reason }) => `${store} is not shown: ${reason}`);
    this.skipped.replaceChildren(...lines.map((text) => el("li", { text })));
    this.skipped.hidden = !lines.length;
  }

  row(match) {
    const [a, b] = match.players;
    const interval = match.interval?.map((end) => end.toFixed(1)).join(" to ") ?? "";
    const budget = match.playouts ? `${count(match.playouts)} playouts` : `${match.seconds} s`;
    return el(
      "tr",
      { class: match.running ? "running" : null },
      el("td", { text: match.game }),
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
