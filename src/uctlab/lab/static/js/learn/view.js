// The course: which of its pages is shown, and its address.

import { complain } from "../announcer.js";

const PAGE = /^([1-6]|playout)$/;

export class LearnView {
  /** onrun({view, position, agents, budget, seed}) opens an experiment elsewhere; ontitle() when another page is shown. */
  constructor(element, session, { onrun, ontitle }) {
    this.element = element;
    this.session = session;
    this.onrun = onrun;
    this.ontitle = ontitle;
    this.page = ""; // the list
    this.visible = false;
    this.content = null;
  }

  address() {
    return this.page ? `#learn/${this.page}` : "#learn";
  }

  title() {
    return this.content?.title;
  }

  /** The tab was pressed: from a page back to the list, from elsewhere to the page that was open. */
  top() {
    if (this.visible) this.follow(null, "");
  }

  /** Show what the address says; a page that is not there becomes the list. */
  follow(_query, page) {
    this.page = PAGE.test(page) ? page : "";
    if (this.visible) this.show();
  }

  enter() {
    this.visible = true;
    this.show();
  }

  leave() {
    this.visible = false;
    this.turn = null;
    this.close();
    this.element.replaceChildren();
  }

  close() {
    this.content?.leave();
    this.content = null;
  }

  async show() {
    const { page } = this;
    if (this.content && this.shown === page) return;
    const moved = this.content !== null;
    const turn = (this.turn = {});
    this.close();
    let content;
    try {
      const { makePage } = await import("./pages.js"); // not before somebody wants to learn
      content = await makePage(page, this.session, this.onrun);
    } catch (error) {
      complain(error);
      return;
    }
    if (this.turn !== turn) return;
    this.content = content;
    this.shown = page;
    this.element.replaceChildren(...content.elements);
    this.element.dataset.page = page || "list"; // for tests
    this.ontitle();
    content.enter();
    if (moved) {
      window.scrollTo(0, 0);
      this.element.querySelector("h1").focus({ preventScroll: true });
    }
  }

  key(event) {
    return this.content?.key(event) ?? false;
  }
}
