"""The options of agents: what each is for, its default and its range; groups that kinds share."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

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


@dataclass(frozen=True)
class Option:
    """One parameter of an agent."""

    default: Any
    about: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    words: tuple[str, ...] = ()
    """What it accepts besides numbers."""


C = Option(1.0, "weight of the exploration term", low=0, high=1e6)
FPU = Option(math.inf, "first-play urgency, the value of an unvisited move; inf: try all first")
EXPAND = Option(1.0, "playouts through a leaf before it is expanded; 0: at its first visit", low=0)
COMMON = {
    "playout": Option(
        "uniform",
        "playout policy: one of those that the game has, or one that learns during the search, "
        "for any game: mast, nst, lgr, lgrf",
        ("",),
    ),
    "epsilon": Option(
        0.4, "playout=mast and nst: chance of a random move in a playout", low=0, high=1
    ),
    "length_cost": Option(
        0.0,
        "what each move of a simulation, from the root on, takes off a win and adds to a loss, at "
        "most 0.5 in all; fuego and preset=fuego have 0.00028 in Go from 15x15 on",
        low=0,
        high=1,
    ),
    "playouts_per_leaf": Option(
        1.0,
        "playouts from each leaf, whose mean result counts as one simulation; budgets count "
        "simulations",
        low=1,
        high=1000,
    ),
    "select": Option("", "your own selection rule: the path of a .py file", ("",)),
    "backup": Option(
        "",
        f"another backup operator: {', '.join(BACKUPS)}, or your own, the path of a .py file",
        ("",),
    ),
    "power": Option(2.0, "backup=power: the exponent of the power mean", low=1, high=100),
    "a": Option(0.0, "a number for your own rules"),
    "b": Option(0.0, "another number for your own rules"),
}
KNOWLEDGE = {
    "knowledge": Option(
        "rules",
        "where the game's knowledge of new moves comes from. rules: written by hand, in Go those "
        "of Fuego 1.1; trained: learnt from games, where the game has that, and not on a GPU",
        ("rules", "trained"),
    )
}
RAVE = {
    "rave": Option(
        "off",
        "RAVE: none, Fuego's weights, the k schedule, or GRAVE; fuego and grave have c=0 and fpu=1 "
        "by default",
        ("off", "fuego", "k", "grave"),
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
    "grave": Option(
        50.0,
        "rave=grave: visits that a node needs for its own RAVE values to be used",
        low=0,
        high=1e9,
    ),
    "rave_bias": Option(
        1e-5, "rave=grave: bias of RAVE values, which limits their weight", low=0, high=1
    ),
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
    **KNOWLEDGE,
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
SOLVER = {
    "solver": Option(
        "off",
        "MCTS-Solver: whether the search proves wins, losses and draws from the ends of games in "
        "its tree, and stops once the position is proven",
        ("off", "on"),
    )
}
WIDENING = {
    "widen": Option(
        0.0,
        "progressive widening: a node with s visits considers only its first "
        "1 + widen s^widen_power moves, in the order of the game's priors, or a random one; 0: all",
        low=0,
        high=1e9,
    ),
    "widen_power": Option(0.5, "progressive widening: exponent of the visits", low=0, high=1),
}
BIAS = {
    "bias": Option(
        0.0,
        "progressive bias: adds bias H / (n + 1) to a score, H the game's opinion of the move from "
        "0 to 1 (then fpu=1 by default); 0: none",
        low=0,
        high=1e6,
    ),
    **WIDENING,
    **KNOWLEDGE,
}
GRAPH = {
    "graph": Option(
        "off", "whether equal positions share their results, however they arise", ("off", "on")
    )
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
PRESET = {
    "preset": Option(
        "none",
        "fuego: defaults for everything that makes up the agent fuego, except knowledge=trained "
        "and filter=on, which do not run on a GPU",
        ("none", "fuego"),
    )
}
DECAY = {
    "k": Option(None, "decay lambda = 1 - 0.1**k; inf: no decay", low=0),
    "lam": Option(None, "the decay lambda itself, instead of k", low=0, high=1),
}
AUTO = "auto"
AUTO_DECAY = {
    "k": replace(
        DECAY["k"],
        about="decay lambda = 1 - 0.1**k; inf: no decay; with auto each node finds its own",
        words=(AUTO,),
    ),
    "lam": DECAY["lam"],
}


LEAF = {
    "leaf": Option(
        "playout",
        "what a new leaf is worth. playout: the result of a random game; evaluate: the game's own "
        "evaluation, where it has one",
        ("playout", "evaluate"),
    )
}
ALPHA = Option(
    0.0,
    "implicit minimax: share of the minimax value of the game's evaluations in the value of a move",
    low=0,
    high=1,
)


def final(default: str, *names: str) -> dict[str, Option]:
    return {"final": Option(default, "; ".join(f"{n}: {FINALS[n]}" for n in names), names)}


def with_defaults(options: dict[str, Option], **defaults: Any) -> dict[str, Option]:
    return {
        name: replace(option, default=defaults.get(name, option.default))
        for name, option in options.items()
    }


TREE = {"c": C, "expand": EXPAND, "fpu": FPU}
PLAIN_FINAL = final("visits", "visits", "value", "both")
NO_BACKUP = {name: option for name, option in COMMON.items() if name not in ("backup", "power")}
