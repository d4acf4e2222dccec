// Reports of `uctlab reproduce` and the matches in stores; running matches are followed.

import { complain } from "./announcer.js";
import { fetchJson, fetchText } from "./connection.js";
import { button, el } from "./dom.js";
import { count, missing } from "./format.js";
import { render } from "./markdown.js";

const REFRESH = 2000; // ms between two looks at the stores

export class ResultsView {
  constructor(element) {
    this.element = element;
    this.list = el("ul", { class: "reports" });
    this.matches = el("div", { class: "scroll matches card", tabindex: 0, role: "region", "aria-label": "Matches" });
    this.report = el("article", { class: "report card", tabindex: -1, hidden: true });
    element.replaceChildren(
      el("h1", { text: "Results" }),
      el("h2", { text: "Matches" }),
      this.matches,
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

  async open(report) {
    const where = (file) =>
      `/api/results/${encodeURIComponent(report.id)}/${encodeURIComponent(file)}`;
    try {
      const text = await fetchText(where("report.md"));
      this.report.replaceChildren(...render(text, where));
      this.report.hidden = false;
      this.report.scrollIntoView({ block: "start" });
      this.report.focus({ preventScroll: true });
    } catch (error) {
      complain(error);
    }
  }

  async follow() {
    clearTimeout(this.timer);
    if (!this.visible) return;
    try {
      this.showMatches((await fetchJson("/api/matches")).matches);
    } catch {
      // The next look may do better.
    }
    this.timer = setTimeout(() => this.follow(), REFRESH);
  }

  showMatches(matches) {
    if (!matches.length) {
      const none = "No match yet. Play one with: uctlab match hex:7 uct mc --store games.sqlite";
      this.matches.replaceChildren(el("p", { class: "quiet", text: none }));
      return;
    }
    const head = ["Game", "A", "B", "Budget a move", "Score of A", "95 % interval", "Games"];
    this.matches.replaceChildren(
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ...head.map((text) => el("th", { text, scope: "col" })))),
        el("tbody", {}, ...matches.map((match) => this.row(match))),
      ),
    );
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
