"""From the name of a game to its rules: `othello`, `hex:11`, `go:9,komi=7.5`, `my_game.py:8`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from uctlab.errors import UsageError
from uctlab.games import deceptive, go, havannah, hex, othello
from uctlab.games.api import Game
from uctlab.user_modules import load_module

FAMILIES: dict[str, Callable[..., Game]] = {
    "othello": othello.make,
    "hex": hex.make,
    "havannah": havannah.make,
    "go": go.make,
    "deceptive": deceptive.make,
}


def make_game(spec: str) -> Game:
    """The game of that name; a path that ends in .py names a file with a function `make`."""
    family, _, rest = spec.partition(":")
    if family.endswith(".py"):
        factory = load_module(family, ("make",)).make
    elif family in FAMILIES:
        factory = FAMILIES[family]
    else:
        known = ", ".join(FAMILIES)
        raise UsageError(f"unknown game '{family}'; known: {known}, or the path of a .py file")
    arguments = _arguments(family, factory, rest)
    try:
        game = factory(**arguments)
    except UsageError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(f"{family}: make() does not return a game: {what}") from error
    if not isinstance(game, Game):
        raise UsageError(f"{family}: make() returns a {type(game).__name__}, not a Game")
    return game


def usage(family: str) -> str:
    """The form of a game's name with its defaults, such as hex:11,swap=off."""
    parameters = list(inspect.signature(FAMILIES[family]).parameters.values())
    if not parameters:
        return family
    first, *others = parameters
    named = "".join(f",{p.name}={_written(p.default)}" for p in others)
    return f"{family}:{_written(first.default)}{named}"


def _written(value: Any) -> str:
    return ("off", "on")[value] if isinstance(value, bool) else f"{value:g}"


def _arguments(family: str, factory: Callable[..., Game], text: str) -> dict[str, Any]:
    """Arguments of the factory: the first parameter stands alone, the others are named."""
    parameters = inspect.signature(factory).parameters
    accepted = ", ".join(f"{name}=" for name in parameters) or "none"
    arguments: dict[str, Any] = {}
    for number, part in enumerate(text.split(",") if text else []):
        name, equals, value = part.partition("=")
        if not equals and number == 0 and parameters:
            name, value = next(iter(parameters)), part
        if name not in parameters:
            raise UsageError(f"{family}: unknown parameter '{part}'; accepted: {accepted}")
        if name in arguments:
            raise UsageError(f"{family}: {name} is given twice")
        kind = type(parameters[name].default)
        if kind not in (bool, int, float, str):
            raise UsageError(f"{family}: make() needs a default for {name}, which tells its type")
        arguments[name] = _convert(family, name, value, kind)
    return arguments


def _convert(family: str, name: str, value: str, kind: type) -> Any:
    if kind is bool:
        if value not in ("on", "off"):
            raise UsageError(f"{family}: {name}={value} is not accepted; accepted: on, off")
        return value == "on"
    try:
        return kind(value)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise UsageError(f"{family}: {name} must be {what}, not '{value}'") from None
