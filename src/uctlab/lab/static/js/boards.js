// Chooses the right kind of board for a position.

import { CellBoard } from "./board.js";
import { TextBoard } from "./board_text.js";
import { TreeBoard } from "./board_tree.js";
import { family } from "./session.js";

/** Each cell with integer coordinates {name, x, y}; on hexagonal boards x runs along slanted lines. */
function cellsOf(info, kind) {
  const slanted = kind === "hex" || kind === "havannah";
  const cells = info.cells.map(({ name, x, row, column }) => ({
    name,
    x: slanted ? Math.round(x - row / 2) : column,
    y: row,
  }));
  const left = Math.min(...cells.map((cell) => cell.x));
  for (const cell of cells) cell.x -= left;
  return cells;
}

/** A place on the page that holds a board and replaces it when the game changes. */
export class BoardHolder {
  constructor(element, session, handlers = {}) {
    this.element = element;
    this.session = session;
    this.handlers = handlers;
  }

  /** Takes the arguments of the show of CellBoard, TreeBoard or TextBoard. */
  show(view) {
    const { game } = view.info.position;
    if (game !== this.game) {
      this.game = game;
      this.board = this.make(view.info, game);
      this.element.replaceChildren(this.board.element);
      this.element.dataset.board = this.session.board(game);
    }
    this.board.show(view);
  }

  make(info, game) {
    const kind = this.session.board(game);
    if (kind === "tree") return new TreeBoard(game, "The deceptive tree", this.handlers);
    const title = this.session.catalog.games.find((one) => one.name === family(game))?.title;
    if (kind === "text") return new TextBoard(`${title} board`, this.handlers);
    return new CellBoard(kind, cellsOf(info, kind), `${title ?? game} board`, this.handlers);
  }
}
