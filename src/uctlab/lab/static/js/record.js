// Opens and saves games: SGF files and diagrams by file, paste and drop; pictures of the board; the link.

import { complain, notify } from "./announcer.js";
import { button, el, field } from "./dom.js";
import { plural } from "./format.js";
import { download, savePng, saveSvg } from "./picture.js";
import { listForFile } from "./resigned.js";

export class Record {
  /** picture() is the board's SVG element. */
  constructor(session, picture) {
    this.session = session;
    this.picture = picture;
    this.openButton = button("Open", () => this.openDialog());
    this.sgf = button("Save SGF", () => this.close(() => this.saveSgf()));
    this.svg = button("Save SVG", () => this.close(() => saveSvg(this.picture(), this.name)));
    this.png = button("Save PNG", () => this.close(() => savePng(this.picture(), this.name).catch(complain)));
    this.link = button("Copy link", () => this.close(() => this.copy()));
    this.menu = el(
      "details",
      { class: "menu" },
      el("summary", { text: "Save" }),
      el("div", { class: "menu-items" }, this.sgf, this.svg, this.png, this.link),
    );
    document.addEventListener("click", (event) => {
      if (!this.menu.contains(/** @type {Node} */ (event.target))) this.menu.open = false;
    });
    this.buttons = [this.openButton, this.menu];
  }

  get name() {
    return this.session.position.game.replace(/\W+/g, "-");
  }

  /** files: whether the game can be stored as SGF; drawn: whether its board is a picture. */
  show(files, drawn) {
    this.sgf.hidden = !files;
    this.svg.hidden = this.png.hidden = !drawn;
  }

  /** Close the menu, then do what was chosen. */
  close(action) {
    this.menu.open = false;
    action();
  }

  openDialog() {
    const file = el("input", { type: "file", accept: ".sgf,.hsgf,.txt" });
    const text = el("textarea", { rows: 10, spellcheck: "false", class: "code" });
    const dialog = el(
      "dialog",
      { class: "question wide", "aria-labelledby": "open-title" },
      el("h2", { id: "open-title", text: "Open a game or a position" }),
      el("p", {
        class: "help",
        text: "An SGF file with its variations and comments, or a diagram of X, O and dots for the game on the board. You can also drop a file on the page, or paste its text there.",
      }),
      field("File", file),
      field("Or text", text),
      el(
        "div",
        { class: "buttons" },
        button("Open it", () => choose(text.value, "The text"), { class: "primary" }),
        button("Cancel", () => dialog.close()),
      ),
    );
    const choose = (/** @type {string} */ content, /** @type {string} */ name) => {
      dialog.close();
      this.openText(content, name);
    };
    file.addEventListener("change", async () => {
      const [one] = file.files;
      if (one) choose(await one.text(), one.name);
    });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }

  paste(event) {
    if (event.target.closest?.("input, textarea, dialog")) return;
    const text = event.clipboardData?.getData("text") ?? "";
    if (!text.trim()) return;
    event.preventDefault();
    this.openText(text, "The pasted text");
  }

  async drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) this.openText(await file.text(), file.name);
    else this.openText(event.dataTransfer?.getData("text") ?? "", "The text");
  }

  async openText(text, name) {
    const { session } = this;
    const info = await session.ask({ type: "open", text, game: session.position.game }, `${name}: `);
    if (!info) return;
    session.openTree(info, { you: "both" });
    const moves = plural(info.nodes.length - 1, "move");
    const lost = info.left_out.map((what) => ` Left out: ${what}.`).join("");
    notify(`${name}: ${moves}.${lost} The browser's Back returns to the game before.`);
  }

  async saveSgf() {
    const { connection, tree, info } = this.session;
    try {
      const { game, start } = tree;
      const answer = await connection.request({ type: "sgf_save", game, start, nodes: listForFile(tree, info.players) });
      download(new Blob([answer.text], { type: "application/x-go-sgf" }), `${this.name}.sgf`);
    } catch (error) {
      complain(error);
    }
  }

  async copy() {
    const address = location.href;
    const more = this.session.catalog.token ? " Others also need the token in the address that uctlab lab printed." : "";
    try {
      await navigator.clipboard.writeText(address);
      notify(`Link copied.${more}`);
    } catch {
      notify(address + more);
    }
  }
}
