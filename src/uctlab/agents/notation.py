"""Parses and writes the text of an agent, such as uct, uct(c=0.7) or auct(k=3,expand=10)."""

from __future__ import annotations

import math
import re
from typing import Any

from uctlab.agents.kinds import AGENTS
from uctlab.agents.options import ALIASES
from uctlab.errors import UsageError, name_hint
from uctlab.parts.listing import PART_OF
from uctlab.parts.part import Option


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """The kind and its arguments, checked, under the names they were written with."""
    match = re.fullmatch(r"\s*([\w]+)\s*(?:\((.*)\))?\s*", text)
    if match is None:
        raise UsageError(f"'{text}' is not an agent; write one as uct or uct(c=0.7,expand=10)")
    name, inside = match.group(1), match.group(2) or ""
    if name not in AGENTS:
        raise UsageError(f"unknown agent '{name}'; {name_hint(name, AGENTS)}")
    options = AGENTS[name].options
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in inside.split(","))):
        written_key, equals, value = (piece.strip() for piece in part.partition("="))
        key = ALIASES.get(written_key, written_key)
        missing = PART_OF[key].missing if key in PART_OF and key not in options else ""
        if missing:
            able = ", ".join(kind for kind, facts in AGENTS.items() if key in facts.options)
            raise UsageError(f"{name} {missing}; {key}= is for {able}")
        if not equals or key not in options:
            hint = name_hint(f"{key}=", [f"{option}=" for option in options], "accepted")
            raise UsageError(f"{name}: unknown parameter '{part}'; {hint}")
        if key in canonical(given):
            raise UsageError(f"{name}: {key} is given twice")
        given[written_key] = _convert(name, key, value, options[key])
    return name, given


def canonical(given: dict[str, Any]) -> dict[str, Any]:
    """The same arguments under their current names.

    An agent's own name keeps the spelling it was given, as seeds and stores depend on it.
    """
    return {ALIASES.get(key, key): value for key, value in given.items()}


def _convert(agent: str, key: str, value: str, option: Option) -> Any:
    if option.choices:
        if option.choices != ("",) and value not in option.choices:
            accepted = ", ".join(option.choices)
            raise UsageError(f"{agent}: {key}={value} is not accepted; accepted: {accepted}")
        return value
    if value in option.words:
        return value
    try:
        number = float(value)
    except ValueError:
        accepted = " or ".join(("a number", *option.words))
        raise UsageError(f"{agent}: {key} must be {accepted}, not '{value}'") from None
    if option.whole and number != int(number):
        raise UsageError(f"{agent}: {key} must be a whole number, not {number:g}")
    if not option.low <= number <= option.high:  # also false for nan
        limits = [f"at least {option.low:g}"] if option.low > -math.inf else []
        limits += [f"at most {option.high:g}"] if option.high < math.inf else []
        limits = limits or ["a number"]
        raise UsageError(
            f"{agent}: {key}={value} is not accepted; it must be {' and '.join(limits)}"
        )
    return number


def value_text(value: Any) -> str:
    """A parameter as text, with all its digits."""
    if not isinstance(value, float):
        return str(value)
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def written(name: str, given: dict[str, Any]) -> str:
    if not given:
        return name
    parts = (f"{key}={value_text(value)}" for key, value in given.items())
    return f"{name}({','.join(parts)})"
