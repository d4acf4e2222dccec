// The websocket: requests with answers, and the stream of a search; see lab/messages.py.

const FIRST_WAIT = 500; // ms before the first attempt to reconnect; doubled each time up to the longest
const LONGEST_WAIT = 8000;
const STREAMED = new Set(["search", "queued"]);
const SENT_ONCE = new Set(["tree"]); // about a search, which is lost with the connection

/**
 * Reports "open" and "closed" as events, with the server's `reason`; `complain` gets errors that
 * answer no request. A request that was under way when the connection was lost is sent again; a
 * search is told that it was lost.
 */
export class Connection extends EventTarget {
  constructor() {
    super();
    this.next = 1;
    this.waiting = new Map(); // id -> {message, resolve, reject, sent}
    this.streams = new Map(); // id -> {message, listener, sent}
    this.wait = FIRST_WAIT;
    this.ended = false;
    this.complain = (/** @type {string} */ _text) => {};
    this.connect();
  }

  get up() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      for (const one of [...this.waiting.values(), ...this.streams.values()]) this.sendNow(one);
      this.dispatchEvent(new Event("open"));
    });
    socket.addEventListener("message", (event) => {
      this.wait = FIRST_WAIT; // not on opening: a full server opens the connection and closes it at once
      this.receive(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => {
      if (socket === this.socket) this.closed(event.reason);
    });
  }

  /** Try again at once, without waiting for the next attempt. */
  retry() {
    if (this.up || this.socket.readyState === WebSocket.CONNECTING) return;
    this.wait = FIRST_WAIT;
    this.connect();
  }

  /** Close it for good. */
  end() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket.close();
  }

  closed(reason) {
    const message = reason || "the connection to the lab was lost";
    this.reason = reason;
    for (const [id, one] of [...this.waiting]) {
      if (!one.sent) continue;
      one.sent = false;
      if (SENT_ONCE.has(one.message.type)) {
        this.waiting.delete(id);
        one.reject(new Error(message));
      }
    }
    for (const [id, { listener, sent }] of [...this.streams]) {
      if (!sent) continue;
      this.streams.delete(id);
      listener({ type: "lost", message });
    }
    this.dispatchEvent(new Event("closed"));
    if (this.ended) return;
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  receive(message) {
    const stream = this.streams.get(message.id);
    if (stream && (STREAMED.has(message.type) || message.type === "error")) return stream.listener(message);
    const waiting = this.waiting.get(message.id);
    if (!waiting) {
      if (message.type === "error") this.complain(message.message);
      return undefined;
    }
    this.waiting.delete(message.id);
    if (message.type === "error") return waiting.reject(new Error(message.message));
    return waiting.resolve(message);
  }

  sendNow(one) {
    if (!this.up) return;
    one.sent = true;
    this.socket.send(JSON.stringify(one.message));
  }

  /** The server's answer; an error message from the server becomes an exception. */
  request(message) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const one = { message: { ...message, id }, resolve, reject, sent: false };
      this.waiting.set(id, one);
      this.sendNow(one);
    });
  }

  /** Start a search; all messages about it go to `listener`. Returns the search's id. */
  stream(message, listener) {
    const id = this.next++;
    const one = { message: { ...message, id }, listener, sent: false };
    this.streams.set(id, one);
    this.sendNow(one);
    return id;
  }

  /** Send a message whose answer does not matter; without a connection there is nobody to tell. */
  tell(message) {
    if (this.up) this.socket.send(JSON.stringify({ ...message, id: this.next++ }));
  }

  forget(id) {
    this.streams.delete(id);
  }
}

/** GET JSON from the lab's server. */
export async function fetchJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: the server answered ${answer.status}`);
  return answer.json();
}
