"""The user's own games in the lab, by names that a browser may say: a path never comes from one.

The program's user offers a game on the command line; the lab's processes offer it too. Its board is
its text (board_text.js), since its cells need not be moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from uctlab.errors import UsageError
from uctlab.games import FAMILIES, Game, make_game
from uctlab.games.registry import family_of, game_spec, is_own_file
from uctlab.lab import limits


@dataclass(frozen=True)
class OwnGame:
    path: str
    game: Game
    """With the options of the command line."""


_offered: dict[str, OwnGame] = {}


def offer(spec: str) -> str:
    """Let browsers ask for a game; returns its name there."""
    game = make_game(spec)
    if not is_own_file(spec):
        return game.name
    path = Path(family_of(spec)).resolve()
    for move in filter(None, game.move_names):
        if not is_move_name(move):
            raise UsageError(
                f"{path.name}: the lab cannot show the move {move!r}; accepted: up to "
                f"{limits.MOVE_NAME} characters without spaces and commas"
            )
    name = re.sub(r"[^a-z0-9_]", "_", path.stem.lower())
    if name in FAMILIES or not name[0].isalpha():
        name = f"own_{name}"
    _offered[name] = OwnGame(str(path), game)
    return name


def offered() -> tuple[str, ...]:
    return tuple(_offered)


def offered_specs() -> list[str]:
    """What other processes have to offer."""
    return [game_spec(own.path, **own.game.options) for own in _offered.values()]


def is_known(spec: str) -> bool:
    """Whether a browser may ask for that game."""
    return family_of(spec) in FAMILIES or is_own(spec)


def is_own(spec: str) -> bool:
    return family_of(spec) in _offered


def lab_game(spec: str) -> Game:
    """A game by the name that the browser has for it."""
    if not is_own(spec):
        return make_game(spec)
    name, _, text = spec.partition(":")
    own = _offered[name]
    if not text:
        return replace(own.game, name=name)
    options = {**own.game.options, **_read(name, text.split(","), own.game.options)}
    return replace(make_game(game_spec(own.path, **options)), name=spec)


def _read(name: str, parts: list[str], accepted: Iterable[str]) -> dict[str, str]:
    """The options in a game's text; the first may stand alone."""
    names = list(accepted)
    if names and "=" not in parts[0]:
        parts = [f"{names[0]}={parts[0]}", *parts[1:]]
    given = {}
    for part in parts:
        key, _, value = part.partition("=")
        if key not in names:
            known = ", ".join(f"{one}=" for one in names) or "none"
            raise UsageError(f"{name}: unknown parameter '{part}'; accepted: {known}")
        given[key] = value
    return given


def is_move_name(text: str) -> bool:
    """Whether messages and links can carry it."""
    short = 0 < len(text) <= limits.MOVE_NAME
    return short and text.isprintable() and not set(text) & {" ", ","}
