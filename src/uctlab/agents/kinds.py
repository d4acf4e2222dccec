"""All kinds of agents, for the parser, its errors and `uctlab agents`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from uctlab.agents.options import (
    COMMON,
    EXPAND,
    FPU,
    FUEGO,
    NO_BACKUP,
    PLAIN_FINAL,
    PRESET,
    TREE,
    C,
    final,
    with_defaults,
)
from uctlab.kernels.tuples import tuple_class
from uctlab.parts.decay import K_OR_AUTO
from uctlab.parts.listing import PARTS, options_of
from uctlab.parts.part import Option


@dataclass(frozen=True)
class Kind:
    """A family of agents."""

    about: str
    equation: str
    own: dict[str, Option] = field(default_factory=dict)
    """Its options, but for those of parts."""
    groups: tuple[str, ...] = ()
    """The parts whose options it has: those that belong to one of these groups."""
    select: str = "uctlab.rules.select.ucb1"
    """Its selection rule, by module."""
    backup: str = "uctlab.rules.backup.mean"
    """Its backup operator, by module."""
    fixed: dict[str, Any] = field(default_factory=dict)
    """Options that make the kind what it is, and cannot be set."""
    preset: dict[str, Any] = field(default_factory=dict)
    """Defaults of its own for options of parts and for others that it shares."""
    builds_tree: bool = True
    """Whether it is a search of the loop in mcts/loop.py."""
    idea: str = ""
    """What it does, for readers who do not know the paper."""

    @cached_property
    def options(self) -> dict[str, Option]:
        """All its options, by name; those for rules and playouts of one's own come last."""
        options = {name: one for name, one in self.own.items() if name not in COMMON}
        options = {**options, **options_of(*self.groups), **self.own}
        return with_defaults(options, **self.preset)


_TUNED_EQUATION = (
    "r + p sqrt(ln s / n min(1/4, V)), V = mean(x^2) - r^2 + sqrt(2 ln s / n); gelly2006"
)
_TUNED = {
    "p": Option(
        1.0,
        "factor of the exploration term",
        low=0,
        reads=frozenset("p"),
        title="Exploration p",
    ),
    "fpu": FPU,
    "expand": EXPAND,
    **PLAIN_FINAL,
    **NO_BACKUP,
}
_BETA = Option(
    0.1,
    "probability that a bound may fail; the less, the wider all bounds",
    low=1e-300,
    high=1,
    reads=frozenset({"beta"}),
    title="Chance of failure beta",
)
_BAST = {
    "delta": Option(
        0.1,
        "how far the value of a position may lie from the mean of its playouts, at the root; inf: "
        "flat UCB, where only leaves are bounded by their playouts",
        low=0,
        reads=frozenset({"delta"}),
        title="Slack delta",
    ),
    "gamma": Option(
        0.75,
        "factor of delta for each move from the root",
        low=0,
        high=1,
        reads=frozenset({"gamma"}),
        title="Slack per move gamma",
    ),
    "beta": _BETA,
    "c": replace(
        C,
        default=0.3,
        about="factor of the width that the number of playouts gives; 1 is the paper's",
    ),
    "fpu": FPU,
    "expand": EXPAND,
    **PLAIN_FINAL,
    **NO_BACKUP,
}
_MODIFIED = {
    "levels": Option(
        2.0,
        "most levels below the moves that widen their bounds: h is at most this",
        low=0,
        high=16,
        reads=frozenset({"levels"}),
        title="Levels that count",
    ),
    "beta": _BETA,
    "c": replace(C, about="factor of the whole exploration term; 1 is the paper's"),
    "fpu": FPU,
    "expand": EXPAND,
    **PLAIN_FINAL,
    **NO_BACKUP,
}
# Which group a part belongs to:
#   playouts    they are for every search that makes playouts
#   threads     for every search that builds a tree from the root down
#   proofs      they change how tried moves compare, which not every rule allows
#   bias        they ask the game about new moves, and add to scores or order moves
#   rave        they bring a selection rule of their own
#   moves       they leave out moves, or say what is known of them
#   leaves      they say what a leaf is worth
# The others, such as graph, are one part's.
_MANY = ("rave", "moves", "proofs", "bias", "leaves", "playouts", "threads")
AGENTS = {
    "uct": Kind(
        "plain UCT",
        "r + c sqrt(ln s / n); hashimoto2012 eq. 1",
        {**TREE, **PLAIN_FINAL, **PRESET, **COMMON},
        (*_MANY, "graph", "guesses"),
        idea="Follows the moves that have done well so far and tries the others now and then, so "
        "that its tree grows where it matters.",
    ),
    "tuned": Kind(
        "UCT with UCB1-Tuned",
        _TUNED_EQUATION,
        _TUNED,
        ("proofs", "bias", "leaves", "playouts", "threads"),
        "uctlab.rules.select.tuned",
        "uctlab.rules.backup.squares",
        idea="UCT that tries other moves less often where the results hardly differ.",
    ),
    "duct": Kind(
        "Discounted UCT",
        "rD + c sqrt(ln sD / nD); hashimoto2012 eq. 2-4",
        {
            **TREE,
            **final("discounted", "discounted", "visits", "value", "both"),
            **PRESET,
            **COMMON,
        },
        ("decay", *_MANY),
        backup="uctlab.rules.backup.discounted",
        idea="UCT that forgets: older playouts count less and less.",
    ),
    "auct": Kind(
        "Accelerated UCT",
        "rA + c sqrt(ln s / n), rA by velocities; hashimoto2012 eq. 5-7",
        {"k": K_OR_AUTO, **TREE, **PLAIN_FINAL, **PRESET, **COMMON},
        ("decay", *_MANY),
        backup="uctlab.rules.backup.accelerated",
        idea="UCT that judges a move by the answers it has tried recently, so that it turns away "
        "sooner from a move that has been refuted.",
    ),
    "dfuct": Kind(
        "depth-first UCT",
        "UCT that does not go back to the root after each playout; yoshimoto2007",
        {
            "c": C,
            "expand": replace(EXPAND, about="playouts through a leaf before it is expanded", low=1),
            **PLAIN_FINAL,
            **COMMON,
        },
        ("depth first", "playouts"),
        idea="UCT that stays deep in the tree until another move looks better, which saves "
        "descending from the root each time.",
    ),
    "mc": Kind(
        "flat Monte Carlo",
        "playouts spread evenly over the moves; browne2013",
        {**final("value", "value", "visits"), **COMMON},
        ("playouts",),
        "uctlab.rules.select.even",
        fixed={"expand": math.inf},
        idea="Plays the same number of random games for every move and builds no tree.",
    ),
    "ucb": Kind(
        "flat UCB1",
        "UCB1 at the root only; browne2013",
        {"c": C, "fpu": FPU, **PLAIN_FINAL, **COMMON},
        ("playouts",),
        fixed={"expand": math.inf},
        idea="Plays more random games for the better moves, but looks only one move ahead.",
    ),
    "fuego": Kind(
        "UCT for Go: RAVE and heavy playouts as in Fuego 1.1, priors learnt from games",
        "(n r + W rave + P prior) / (n + W + P); hashimoto2012 eq. 8",
        {**TREE, **PLAIN_FINAL, **COMMON},
        ("rave", "moves", "playouts", "threads"),
        preset=FUEGO | {"c": 0.0, "knowledge": "trained", "filter": "on"},
        idea="Knows Go: its random games save and capture stones, and a move is also judged by "
        "the games in which it is played later.",
    ),
    "mogo": Kind(
        "UCT for Go as in MoGo of 2006: UCB1-Tuned, first-play urgency, uniform playouts",
        _TUNED_EQUATION,
        _TUNED,
        ("proofs", "bias", "playouts", "threads"),
        "uctlab.rules.select.tuned",
        "uctlab.rules.backup.squares",
        preset={"fpu": 1.0},
        idea="UCB1-Tuned that may follow a good move before it has tried all the others.",
    ),
    "bast": Kind(
        "Bandit Algorithm for Smooth Trees, for two players",
        "U = min(r + d + w, 1 - max L_j), L = max(r - d - w, 1 - max U_j), d = delta gamma^depth, "
        "w = c sqrt(2 ln(N n (n + 1) / beta) / n); coquelin2007",
        _BAST,
        ("playouts", "threads"),
        "uctlab.rules.select.bast",
        "uctlab.rules.backup.bounds",
        idea="Keeps for every position a bound above and below its value, from its playouts and "
        "from the bounds of the answers, and follows the move with the highest upper bound.",
    ),
    "muct": Kind(
        "modified UCT: the deeper the tree below, the wider the bounds",
        "r + c ((k + 1) sqrt(2 ln(s^2 (s + 1) / beta) / n) + m / n), k = (1 + 1/sqrt 2) "
        "((1 + sqrt 2)^h - 1), m = (3^h - 1) / 2; coquelin2007",
        _MODIFIED,
        ("playouts", "threads"),
        "uctlab.rules.select.modified",
        "uctlab.rules.backup.heights",
        idea="UCT that allows for how slowly the mean of a deep tree below a move settles.",
    ),
    "ucbv": Kind(
        "UCT with UCB-V",
        "r + sqrt(2 V zeta ln s / n) + 3 c zeta ln s / n, V = mean(x^2) - r^2; audibert2009",
        {
            "zeta": Option(
                1.0,
                "factor of ln s in both terms",
                low=0,
                high=1e6,
                reads=frozenset({"zeta"}),
                title="Exploration zeta",
            ),
            "c": replace(C, about="factor of the second term"),
            "fpu": FPU,
            "expand": EXPAND,
            **PLAIN_FINAL,
            **NO_BACKUP,
        },
        ("playouts", "threads"),
        "uctlab.rules.select.ucb_v",
        "uctlab.rules.backup.squares",
        idea="UCT that explores a move by how much its results vary.",
    ),
    "klucb": Kind(
        "UCT with KL-UCB",
        "max q with n kl(r, q) <= ln s + c ln ln s; garivier2011",
        {
            "c": replace(C, default=0.0, about="factor of ln ln s"),
            "fpu": FPU,
            "expand": EXPAND,
            **PLAIN_FINAL,
            **COMMON,
        },
        ("playouts", "threads"),
        "uctlab.rules.select.kl_ucb",
        idea="UCT that asks how good a move could be without making its results unlikely.",
    ),
    "thompson": Kind(
        "UCT with Thompson sampling",
        "a draw from Beta(wins + 1, losses + 1); thompson1933",
        {"expand": EXPAND, **PLAIN_FINAL, **COMMON},
        ("playouts", "threads"),
        "uctlab.rules.select.thompson",
        fixed={"fpu": 1.0},
        idea="Tries each move as often as it is likely to be the best, given its results so far.",
    ),
    "uctmax": Kind(
        "UCT with evaluated leaves and minimax values",
        "q + c sqrt(ln s / n), q = 1 - max of the answers' q; ramanujan2011, UCTMAX_H",
        {
            **TREE,
            **final("value", "value", "visits", "both"),
            **{name: COMMON[name] for name in ("select", "a", "b")},
        },
        ("threads",),
        backup="uctlab.rules.backup.minimax",
        fixed={"leaf": "evaluate"},
        idea="A minimax search that UCT steers: leaves are evaluated, and a move is worth what its "
        "best answer leaves.",
    ),
    "puct": Kind(
        "PUCT: UCT guided by the probabilities that the game gives to its moves",
        "r + c P sqrt(s) / (1 + n); rosin2011, silver2016",
        {
            "c": replace(C, default=2.0),
            "fpu": replace(FPU, default=0.5, about=f"{FPU.about}; the term with P is added to it"),
            "expand": EXPAND,
            **PLAIN_FINAL,
            **COMMON,
        },
        ("moves", "playouts", "threads"),
        "uctlab.rules.select.puct",
        idea="Tries first, and most, the moves that the game itself thinks well of; all alike "
        "where it has no opinion.",
    ),
    "dtuned": Kind(
        "Discounted UCT with UCB1-Tuned",
        "rD + p sqrt(ln sD / nD min(1/4, V)), V = meanD(x^2) - rD^2 + sqrt(2 ln sD / nD); "
        "hashimoto2012 footnote 5",
        {**_TUNED, **final("discounted", "discounted", "visits", "value", "both")},
        ("decay", "proofs", "bias", "playouts", "threads"),
        "uctlab.rules.select.discounted_tuned",
        "uctlab.rules.backup.discounted_squares",
        idea="Forgets older playouts, as Discounted UCT does, and tries other moves less often "
        "where the recent results hardly differ.",
    ),
    "alphabeta": Kind(
        "alpha-beta with iterative deepening, which is no tree search by sampling but a yardstick",
        "v = max(1 - v of the answers), to a depth that grows by one; knuth1975",
        {
            "depth": Option(
                math.inf, "most moves that it looks ahead", low=1, high=math.inf, for_kernels=False
            )
        },
        builds_tree=False,
        idea="Looks at all lines of a growing length, leaves out those that cannot matter, and "
        "judges their ends by the game's evaluation.",
    ),
}
OPTIONS: dict[str, Option] = {
    name: option for kind in reversed(AGENTS.values()) for name, option in kind.options.items()
} | {name: option for part in PARTS for name, option in part.options.items()}
"""All options, by name, as their part or else the first of these kinds has them."""
NUMBERS: dict[str, float] = {
    name: one.default
    for name, one in OPTIONS.items()
    if one.for_kernels and isinstance(one.default, float)
} | {name: value for part in PARTS for name, value in part.computed.items()}
"""The numbers that kernels may read as params.NAME, with the values that they have by default."""
Params: Any = tuple_class("Params", NUMBERS)
"""All of them in one tuple: another number never compiles a kernel again."""
