// The state that the views share: a position, agents, and their budget.

import { complain } from "./announcer.js";

const YOU = ["first", "second", "both", "none"]; // which side the person plays

/** The family of "hex:5,swap=on" is hex. */
export const family = (game) => game.split(":")[0];

/**
 * @typedef {object} Settings
 * @property {string[]} [agents]
 * @property {{kind: string, amount: number}} [budget]
 * @property {string} [you]
 * @property {number} [seed]
 */

/** Reports "position" when the board has changed, "settings" when anything else has. */
export class Session extends EventTarget {
  constructor(connection, catalog) {
    super();
    this.connection = connection;
    this.catalog = catalog;
    this.position = { game: "othello", start: null, moves: [] };
    this.info = null; // the server's answer about the position
    this.agents = ["auct(k=3)", "uct"];
    this.budget = { kind: "playouts", amount: 20000 };
    this.you = YOU[0];
    this.pace = "full";
    this.seed = null; // a number makes searches repeatable; null: a new seed for each
  }

  /** The kind of board that a game has: square, go, hex, havannah, tree or text. */
  board(game = this.position.game) {
    return this.catalog.games.find(({ name }) => name === family(game))?.board ?? "square";
  }

  /** Whether the person makes the next move. */
  get yours() {
    return this.you === "both" || this.you === ["first", "second"][this.info?.turn];
  }

  set(changes) {
    Object.assign(this, changes);
    this.dispatchEvent(new Event("settings"));
  }

  /**
   * The settings of a link, as far as they are possible here.
   * @param {Settings} settings
   * @returns {Settings}
   */
  possible({ agents, budget, you, ...rest }) {
    /** @type {Settings} */
    const told = { ...rest };
    if (YOU.includes(you)) told.you = you;
    if (budget) {
      told.budget = { ...budget, amount: Math.min(budget.amount, this.catalog.limits[budget.kind]) };
    }
    if (agents) told.agents = this.agents.map((old, i) => this.known(agents[i]) ?? old);
    return told;
  }

  known(agent) {
    const name = agent?.split("(")[0].trim();
    if (!agent || this.catalog.agents.some((one) => one.name === name)) return agent;
    complain(new Error(`The link contains an unknown agent: ${name}`));
    return undefined;
  }

  /** Go to a position; one that the server refuses is reported and changes nothing. */
  async go(position, trouble = "") {
    return this.accept({ type: "position", position }, trouble);
  }

  /** Send a request that is answered with a position, and go there; `trouble` is put before the
   * error message if it is refused. */
  async accept(message, trouble = "") {
    const turn = (this.asked = {});
    try {
      const info = await this.connection.request(message);
      if (this.asked !== turn) return false; // the person was faster
      this.info = info;
      this.position = info.position;
      this.dispatchEvent(new Event("position"));
      return true;
    } catch (error) {
      complain(new Error(trouble + error.message));
      return false;
    }
  }

  play(move) {
    return this.go({ ...this.position, moves: [...this.position.moves, move] });
  }

  /** Drop the last moves. */
  undo(plies = 1) {
    const moves = this.position.moves.slice(0, -plies);
    return this.go({ ...this.position, moves });
  }
}
