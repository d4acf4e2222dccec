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
_RAVE = {
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
_SOLVER = {
    "solver": Option(
        "off",
        "MCTS-Solver: whether the search proves wins, losses and draws from the ends of games in "
        "its tree, and stops once the position is proven",
        ("off", "on"),
    )
}
_WIDENING = {
    "widen": Option(
        0.0,
        "progressive widening: a node with s visits considers only its first "
        "1 + widen s^widen_power moves, in the order of the game's priors, or a random one; 0: all",
        low=0,
        high=1e9,
    ),
    "widen_power": Option(0.5, "progressive widening: exponent of the visits", low=0, high=1),
}
_BIAS = {
    "bias": Option(
        0.0,
        "progressive bias: adds bias H / (n + 1) to a score, H the game's opinion of the move from "
        "0 to 1 (then fpu=1 by default); 0: none",
        low=0,
        high=1e6,
    ),
    **_WIDENING,
}
_GRAPH = {
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
AUTO = "auto"
_AUTO_DECAY = {
    "k": replace(
        _DECAY["k"],
        about="decay lambda = 1 - 0.1**k; inf: no decay; auto, for auct: each node finds its own",
        words=(AUTO,),
    ),
    "lam": _DECAY["lam"],
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
_NO_BACKUP = {name: option for name, option in _COMMON.items() if name not in ("backup", "power")}
_TUNED_EQUATION = (
    "r + p sqrt(ln s / n min(1/4, V)), V = mean(x^2) - r^2 + sqrt(2 ln s / n); gelly2006"
)
_TUNED = {
    "p": Option(1.0, "factor of the exploration term", low=0),
    "fpu": _FPU,
    "expand": _EXPAND,
    **_PLAIN_FINAL,
    **_SOLVER,
    **_BIAS,
    **_NO_BACKUP,
    **PARALLEL,
}
_BETA = Option(
    0.1, "probability that a bound may fail; the less, the wider all bounds", low=1e-300, high=1
)
_BAST = {
    "delta": Option(
        0.1,
        "how far the value of a position may lie from the mean of its playouts, at the root; inf: "
        "flat UCB, where only leaves are bounded by their playouts",
        low=0,
    ),
    "gamma": Option(0.75, "factor of delta for each move from the root", low=0, high=1),
    "beta": _BETA,
    "c": replace(
        _C,
        default=0.3,
        about="factor of the width that the number of playouts gives; 1 is the paper's",
    ),
    "fpu": _FPU,
    "expand": _EXPAND,
    **_PLAIN_FINAL,
    **_NO_BACKUP,
    **PARALLEL,
}
_MODIFIED = {
    "levels": Option(
        2.0,
        "most levels below the moves that widen their bounds: h is at most this",
        low=0,
        high=16,
    ),
    "beta": _BETA,
    "c": replace(_C, about="factor of the whole exploration term; 1 is the paper's"),
    "fpu": _FPU,
    "expand": _EXPAND,
    **_PLAIN_FINAL,
    **_NO_BACKUP,
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
            **_SOLVER,
            **_BIAS,
            **_GRAPH,
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
            **_SOLVER,
            **_BIAS,
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
            **_AUTO_DECAY,
            **_TREE,
            **_PLAIN_FINAL,
            **_RAVE,
            **_SOLVER,
            **_BIAS,
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
    "bast": Kind(
        "Bandit Algorithm for Smooth Trees, for two players",
        "U = min(r + d + w, 1 - max L_j), L = max(r - d - w, 1 - max U_j), d = delta gamma^depth, "
        "w = c sqrt(2 ln(N n (n + 1) / beta) / n); coquelin2007",
        _BAST,
        "bast",
        "bounds",
        idea="Keeps for every position a bound above and below its value, from its playouts and "
        "from the bounds of the answers, and follows the move with the highest upper bound.",
    ),
    "muct": Kind(
        "modified UCT: the deeper the tree below, the wider the bounds",
        "r + c ((k + 1) sqrt(2 ln(s^2 (s + 1) / beta) / n) + m / n), k = (1 + 1/sqrt 2) "
        "((1 + sqrt 2)^h - 1), m = (3^h - 1) / 2; coquelin2007",
        _MODIFIED,
        "modified",
        "heights",
        idea="UCT that allows for how slowly the mean of a deep tree below a move settles.",
    ),
    "ucbv": Kind(
        "UCT with UCB-V",
        "r + sqrt(2 V zeta ln s / n) + 3 c zeta ln s / n, V = mean(x^2) - r^2; audibert2009",
        {
            "zeta": Option(1.0, "factor of ln s in both terms", low=0, high=1e6),
            "c": replace(_C, about="factor of the second term"),
            "fpu": _FPU,
            "expand": _EXPAND,
            **_PLAIN_FINAL,
            **_NO_BACKUP,
            **PARALLEL,
        },
        "ucb_v",
        "squares",
        idea="UCT that explores a move by how much its results vary.",
    ),
    "klucb": Kind(
        "UCT with KL-UCB",
        "max q with n kl(r, q) <= ln s + c ln ln s; garivier2011",
        {
            "c": replace(_C, default=0.0, about="factor of ln ln s"),
            "fpu": _FPU,
            "expand": _EXPAND,
            **_PLAIN_FINAL,
            **_COMMON,
            **PARALLEL,
        },
        "kl_ucb",
        idea="UCT that asks how good a move could be without making its results unlikely.",
    ),
    "thompson": Kind(
        "UCT with Thompson sampling",
        "a draw from Beta(wins + 1, losses + 1); thompson1933",
        {"expand": _EXPAND, **_PLAIN_FINAL, **_COMMON, **PARALLEL},
        "thompson",
        fixed={"fpu": 1.0},
        idea="Tries each move as often as it is likely to be the best, given its results so far.",
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
    "puct": Kind(
        "PUCT: UCT guided by the probabilities that the game gives to its moves",
        "r + c P sqrt(s) / (1 + n); rosin2011, silver2016",
        {
            "c": replace(_C, default=2.0),
            "fpu": replace(
                _FPU, default=0.5, about=f"{_FPU.about}; the term with P is added to it"
            ),
            "expand": _EXPAND,
            **_PLAIN_FINAL,
            **{name: _RAVE[name] for name in ("prune", "filter")},
            **_COMMON,
            **PARALLEL,
        },
        "puct",
        idea="Tries first, and most, the moves that the game itself thinks well of; all alike "
        "where it has no opinion.",
    ),
    "dtuned": Kind(
        "Discounted UCT with UCB1-Tuned",
        "rD + p sqrt(ln sD / nD min(1/4, V)), V = meanD(x^2) - rD^2 + sqrt(2 ln sD / nD); "
        "hashimoto2012 footnote 5",
        {
            **_DECAY,
            **_TUNED,
            **_final("discounted", "discounted", "visits", "value", "both"),
        },
        "discounted_tuned",
        "discounted_squares",
        idea="Forgets older playouts, as Discounted UCT does, and tries other moves less often "
        "where the recent results hardly differ.",
    ),
    "alphabeta": Kind(
        "alpha-beta with iterative deepening, which is no tree search by sampling but a yardstick",
        "v = max(1 - v of the answers), to a depth that grows by one; knuth1975",
        {"depth": Option(math.inf, "most moves that it looks ahead", low=1, high=math.inf)},
        idea="Looks at all lines of a growing length, leaves out those that cannot matter, and "
        "judges their ends by the game's evaluation.",
    ),
}
