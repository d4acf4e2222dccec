"""The options of agents: what each is for, its default and its range; groups that kinds share."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from uctlab.parts.listing import PART_OF
from uctlab.parts.part import Option

FINALS = {
    "visits": "the most visited move",
    "value": "the move with the highest value",
    "discounted": "the move with the most discounted visits",
    "both": "the most visited move if it also has the highest value; else the search goes on for "
    "up to as many playouts again, then visits decide",
}


BACKUPS = {
    "max": "1 - max_j v_j; coulom2006",
    "robust_max": "1 - v_j of the most visited j; coulom2006",
    "mix": "mean and best or most visited answer, weighted by visits; coulom2006",
    "power": "1 - (sum_j n_j/n v_j^p)^(1/p), p by power=; dam2020",
}
"""Backup operators that any agent may have in place of its own, modules of rules/backup; v_j is
the value of the answer j."""


FOR_OWN_RULES = "it is for your own rules, select= and backup="
C = Option(
    1.0,
    "weight of the exploration term",
    low=0,
    high=1e6,
    reads=frozenset("c"),
    title="Exploration c",
)
FPU = Option(
    math.inf,
    "first-play urgency, the value of an unvisited move; inf: try all first",
    title="First-play urgency",
)
EXPAND = Option(
    1.0,
    "playouts through a leaf before it is expanded; 0: at its first visit",
    low=0,
    title="Expand after",
)
_OWN_NUMBER = Option(
    0.0,
    "a number for your own rules",
    unread=FOR_OWN_RULES,
    not_on_page="it is for rules in Python files",
)
COMMON = {
    "playout": Option(
        "uniform",
        "playout policy: one of those that the game has, or one that learns during the search, "
        "for any game: mast, nst, lgr, lgrf",
        ("",),
        title="Playouts",
    ),
    "select": Option(
        "",
        "your own selection rule: the path of a .py file",
        ("",),
        not_on_page="it names a Python file",
    ),
    "backup": Option(
        "",
        f"another backup operator: {', '.join(BACKUPS)}, or your own, the path of a .py file",
        ("",),
        title="Backup operator",
    ),
    "power": Option(
        2.0,
        "backup=power: the exponent of the power mean",
        low=1,
        high=100,
        title="Exponent of the power mean",
        reads=frozenset({"power"}),
        unread="it is for backup=power",
    ),
    "a": replace(_OWN_NUMBER, reads=frozenset("a")),
    "b": replace(_OWN_NUMBER, about="another number for your own rules", reads=frozenset("b")),
}
ALIASES = {alias: name for name, part in PART_OF.items() for alias in part.options[name].aliases}
"""Earlier names of options, still found in stores and links."""
FUEGO_C = 0.7  # Fuego's exploration constant without RAVE
FUEGO: dict[str, Any] = {
    "rave": "fuego",
    "distance": "on",
    "ignore": 20.0,
    "prior": 1.0,
    "prune": "on",
    "playout": "heavy",
    "expand": 0.0,  # Fuego's threshold of 3 counts the weights of priors, which mostly reach it
    "fpu": 1.0,
}
PRESET = {
    "preset": Option(
        "none",
        "fuego: defaults for everything that makes up the agent fuego, except knowledge=trained "
        "and filter=on, which do not run on a GPU",
        ("none", "fuego"),
        title="Preset",
        sets_numbers=True,
    )
}


def final(default: str, *names: str) -> dict[str, Option]:
    about = "; ".join(f"{name}: {FINALS[name]}" for name in names)
    return {"final": Option(default, about, names, title="Move to play")}


def with_defaults(options: dict[str, Option], **defaults: Any) -> dict[str, Option]:
    return {
        name: replace(option, default=defaults.get(name, option.default))
        for name, option in options.items()
    }


TREE = {"c": C, "expand": EXPAND, "fpu": FPU}
PLAIN_FINAL = final("visits", "visits", "value", "both")
NO_BACKUP = {name: option for name, option in COMMON.items() if name not in ("backup", "power")}
