// Lets an agent search every position of a line in the background, over a connection of its own.

import { Connection } from "./connection.js";
import { keep } from "./kept.js";
import { Search } from "./search.js";

/** Reports "change" with its progress; `done` of `total` positions. */
export class Analysis extends EventTarget {
  constructor(session) {
    super();
    this.session = session;
    this.total = 0;
    this.done = 0;
    this.search = null;
  }

  get running() {
    return this.search !== null;
  }

  /** Search these positions, except those that were searched as long by that agent already. */
  async start(nodes) {
    this.stop();
    const { session } = this;
    const { agents, budget, seed } = session;
    const agent = agents[0];
    const known = ({ kept }) => kept?.agent === agent && budget.kind === "playouts" && kept.side.playouts >= budget.amount;
    const wanted = nodes.filter((node) => !known(node));
    const connection = new Connection();
    const search = new Search(connection);
    this.search = search;
    this.total = wanted.length;
    this.done = 0;
    this.changed();
    try {
      for (const node of wanted) {
        await session.describe(node);
        if (this.search !== search) return;
        if (!node.info.over && node.resigned === null) {
          search.start({ owner: "analysis", position: node.position, agents: [agent], budget, pace: "full", seed, watched: false });
          await ended(search);
          if (this.search !== search) return;
          keep(node, search);
          if (node === session.node) session.changedTree();
        }
        this.done += 1;
        this.changed();
      }
    } finally {
      connection.end();
      if (this.search === search) {
        this.search = null;
        this.changed();
      }
    }
  }

  stop() {
    const { search } = this;
    this.search = null;
    if (!search) return;
    search.drop();
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** Until a search is over; one that a lost connection has cut off is not. */
function ended(search) {
  return new Promise((resolve) => {
    const look = () => {
      if (search.live || search.lost) return;
      search.removeEventListener("change", look);
      resolve(undefined);
    };
    search.addEventListener("change", look);
    look();
  });
}
