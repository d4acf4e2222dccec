// The Markdown that uctlab writes its reports in, as elements: headings, paragraphs, tables, lists,
// pictures, links, code blocks. Everything else is plain text.

import { el } from "./dom.js";

const unescape = (text) => text.replace(/\\([\\`*_{}[\]()#+\-.!|<>~$&])/g, "$1");

/** Links and pictures of one line; `where` turns a file's name into its address. */
function inline(text, where) {
  const parts = [];
  const pattern = /(!?)\[((?:\\.|[^\]\\])*)\]\(([^)\s]*)\)|`([^`]*)`/g;
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > end) parts.push(unescape(text.slice(end, found.index)));
    end = found.index + found[0].length;
    const [, picture, words, target, code] = found;
    if (code !== undefined) parts.push(el("code", { text: code }));
    else if (!/^[\w.-]+$/.test(target)) parts.push(unescape(words)); // files beside the report only
    else if (picture) parts.push(el("img", { src: where(target), alt: unescape(words) }));
    else parts.push(el("a", { href: where(target), text: unescape(words), target: "_blank" }));
  }
  if (end < text.length) parts.push(unescape(text.slice(end)));
  return parts;
}

const cellsOf = (line) =>
  line
    .replace(/^\s*\||\|\s*$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

function table(lines, where) {
  const [head, rule, ...rows] = lines.map(cellsOf);
  const right = rule.map((mark) => mark.endsWith(":"));
  const row = (cells, tag) =>
    el(
      "tr",
      {},
      ...cells.map((cell, i) => el(tag, { class: right[i] ? "right" : null }, ...inline(cell, where))),
    );
  return el(
    "div",
    { class: "scroll", tabindex: 0 },
    el(
      "table",
      {},
      el("thead", {}, row(head, "th")),
      el("tbody", {}, ...rows.map((cells) => row(cells, "td"))),
    ),
  );
}

/** Elements for a whole report. */
export function render(text, where) {
  const nodes = [];
  const lines = text.replace(/\r/g, "").split("\n");
  const take = (test) => {
    const taken = [];
    while (lines.length && test(lines[0])) taken.push(lines.shift());
    return taken;
  };
  while (lines.length) {
    const line = lines[0];
    if (!line.trim()) lines.shift();
    else if (line.startsWith("```")) {
      lines.shift();
      nodes.push(el("pre", { text: take((one) => !one.startsWith("```")).join("\n") }));
      lines.shift();
    } else if (/^#{1,6} /.test(line)) {
      const [marks, words] = lines.shift().split(/ (.*)/s);
      const tag = `h${Math.min(6, marks.length + 1)}`;
      nodes.push(el(tag, {}, ...inline(words, where)));
    } else if (line.trimStart().startsWith("|")) {
      nodes.push(table(take((one) => one.trimStart().startsWith("|")), where));
    } else if (line.startsWith("- ")) {
      const items = take((one) => one.startsWith("- "));
      nodes.push(el("ul", {}, ...items.map((item) => el("li", {}, ...inline(item.slice(2), where)))));
    } else {
      const words = take((one) => one.trim() && !/^(#|\||- |```)/.test(one));
      nodes.push(el("p", {}, ...inline((words.length ? words : [lines.shift()]).join(" "), where)));
    }
  }
  return nodes;
}
