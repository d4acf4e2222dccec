// The websocket: requests with answers, and the stream of a search; see lab/messages.py.

const FIRST_WAIT = 500; // ms before the first attempt to reconnect; doubled each time up to the longest
const LONGEST_WAIT = 8000;
const STREAMED = new Set(["search", "queued"]);

/** Reports "open" and "closed" as events, with the server's `reason`; `complain` gets errors that answer no request. */
export class Connection extends EventTarget {
  constructor() {
    super();
    this.next = 1;
    this.waiting = new Map(); // id -> {resolve, reject}
    this.streams = new Map(); // id -> listener
    this.unsent = [];
    this.wait = FIRST_WAIT;
    this.complain = (/** @type {string} */ _text) => {};
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("open", () => {
      for (const text of this.unsent.splice(0)) this.socket.send(text);
      this.dispatchEvent(new Event("open"));
    });
    this.socket.addEventListener("message", (event) => {
      this.wait = FIRST_WAIT; // not on opening: a full server opens the connection and closes it at once
      this.receive(JSON.parse(event.data));
    });
    this.socket.addEventListener("close", (event) => this.closed(event.reason));
  }

  closed(reason) {
    const lost = new Error(reason || "the connection to the lab was lost");
    this.reason = reason;
    for (const { reject } of this.waiting.values()) reject(lost);
    this.waiting.clear();
    for (const listener of this.streams.values()) listener({ type: "error", message: lost.message });
    this.streams.clear();
    this.unsent = [];
    this.dispatchEvent(new Event("closed"));
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
  }

  receive(message) {
    const stream = this.streams.get(message.id);
    if (stream && (STREAMED.has(message.type) || message.type === "error")) return stream(message);
    const waiting = this.waiting.get(message.id);
    if (!waiting) {
      if (message.type === "error") this.complain(message.message);
      return undefined;
    }
    this.waiting.delete(message.id);
    if (message.type === "error") return waiting.reject(new Error(message.message));
    return waiting.resolve(message);
  }

  send(message) {
    const text = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.unsent.push(text);
  }

  /** The server's answer; an error message from the server becomes an exception. */
  request(message) {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ ...message, id });
    });
  }

  /** Start a search; all messages about it go to `listener`. Returns the search's id. */
  stream(message, listener) {
    const id = this.next++;
    this.streams.set(id, listener);
    this.send({ ...message, id });
    return id;
  }

  /** Send a message whose answer does not matter. */
  tell(message) {
    this.send({ ...message, id: this.next++ });
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
