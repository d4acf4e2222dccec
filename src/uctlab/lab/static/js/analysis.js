// Lets an agent search every position of a line in the background, over a connection of its own.

import { Connection } from "./connection.js";
import { keep, keepAlone, untold } from "./kept.js";
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

  /** Search the positions of a line, except those that were searched as long by that agent already, and
   * what else has to be known to tell what each move cost. */
  async start(line) {
    this.stop();
    const { session } = this;
    const { agents, budget } = session;
    const agent = agents[0];
    const known = ({ kept }) => kept?.agent === agent && budget.kind === "playouts" && kept.side.playouts >= budget.amount;
    const connection = new Connection();
    const search = new Search(connection);
    this.search = search;
    this.total = line.length;
    this.done = 0;
    this.changed();
    try {
      for (const [i, node] of line.entries()) {
        await session.describe(node);
        if (this.search !== search) return;
        const open = !node.info.over && node.resigned === null;
        if (open && !known(node)) {
          if (!(await this.run({ position: node.position, agents: [agent], budget }))) return;
          keep(node, search);
          if (node === session.node) session.changedTree();
        }
        for (const { move, playouts } of open && line[i + 1] ? untold(line[i + 1]) : []) {
          const alone = { kind: "playouts", amount: playouts };
          if (!(await this.run({ position: node.position, agents: [agent], budget: alone, only: move }))) return;
          keepAlone(node, agent, move, playouts, search.sides[0].value);
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

  /** Search until the end; false if the analysis was stopped meanwhile. A search that is refused stops it. */
  async run(wanted) {
    const { search, session } = this;
    search.start({ owner: "analysis", pace: "full", seed: session.seed, watched: false, ...wanted });
    await ended(search);
    if (this.search !== search) return false;
    if (search.state !== "done") throw new Error(search.reason);
    return true;
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
