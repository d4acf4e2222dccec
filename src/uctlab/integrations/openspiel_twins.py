"""Games that both OpenSpiel and uctlab have, and which action is which move.

Boards differ in how they are numbered: in OpenSpiel's Go row 0 is at the bottom, ours at the top;
the rows of its Havannah lean the other way, which a mirror makes up for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pyspiel

from uctlab.errors import UsageError
from uctlab.games import Game, make_game

NO_CELL = -1


@dataclass(frozen=True)
class Twin:
    """A game of ours that plays like one of OpenSpiel's."""

    game: Game
    codes: tuple[int, ...]
    """Our code of each of OpenSpiel's actions; NO_CELL where it numbers more cells than there
    are."""


def twin_of(theirs: pyspiel.Game) -> Twin | None:
    """Our compiled game with the same rules and the code of each action; None if there is none.

    Two rules of OpenSpiel's Go are not ours: it ends after `max_game_length` moves, and as a draw
    when a board comes back, which we forbid.
    """
    name, given = theirs.get_type().short_name, theirs.get_parameters()
    spec, codes = TWINS[name](given) if name in TWINS else ("", ())
    if not spec:
        return None
    try:
        return Twin(make_game(spec), codes)
    except UsageError:  # a size or a komi that is not accepted here
        return None


Found = tuple[str, tuple[int, ...]]


def _othello(_: Mapping[str, Any]) -> Found:
    return "othello", tuple(range(65))


def _hex(given: Mapping[str, Any]) -> Found:
    size, swap = given["num_cols"], given["swap"]
    if given["num_rows"] != size:
        return "", ()
    return f"hex:{size}" + (",swap=on" if swap else ""), tuple(range(size * size + swap))


def _havannah(given: Mapping[str, Any]) -> Found:
    side = given["board_size"]
    if given["swap"]:
        return "", ()
    line = 2 * side - 1
    cells = [(x, y) for y in range(line) for x in range(line)]
    codes = tuple(y * line + line - 1 - x if abs(x - y) < side else NO_CELL for x, y in cells)
    return f"havannah:{side}", codes


def _go(given: Mapping[str, Any]) -> Found:
    size = given["board_size"]
    if given["handicap"]:
        return "", ()
    points = [(x, y) for y in range(size) for x in range(size)]
    codes = (*((size - 1 - y) * size + x for x, y in points), size * size)
    return f"go:{size},komi={given['komi']:g}", codes


TWINS: dict[str, Callable[[Mapping[str, Any]], Found]] = {
    "othello": _othello,
    "hex": _hex,
    "havannah": _havannah,
    "go": _go,
}
