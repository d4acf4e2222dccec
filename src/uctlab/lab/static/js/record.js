// Saves and shares games: loads and saves SGF files, copies the link.

import { complain, notify } from "./announcer.js";
import { button, el } from "./dom.js";

export class Record {
  constructor(session) {
    this.session = session;
    this.file = el("input", { type: "file", accept: ".sgf,.hsgf", class: "hidden", tabindex: -1 });
    this.file.setAttribute("aria-label", "SGF file");
    this.file.addEventListener("change", () => this.load());
    this.loadButton = button("Load SGF", () => this.file.click());
    this.saveButton = button("Save SGF", () => this.save());
    this.link = button("Copy link", () => this.copy());
    this.buttons = [this.loadButton, this.saveButton, this.link, this.file];
  }

  /** files: whether the game can be stored as SGF. */
  show(files) {
    this.loadButton.hidden = this.saveButton.hidden = !files;
  }

  async load() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    this.session.set({ you: "both" }); // otherwise the agent would move at once
    const message = { type: "sgf_load", text: await file.text() };
    if (await this.session.accept(message, `${file.name}: `)) {
      notify(`${file.name}: ${this.session.position.moves.length} moves`);
    }
  }

  async save() {
    const { connection, position } = this.session;
    try {
      const answer = await connection.request({ type: "sgf_save", position });
      const address = URL.createObjectURL(new Blob([answer.text], { type: "application/x-go-sgf" }));
      const name = `${position.game.replace(/\W+/g, "-")}.sgf`;
      el("a", { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    } catch (error) {
      complain(error);
    }
  }

  async copy() {
    const address = location.href;
    try {
      await navigator.clipboard.writeText(address);
      notify("Link copied.");
    } catch {
      notify(address);
    }
  }
}
