"""Handicap stones in Go, where the protocol puts them."""

from __future__ import annotations

import numpy as np

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.go.game import is_go
from uctlab.protocol.gtp_board import Board
from uctlab.protocol.gtp_line import whole_number
from uctlab.protocol.gtp_session import Command, Session

# Corners and edges as (column, row): 0 the low line, 1 the middle, 2 the high line.
_OUTER = ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2))
_CENTRE = (1, 1)


def _most_stones(game: Game) -> int:
    """Of a fixed handicap."""
    size = int(game.constants["SIZE"])
    if size < 7:
        return 0
    return 4 if size == 7 or size % 2 == 0 else 9


def _star_points(game: Game, stones: int) -> list[int]:
    """Cells of a fixed handicap of that many stones."""
    size = int(game.constants["SIZE"])
    edge = 2 if size < 13 else 3  # lines from the edge
    lines = (edge, size // 2, size - 1 - edge)
    places = [*_OUTER[: stones - 1], _CENTRE] if stones in (5, 7, 9) else _OUTER[:stones]
    # Cells are counted from the top row, lines from the bottom.
    return [(size - 1 - lines[row]) * size + lines[column] for column, row in places]


def _fixed_handicap(session: Session, arguments: list[str]) -> str:
    stones = whole_number(arguments[0])
    game = _check_empty(session)
    _check_number(stones, _most_stones(game))
    return _place(session, _star_points(game, stones))


def _place_free_handicap(session: Session, arguments: list[str]) -> str:
    """On star points; the protocol lets an engine place fewer stones than asked."""
    stones = whole_number(arguments[0])
    game = _check_empty(session)
    most = _most_stones(game)
    _check_number(stones, game.max_moves - 2 if most else 0)
    return _place(session, _star_points(game, min(stones, most)))


def _set_free_handicap(session: Session, arguments: list[str]) -> str:
    game = _check_empty(session)
    _check_number(len(arguments), game.max_moves - 2)
    cells = [session.engine.names.move(vertex) for vertex in arguments]
    if len(set(cells)) < len(cells) or game.parse_move("pass") in cells:
        raise UsageError("bad vertex list; accepted: different points")
    _place(session, cells)
    return ""


def _check_empty(session: Session) -> Game:
    board = session.engine.board
    if not is_go(board.game):
        raise UsageError(f"{board.game.name} has no handicap")
    if not board.fresh:
        raise UsageError("board not empty")
    return board.game


def _check_number(stones: int, most: int) -> None:
    if not 2 <= stones <= most:
        accepted = f"2 to {most}" if most >= 2 else "none on a board of this size"
        raise UsageError(f"invalid number of stones {stones}; accepted: {accepted}")


def _place(session: Session, cells: list[int]) -> str:
    """Black's stones on the board, and White to move."""
    engine = session.engine
    stones = np.zeros(engine.game.max_moves - 1, np.int8)  # every point is a move, and the pass
    stones[cells] = 1
    engine.begin(Board(Position.from_stones(engine.game, stones, 1)))
    return " ".join(engine.names.vertex(cell) for cell in cells)


HANDICAP_COMMANDS = {
    "fixed_handicap": Command(_fixed_handicap, "stones"),
    "place_free_handicap": Command(_place_free_handicap, "stones"),
    "set_free_handicap": Command(_set_free_handicap, "vertex ..."),
}
