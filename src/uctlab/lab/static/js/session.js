// The state of one view with a board: a game, the position on the board, agents and their budget.

import { complain } from "./announcer.js";
import { GameTree, fromList, markPath } from "./game_tree.js";
import { readResigned } from "./resigned.js";

const YOU = ["first", "second", "both", "none"]; // which side the person plays
const REMEMBERED = 4; // games to which the browser's Back can return

/** The family of "hex:5,swap=on" is hex. */
export const family = (game) => game.split(":")[0];

const sameStart = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * @typedef {object} Settings
 * @property {string[]} [agents]
 * @property {{kind: string, amount: number}} [budget]
 * @property {string} [you]
 * @property {number} [seed]
 */

/** Reports "position" when the board has changed, "tree" when only its game has, "settings" when anything else has. */
export class Session extends EventTarget {
  /** usual(family): the agents of a game for which the person has chosen none. */
  constructor(connection, catalog, usual) {
    super();
    this.connection = connection;
    this.catalog = catalog;
    this.node = new GameTree("othello").root;
    this.games = new Map(); // id -> {tree, node}: games that were on the board
    this.usual = usual;
    this.chosen = new Map(); // family -> agents that the person or a link has chosen
    this.budget = { kind: "playouts", amount: 20000 };
    this.you = YOU[0];
    this.pace = "full";
    this.seed = null; // a number makes searches repeatable; null: a new seed for each
    this.resting = false; // looking at an earlier position: no agent moves by itself
    this.push = true; // whether the change just made belongs in the browser's history
  }

  get tree() {
    return this.node.tree;
  }

  get position() {
    return this.node.position;
  }

  /** The server's answer about the position on the board. */
  get info() {
    return this.node.info;
  }

  /** The kind of board that a game has: square, go, hex, havannah, tree or text. */
  board(game = this.position.game) {
    return this.catalog.games.find(({ name }) => name === family(game))?.board ?? "square";
  }

  /** Whether no move can follow: by the rules, or since a player has resigned. */
  get over() {
    return Boolean(this.info?.over) || this.node.resigned !== null;
  }

  /** Whether the person makes the next move. */
  get yours() {
    return this.resting || this.you === "both" || this.you === ["first", "second"][this.info?.turn];
  }

  /** The agents for the game on the board. */
  get agents() {
    return this.agentsFor(this.position.game);
  }

  set agents(agents) {
    this.chosen.set(family(this.position.game), agents);
  }

  agentsFor(game) {
    return this.chosen.get(family(game)) ?? this.usual(family(game));
  }

  /** The agent that makes the next move, or that is asked about it. */
  get agent() {
    return this.agents[this.you === "none" ? (this.info?.turn ?? 0) : 0];
  }

  set(changes) {
    Object.assign(this, changes);
    this.dispatchEvent(new Event("settings"));
  }

  /**
   * The settings of a link, as far as they are possible here.
   * @param {Settings} settings
   * @param {string} game
   * @returns {Settings}
   */
  possible({ agents, budget, you, ...rest }, game) {
    /** @type {Settings} */
    const told = { ...rest };
    if (YOU.includes(you)) told.you = you;
    if (budget) told.budget = this.allowed(budget);
    if (agents) told.agents = this.agentsFor(game).map((old, i) => this.known(agents[i]) ?? old);
    return told;
  }

  /** A budget within the server's limits, with whole playouts. */
  allowed({ kind, amount }) {
    const whole = kind === "playouts" ? Math.max(1, Math.round(amount)) : amount;
    return { kind, amount: Math.min(whole, this.catalog.limits[kind]) };
  }

  known(agent) {
    const name = agent?.split("(")[0].trim();
    if (!agent || this.catalog.agents.some((one) => one.name === name)) return agent;
    complain(new Error(`The link contains an unknown agent: ${name}`));
    return undefined;
  }

  /** Begin a game at a position, with new settings if `options` has them; a position that the server
   * refuses is reported and changes nothing. */
  async go(position, trouble = "", options = {}) {
    return this.accept({ type: "position", position }, trouble, options);
  }

  /** Send a request that is answered with a position, and begin a game there; `trouble` is put
   * before the error message if it is refused. */
  async accept(message, trouble = "", options = {}) {
    const info = await this.ask(message, trouble);
    if (!info) return false;
    const { game, start } = info.position;
    this.show(this.noted(new GameTree(game, start), info), options);
    return true;
  }

  /** Show a whole game with its variations, as the server has read it. */
  openTree({ nodes, left_out, ...info }, settings) {
    const { game, start } = info.position;
    const node = this.noted(fromList(game, start, nodes), info); // the end of the main line
    node.resigned = info.over ? null : readResigned(node.tree, info.players);
    this.show(node, { resting: true, settings });
  }

  /** The answer, or null if it was refused, which is reported, or if the person was faster. */
  async ask(message, trouble = "") {
    const turn = (this.asked = {});
    try {
      const info = await this.connection.request(message);
      return this.asked === turn ? info : null;
    } catch (error) {
      if (this.asked === turn) complain(new Error(trouble + error.message));
      return null;
    }
  }

  /** All positions of a game have the same cells: one list is enough for all. */
  shared(info) {
    const known = this.node.info;
    return known && known.position.game === info.position.game ? { ...info, cells: known.cells } : info;
  }

  /** Put a node on the board, and change the settings with it. */
  show(node, { resting = false, push = true, settings = {} } = {}) {
    this.asked = {}; // an answer under way is for another position
    this.games.delete(this.tree.id);
    if (this.info) this.games.set(this.tree.id, { tree: this.tree, node: this.node });
    for (const id of [...this.games.keys()].slice(0, -REMEMBERED)) this.games.delete(id);
    this.node = node;
    Object.assign(this, settings);
    this.resting = resting;
    this.push = push;
    markPath(node);
    this.dispatchEvent(new Event("position"));
  }

  /** Make a move; one that was not the game's next begins a variation. */
  async play(move) {
    const after = await this.described([...this.node.position.moves, move]);
    if (!after) return false;
    // A move made while looking back belongs to the game as it goes on from there. Agents that play
    // each other may have been paused while the server was asked.
    this.show(after, { resting: this.resting && this.you === "none" });
    return true;
  }

  /** Look at another position of the game. */
  async visit(node, { push = true } = {}) {
    if (!node || node === this.node) return false;
    if (!node.info && !(await this.described(node.position.moves))) return false;
    this.show(node, { resting: true, push });
    return true;
  }

  /** The node of this game after these moves, with the server's description. */
  async described(moves, tree = this.tree) {
    const known = tree.find(moves);
    if (known?.info) return known;
    const info = await this.ask({ type: "position", position: { game: tree.game, start: tree.start, moves } });
    if (!info) return null;
    return this.noted(tree, info);
  }

  /** The node of a tree that the server has described. */
  noted(tree, info) {
    const node = tree.follow(info.position.moves);
    node.info = this.shared(info);
    tree.firstTurn ??= (info.turn + node.depth) % 2;
    return node;
  }

  /** Let the server describe a node in the background, whatever the person does meanwhile. */
  async describe(node) {
    if (node.info) return;
    this.noted(node.tree, await this.connection.request({ type: "position", position: node.position }));
  }

  /** Whether a game, by its number, is or was on the board. */
  knows(id) {
    return (id === this.tree.id && Boolean(this.info)) || this.games.has(id);
  }

  /** Follow a link or the browser's history: in the game on the board or an earlier one, if it is of it.
   * No agent moves there by itself. */
  async follow(position, id, settings) {
    const tree = id === this.tree.id ? this.tree : (this.games.get(id)?.tree ?? this.tree);
    const known = this.info || tree !== this.tree;
    const same = known && tree.game === position.game && sameStart(tree.start, position.start);
    if (!same) return this.open(position, settings);
    const node = await this.described(position.moves, tree);
    if (node === this.node) this.set(settings);
    else if (node) this.show(node, { resting: true, push: false, settings });
    return Boolean(node);
  }

  /**
   * Open a link's position. Where it is wrong, the same game opens at its start, or the same kind of
   * game in its usual size; false if there is no such game.
   */
  async open(position, settings) {
    const trouble = "The link contains no valid position: ";
    const options = { resting: true, push: false, settings };
    if (await this.go(position, trouble, options)) return true;
    const usual = this.catalog.games.find(({ name }) => name === family(position.game))?.spec;
    if (!usual) return false;
    const plain = { start: null, moves: [] };
    const quiet = (game) => this.connection.request({ type: "position", position: { game, ...plain } }).catch(() => null);
    const game = (await quiet(position.game)) ? position.game : usual;
    return this.go({ game, ...plain }, "", options);
  }

  changedTree() {
    this.dispatchEvent(new Event("tree"));
  }
}
