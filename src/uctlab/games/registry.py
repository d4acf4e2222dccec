"""Makes a game from its text: `othello`, `hex:11`, `go:9,komi=7.5`, `my_game.py:8`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from uctlab.errors import UsageError, name_hint
from uctlab.games.api import Game, build
from uctlab.games.families import FAMILIES
from uctlab.user_modules import load_module


def make_game(spec: str) -> Game:
    """Make a game from its name.

    Args:
        spec: A name with its options, such as "othello", "hex:11" or "go:9,komi=5.5", or the path
            of a Python file of your own with a function `make`, such as "my_game.py:8".

    Returns:
        The game.

    Examples:
        >>> uctlab.make_game("hex:11").name
        'hex:11'
    """
    if not isinstance(spec, str):
        raise UsageError(f"make_game takes a name such as hex:11, not a {type(spec).__name__}")
    family, rest = family_of(spec), spec.partition(":")[2]
    if is_own_file(spec):
        factory = load_module(family, ("make",)).make
    elif family in FAMILIES:
        factory = import_module(FAMILIES[family].module).make
    else:
        hint = name_hint(family, FAMILIES)
        raise UsageError(f"unknown game '{family}'; {hint}, or the path of a .py file")
    return build(family, factory, _defaults(factory) | _arguments(family, factory, rest))


def family_of(spec: str) -> str:
    """The part of a game's text before its options: "hex" of "hex:11", or the path of a file."""
    return spec.partition(":")[0]


def is_own_file(spec: str) -> bool:
    """Whether a text names a Python file instead of a game that ships with uctlab."""
    return family_of(spec).endswith(".py")


def own_files(spec: str) -> list[str]:
    """The Python file that the text of a game names, if it names one."""
    return [family_of(spec)] if is_own_file(spec) else []


def game_spec(family: str, **options: Any) -> str:
    """The text of a game with these options; the first one goes without its name."""
    values = [f"{name}={_written(value)}" for name, value in options.items()]
    values[:1] = [value.partition("=")[2] for value in values[:1]]
    return f"{family}:{','.join(values)}" if values else family


def _defaults(factory: Callable[..., Game]) -> dict[str, Any]:
    parameters = inspect.signature(factory).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    return ("off", "on")[value] if isinstance(value, bool) else f"{value:g}"


def _arguments(family: str, factory: Callable[..., Game], text: str) -> dict[str, Any]:
    """Arguments of the factory: the first one may stand alone, the others are named."""
    parameters = inspect.signature(factory).parameters
    arguments: dict[str, Any] = {}
    for number, part in enumerate(text.split(",") if text else []):
        name, equals, value = part.partition("=")
        if not equals and number == 0 and parameters:
            name, value = next(iter(parameters)), part
        if name not in parameters:
            hint = name_hint(f"{name}=", [f"{known}=" for known in parameters], "accepted")
            raise UsageError(f"{family}: unknown parameter '{part}'; {hint}")
        if name in arguments:
            raise UsageError(f"{family}: {name} is given twice")
        kind = type(parameters[name].default)
        if kind not in (bool, int, float, str):
            raise UsageError(f"{family}: make() needs a default for {name}, which shows its type")
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
