"""Turns a position as the browser stores it into everything that a board shows.

Rules are interpreted where that takes milliseconds, so that nobody waits for the compiler; a rule
against repetition, as in Go, needs machine code.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.named import NAMED, letters_of, named_position
from uctlab.lab.own_games import is_own, lab_game
from uctlab.lab.requests import PositionValue
from uctlab.lab.tree_board import tree_cells

REMEMBERED = 256  # positions from which the next one may follow
ROW_HEIGHT = math.sqrt(3) / 2  # of hexagonal boards, in widths of a cell
OWNERS = ("", "first", "second")


@lru_cache(maxsize=32)
def game_of(spec: str) -> Game:
    """The game of that name, for showing positions."""
    game = lab_game(spec)
    return game if needs_compiler(game) else game.interpreted()


def needs_compiler(game: Game) -> bool:
    """Whether showing a position takes too long in plain Python."""
    return game.same_board is not None


class Positions:
    """Makes positions and caches the latest ones."""

    def __init__(self) -> None:
        self._known: OrderedDict[PositionKey, Position] = OrderedDict()
        self._described: OrderedDict[PositionKey, dict[str, Any]] = OrderedDict()

    def position(self, value: PositionValue) -> dict[str, Any]:
        key = _key(value, value.moves)
        if key not in self._described:
            self._described[key] = describe(self.find(value), value.start)
        return _remember(self._described, key)

    def setup(self, spec: str, stones: dict[str, int], turn: int) -> dict[str, Any]:
        """A position with those stones; the browser gets it as a diagram."""
        game = game_of(spec)
        if game.diagram is None or is_own(spec):
            raise UsageError(f"{game.name} has no set-up positions")
        owners = np.zeros(game.diagram.cells, np.int8)
        cells = {code for row in game.diagram.rows for code in row}
        for name, owner in stones.items():
            code = game.parse_move(name)
            if code not in cells:
                raise UsageError(f"{game.name}: {name} is not a cell of the board")
            owners[code] = owner
        position = Position.from_stones(game, owners, turn)
        return describe(position, {"diagram": _drawn(position)})

    def judge(self, value: PositionValue) -> dict[str, Any]:
        """The dead stones of a game that is over, and the count without them."""
        position = self.find(value)
        if position.game.referee is None or not position.is_over:
            raise UsageError(f"{position.game.name} has no dead stones here")
        verdict = position.game.referee(position)
        return {
            "dead": [position.game.move_name(cell) for cell in sorted(verdict.dead)],
            **count_facts(position, verdict.dead, True),
        }

    def find(self, value: PositionValue) -> Position:
        """Replay the moves after the longest cached prefix."""
        length = len(value.moves)
        while length > 0 and _key(value, value.moves[:length]) not in self._known:
            length -= 1
        known = self._known.get(_key(value, value.moves[:length]))
        position = known or start_position(game_of(value.game), value.start)
        for move in value.moves[length:]:
            position = position.play(move)
        key = _key(value, value.moves)
        self._known[key] = position
        return _remember(self._known, key)


PositionKey = tuple[str, tuple[tuple[str, str], ...], tuple[str, ...]]
T = TypeVar("T")


def _key(value: PositionValue, moves: tuple[str, ...]) -> PositionKey:
    return value.game, tuple(value.start.items()) if value.start else (), moves


def _remember(kept: OrderedDict[PositionKey, T], key: PositionKey) -> T:
    """Mark a key as just used and return its value; the least recently used are dropped."""
    kept.move_to_end(key)
    while len(kept) > REMEMBERED:
        kept.popitem(last=False)
    return kept[key]


def start_position(game: Game, start: dict[str, str] | None) -> Position:
    if start is None:
        return Position.start(game)
    if "name" in start:
        if start["name"] not in NAMED:
            raise UsageError(f"there is no position of that name; known: {', '.join(NAMED)}")
        return named_position(game, start["name"])
    return Position.from_diagram(game, start["diagram"])


def position_of(game: Game, value: PositionValue) -> Position:
    """The position of a value in a game that the caller has made."""
    position = start_position(game, value.start)
    for move in value.moves:
        position = position.play(move)
    return position


def describe(position: Position, start: dict[str, str] | None) -> dict[str, Any]:
    """Everything that a board shows."""
    game, over = position.game, position.is_over
    names = [game.move_name(move) for move in position.moves]
    value = PositionValue(game.name, start, tuple(names))
    result = position.result if over else None
    legal = position.legal_moves
    return {
        "position": value.as_json(),
        "turn": position.turn,
        "players": list(game.players),
        "to_move": None if over else game.players[position.turn],
        "over": over,
        "result": result,
        "winner": {1.0: "first", 0.0: "second"}.get(result) if result is not None else None,
        **_points(position, over),
        "text": outcome_text(position),
        "legal": legal,
        "passes": "pass" in legal,
        "last": names[-1] if names else None,
        "stones": stones_of(position),
        "win": winning_cells(position),
        "letters": dict(letters_of(position)) or None,
        "cells": board_cells(game.name),
        "ascii": str(position),
    }


def _points(position: Position, over: bool) -> dict[str, Any]:
    """How a game that is won by points stands: in words, by how much, and at its end by cells."""
    game = position.game
    known = game.point_lead is not None and not is_own(game.name)
    facts: dict[str, Any] = {"count": None, "lead": None, "area": None}
    if known:
        facts |= count_facts(position, frozenset(), over)
    return {**facts, "referee": known and game.referee is not None}


def count_facts(position: Position, dead: frozenset[int], with_area: bool) -> dict[str, Any]:
    game = position.game
    assert game.point_lead is not None
    if game.area is None:
        lead = game.point_lead(position)
        return {"count": lead_text(game, lead), "lead": lead}
    standing = game.area(position, frozenset())
    owners = game.area(position, dead)
    komi = _lead(standing) - game.point_lead(position)  # points that the second player gets
    lead = _lead(owners) - komi
    points = [f"{name} {np.count_nonzero(owners == i)}" for i, name in enumerate(game.players, 1)]
    text = ", ".join(points) + (f" and {komi:g} komi" if komi else "")
    facts: dict[str, Any] = {"count": text, "lead": lead, "text": lead_text(game, lead)}
    if with_area:
        facts["area"] = {
            game.move_name(int(code)): OWNERS[owners[code]] for code in np.flatnonzero(owners)
        }
    return facts


def _lead(owners: np.ndarray) -> float:
    return float(np.count_nonzero(owners == 1) - np.count_nonzero(owners == 2))


def lead_text(game: Game, lead: float) -> str:
    """Who is ahead, and by how much."""
    if lead == 0:
        return "the points are equal"
    return f"{game.players[0 if lead > 0 else 1]} is ahead by {abs(lead):g}"


def outcome_text(position: Position) -> str:
    """Whose move it is, or how the game has ended."""
    players = position.game.players
    if not position.is_over:
        return f"{players[position.turn]} to move"
    if position.result == 0.5:
        return "The game is a draw"
    return f"{players[0 if position.result == 1.0 else 1]} has won"


def winning_cells(position: Position) -> list[str]:
    """Names of the cells that won the game; none where no shape wins it."""
    shape = position.game.winning_shape
    if shape is None or not position.is_over or position.result == 0.5:
        return []
    return [position.game.move_name(cell) for cell in shape(position)]


def stones_of(position: Position) -> dict[str, str]:
    game = position.game
    if game.diagram is None or is_own(game.name):
        return {}
    owners = position.stones
    return {game.move_name(int(code)): OWNERS[owners[code]] for code in np.flatnonzero(owners)}


@lru_cache(maxsize=64)
def board_cells(spec: str) -> list[dict[str, Any]]:
    """Every cell with its position in units of a cell's width; for `deceptive`, every node; none
    for a game that is shown as text, such as a user's own, whose cells need not be moves."""
    if is_own(spec):
        return []
    game = game_of(spec)
    if game.text is not None:
        return []
    if game.diagram is None:
        return tree_cells(game)
    indents = game.diagram.indents or (0,) * len(game.diagram.rows)
    height = ROW_HEIGHT if game.diagram.indents else 1.0
    return [
        {
            "name": game.move_name(code),
            "x": column + indent / 2,
            "y": round(row * height, 6),
            "row": row,
            "column": column,
        }
        for row, (codes, indent) in enumerate(zip(game.diagram.rows, indents, strict=True))
        for column, code in enumerate(codes)
    ]


def start_of(position: Position) -> dict[str, str] | None:
    first = position.first
    usual = Position.start(position.game)
    if first.turn == usual.turn and np.array_equal(first.stones, usual.stones):
        return None
    return {"diagram": _drawn(first)}


def _drawn(position: Position) -> str:
    assert position.game.diagram is not None
    return position.game.diagram.draw(position.stones, position.turn)
