"""Habits of Go over GTP: either colour may move at any time, handicap stones, komi.

The protocol lets either colour move at any time, even after two passes. A turn that is left out is
a pass that does not count towards the end of the game; a move after the end reopens the game.
"""

from __future__ import annotations

from functools import partial

from uctlab.games.api import MOVE
from uctlab.games.capabilities import GtpHabits
from uctlab.games.position import Position

# Corners and edges as (column, row): 0 the low line, 1 the middle, 2 the high line.
_OUTER = ((0, 0), (2, 2), (0, 2), (2, 0), (0, 1), (2, 1), (1, 0), (1, 2))
_CENTRE = (1, 1)


def habits(size: int, komi: float) -> GtpHabits:
    return GtpHabits(
        turned=turned,
        reopens=True,
        captures=partial(_captures, size),
        rules_known=True,
        handicaps={n: _star_points(size, n) for n in range(2, _most_stones(size) + 1)},
        commands=(f"komi {komi:g}",),
    )


def turned(position: Position, player: int) -> Position:
    """The board with that player to move."""
    now = _reopened(position) if position.is_over else position
    return now if now.turn == player else _skipped(now)


def _reopened(position: Position) -> Position:
    """The same position with no passes counted."""
    state = position.game.new_states(1)
    state[0] = position.state
    state[0].passes = 0
    return Position(position.game, state[0], position.before, position.last_move)


def _skipped(now: Position) -> Position:
    """After a pass that is not counted."""
    after = _reopened(now)
    passing = now.game.parse_move("pass")
    now.game.kernels.play(after.state, MOVE.type(passing))
    after.state.passes = 0
    return Position(now.game, after.state, now, passing)


def _captures(size: int, position: Position, dead: frozenset[int]) -> frozenset[int]:
    """Legal moves next to dead stones."""
    near = set()
    for cell in dead:
        y, x = divmod(cell, size)
        near |= {(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)}
    cells = {y * size + x for y, x in near if 0 <= y < size and 0 <= x < size}
    return frozenset(cells & {*position.legal})


def _most_stones(size: int) -> int:
    """The largest fixed handicap."""
    if size < 7:
        return 0
    return 4 if size == 7 or size % 2 == 0 else 9


def _star_points(size: int, stones: int) -> tuple[int, ...]:
    """Cells of a fixed handicap of that many stones."""
    edge = 2 if size < 13 else 3  # lines from the edge
    lines = (edge, size // 2, size - 1 - edge)
    places = [*_OUTER[: stones - 1], _CENTRE] if stones in (5, 7, 9) else _OUTER[:stones]
    # Cells are counted from the top row, lines from the bottom.
    return tuple((size - 1 - lines[row]) * size + lines[column] for column, row in places)
