"""GTP commands that place handicap stones, in games that have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.protocol.gtp_board import Board
from uctlab.protocol.gtp_line import whole_number
from uctlab.protocol.gtp_session import Command, Session


def _fixed_handicap(session: Session, arguments: list[str]) -> str:
    stones = whole_number(arguments[0])
    handicaps = _check_empty(session)
    _check_number(stones, max(handicaps, default=0))
    return _place(session, handicaps[stones])


def _place_free_handicap(session: Session, arguments: list[str]) -> str:
    """Places a fixed handicap; the protocol lets an engine place fewer stones than asked for."""
    stones = whole_number(arguments[0])
    handicaps = _check_empty(session)
    most = max(handicaps, default=0)
    _check_number(stones, len(_cells(session)) - 1 if most else 0)
    return _place(session, handicaps[min(stones, most)])


def _set_free_handicap(session: Session, arguments: list[str]) -> str:
    _check_empty(session)
    board = _cells(session)
    _check_number(len(arguments), len(board) - 1)
    cells = [session.engine.names.move(vertex) for vertex in arguments]
    if len(set(cells)) < len(cells) or not set(cells) <= board:
        raise UsageError("bad vertex list; accepted: different points")
    _place(session, cells)
    return ""


def _check_empty(session: Session) -> Mapping[int, tuple[int, ...]]:
    """The fixed handicaps of the game, which must not have begun."""
    board = session.engine.board
    if board.game.gtp.handicaps is None:
        raise UsageError(f"{board.game.name} has no handicap")
    if not board.fresh:
        raise UsageError("board not empty")
    return board.game.gtp.handicaps


def _cells(session: Session) -> set[int]:
    diagram = session.engine.game.diagram
    return {cell for row in diagram.rows for cell in row} if diagram else set()


def _check_number(stones: int, most: int) -> None:
    if not 2 <= stones <= most:
        accepted = f"2 to {most}" if most >= 2 else "none on a board of this size"
        raise UsageError(f"invalid number of stones {stones}; accepted: {accepted}")


def _place(session: Session, cells: Sequence[int]) -> str:
    """The first player's stones on the board, and the second player to move."""
    engine = session.engine
    stones = np.zeros_like(engine.board.position.stones)
    stones[list(cells)] = 1
    engine.begin(Board(Position.from_stones(engine.board.game, stones, 1)))
    return " ".join(engine.names.vertex(cell) for cell in cells)


HANDICAP_COMMANDS = {
    "fixed_handicap": Command(_fixed_handicap, "stones"),
    "place_free_handicap": Command(_place_free_handicap, "stones"),
    "set_free_handicap": Command(_set_free_handicap, "vertex ..."),
}
