"""All kinds of agents and their options, for the parser, its errors and `uctlab agents`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

FINALS = {
    "visits": "the most visited move",
    "value": "the move with the highest value",
    "discounted": "the move with the most discounted visits",
    "both": "the most visited move if it also has the highest value; else the search goes on for "
    "up to as many playouts again, then visits decide",
}


@dataclass(frozen=True)
class Option:
    """One parameter of an agent."""

    default: Any
    about: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Kind:
    """A family of agents."""

    about: str
    equation: str
    options: dict[str, Option] = field(default_factory=dict)
    select: str = "ucb1"
    """Its selection rule, a module of rules/select; named, so that listings need not load it."""
    backup: str = "mean"
    """Its backup operator, a module of rules/backup."""
    fixed: dict[str, float] = field(default_factory=dict)
    """Parameters that make the kind what it is."""
    leaf: str = "playout"
    """What a leaf is worth: the result of a playout, or the game's evaluation."""
    idea: str = ""
    """What it does, for readers who do not know the paper."""


_C = Option(1.0, "weight of the exploration term", low=0, high=1e6)
_FPU = Option(math.inf, "first-play urgency, the value of an unvisited move; inf: try all first")
_EXPAND = Option(1.0, "playouts through a leaf before it is expanded; 0: at its first visit", low=0)
_COMMON = {
    "playout": Option("uniform", "playout policy, one of those that the game has", ("",)),
    "length_cost": Option(
        0.0,
        "what each move of a simulation, from the root on, takes off a win and adds to a loss, at "
        "most 0.5 in all; fuego and preset=fuego have 0.00028 in Go from 15x15 on",
        low=0,
        high=1,
    ),
    "select": Option("", "your own selection rule: the path of a .py file", ("",)),
    "backup": Option("", "your own backup operator: the path of a .py file", ("",)),
    "a": Option(0.0, "a number for your own rules"),
    "b": Option(0.0, "another number for your own rules"),
}
_RAVE = {
    "rave": Option(
        "off",
        "RAVE: none, Fuego's weights (then c=0 and fpu=1 by default), or the k schedule",
        ("off", "fuego", "k"),
    ),
    "rave_initial": Option(
        1.0,
        "rave=fuego: weight of the first sample; fuego and preset=fuego have 0.9 in Go from 15x15 "
        "on",
        low=1e-6,
        high=1e9,
    ),
    "rave_final": Option(
        5000.0, "rave=fuego: upper limit of the total weight of all samples", low=1e-6, high=1e9
    ),
    "rave_k": Option(100.0, "rave=k: the k of the schedule", low=0, high=1e9),
    "distance": Option(
        "off", "whether RAVE samples count less the later the move is played", ("off", "on")
    ),
    "ignore": Option(
        0.0, "rave=fuego: every n-th selection of a search ignores RAVE; 0: none", low=0
    ),
    "prior": Option(
        0.0,
        "factor of the weights that the game gives to its own knowledge of new moves (then fpu=1 "
        "by default); 0: no knowledge",
        low=0,
        high=1e6,
    ),
    "prune": Option(
        "off",
        "whether the tree leaves out moves that the game never recommends: in Go, own eyes",
        ("off", "on"),
    ),
    "filter": Option(
        "off",
        "whether the root leaves out moves that the game calls useless there: in Go, settled "
        "areas, ladders lost after six moves or more, the first line far from any stone",
        ("off", "on"),
    ),
}
ALIASES = {"wi": "rave_initial", "wf": "rave_final", "equivalence": "rave_k"}
"""Earlier names of options, still found in stores and links."""
MAX_THREADS = 256
PARALLEL = {
    "threads": Option(1.0, "threads that grow one tree", low=1, high=MAX_THREADS),
    "sharing": Option(
        "lockfree",
        "how threads share the tree. lockfree: nodes are protected one by one, with virtual loss; "
        "locked: one mutex around everything but playouts, as in MoGo",
        ("lockfree", "locked"),
    ),
    "root": Option(
        1.0, "trees, one thread each, whose root statistics are added up", low=1, high=MAX_THREADS
    ),
}
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
_PRESET = {
    "preset": Option(
        "none",
        "fuego: defaults for everything that makes up the agent fuego",
        ("none", "fuego"),
    )
}
_DECAY = {
    "k": Option(None, "decay lambda = 1 - 0.1**k; inf: no decay", low=0),
    "lam": Option(None, "the decay lambda itself, instead of k", low=0, high=1),
}


_LEAF = {
    "leaf": Option(
        "playout",
        "what a new leaf is worth. playout: the result of a random game; evaluate: the game's own "
        "evaluation, where it has one",
        ("playout", "evaluate"),
    )
}
_ALPHA = Option(
    0.0,
    "implicit minimax: share of the minimax value of the game's evaluations in the value of a move",
    low=0,
    high=1,
)


def _final(default: str, *names: str) -> dict[str, Option]:
    return {"final": Option(default, "; ".join(f"{n}: {FINALS[n]}" for n in names), names)}


def _with_defaults(options: dict[str, Option], **defaults: Any) -> dict[str, Option]:
    return {
        name: replace(option, default=defaults.get(name, option.default))
        for name, option in options.items()
    }


_TREE = {"c": _C, "expand": _EXPAND, "fpu": _FPU}
_PLAIN_FINAL = _final("visits", "visits", "value", "both")
_TUNED_EQUATION = (
    "r + p sqrt(ln s / n min(1/4, V)), V = mean(x^2) - r^2 + sqrt(2 ln s / n); gelly2006"
)
_TUNED = {
    "p": Option(1.0, "factor of the exploration term", low=0),
    "fpu": _FPU,
    "expand": _EXPAND,
    **_PLAIN_FINAL,
    **{name: option for name, option in _COMMON.items() if name != "backup"},
    **PARALLEL,
}
AGENTS = {
    "uct": Kind(
        "plain UCT",
        "r + c sqrt(ln s / n); hashimoto2012 eq. 1",
        {
            **_TREE,
            **_PLAIN_FINAL,
            **_RAVE,
            **_PRESET,
            **_LEAF,
            "alpha": _ALPHA,
            **_COMMON,
            **PARALLEL,
        },
        idea="Follows the moves that have done well so far and tries the others now and then, so "
        "that its tree grows where it matters.",
    ),
    "tuned": Kind(
        "UCT with UCB1-Tuned",
        _TUNED_EQUATION,
        {**_TUNED, **_LEAF},
        "tuned",
        "squares",
        idea="UCT that tries other moves less often where the results hardly differ.",
    ),
    "duct": Kind(
        "Discounted UCT",
        "rD + c sqrt(ln sD / nD); hashimoto2012 eq. 2-4",
        {
            **_DECAY,
            **_TREE,
            **_final("discounted", "discounted", "visits", "value", "both"),
            **_RAVE,
            **_PRESET,
            **_LEAF,
            **_COMMON,
            **PARALLEL,
        },
        backup="discounted",
        idea="UCT that forgets: older playouts count less and less.",
    ),
    "auct": Kind(
        "Accelerated UCT",
        "rA + c sqrt(ln s / n), rA by velocities; hashimoto2012 eq. 5-7",
        {
            **_DECAY,
            **_TREE,
            **_PLAIN_FINAL,
            **_RAVE,
            **_PRESET,
            **_LEAF,
            **_COMMON,
            **PARALLEL,
        },
        backup="accelerated",
        idea="UCT that judges a move by the answers it has tried recently, so that it turns away "
        "sooner from a move that has been refuted.",
    ),
    "dfuct": Kind(
        "depth-first UCT",
        "UCT that does not go back to the root after each playout; yoshimoto2007",
        {
            "c": _C,
            "expand": replace(
                _EXPAND, about="playouts through a leaf before it is expanded", low=1
            ),
            "rivals": Option(
                "second", "moves compared with the chosen one at each level", ("second", "all")
            ),
            **_PLAIN_FINAL,
            **_COMMON,
        },
        idea="UCT that stays deep in the tree until another move looks better, which saves "
        "descending from the root each time.",
    ),
    "mc": Kind(
        "flat Monte Carlo",
        "playouts spread evenly over the moves; browne2013",
        {**_final("value", "value", "visits"), **_COMMON},
        "even",
        fixed={"expand": math.inf},
        idea="Plays the same number of random games for every move and builds no tree.",
    ),
    "ucb": Kind(
        "flat UCB1",
        "UCB1 at the root only; browne2013",
        {"c": _C, "fpu": _FPU, **_PLAIN_FINAL, **_COMMON},
        fixed={"expand": math.inf},
        idea="Plays more random games for the better moves, but looks only one move ahead.",
    ),
    "fuego": Kind(
        "UCT for Go as in Fuego 1.1: RAVE, priors, heavy playouts",
        "(n r + W rave + P prior) / (n + W + P); hashimoto2012 eq. 8",
        _with_defaults({**_TREE, **_PLAIN_FINAL, **_RAVE, **_COMMON, **PARALLEL}, c=0.0, **FUEGO),
        idea="Knows Go: its random games save and capture stones, and a move is also judged by "
        "the games in which it is played later.",
    ),
    "mogo": Kind(
        "UCT for Go as in MoGo of 2006: UCB1-Tuned, first-play urgency, uniform playouts",
        _TUNED_EQUATION,
        _with_defaults(_TUNED, fpu=1.0),
        "tuned",
        "squares",
        idea="UCB1-Tuned that may follow a good move before it has tried all the others.",
    ),
    "uctmax": Kind(
        "UCT with evaluated leaves and minimax values",
        "q + c sqrt(ln s / n), q = 1 - max of the answers' q; ramanujan2011, UCTMAX_H",
        {
            **_TREE,
            **_final("value", "value", "visits", "both"),
            **{name: _COMMON[name] for name in ("select", "a", "b")},
            **PARALLEL,
        },
        backup="minimax",
        leaf="evaluate",
        idea="A minimax search that UCT steers: leaves are evaluated, and a move is worth what its "
        "best answer leaves.",
    ),
    "alphabeta": Kind(
        "alpha-beta with iterative deepening, which is no tree search by sampling but a yardstick",
        "v = max(1 - v of the answers), to a depth that grows by one; knuth1975",
        {"depth": Option(math.inf, "most moves that it looks ahead", low=1, high=math.inf)},
        idea="Looks at all lines of a growing length, leaves out those that cannot matter, and "
        "judges their ends by the game's evaluation.",
    ),
}
