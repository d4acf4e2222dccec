"""Which options of agents a browser may set, and what the form calls them.

The form is made from the definitions in agents/options.py: an option that is new there is on the
page too, under its own name until it has a title here.
"""

from __future__ import annotations

from uctlab.agents.kinds import AGENTS
from uctlab.agents.options import ALIASES, BACKUPS

FORBIDDEN = {
    "select": "it names a Python file",
    "threads": "a search has one core",
    "sharing": "a search has one core",
    "root": "a search has one core",
    "a": "it is for rules in Python files",
    "b": "it is for rules in Python files",
}
"""Options that are not on the page, and why."""

TREELESS = ("alphabeta",)  # the page shows trees
TITLES = {
    "c": "Exploration c",
    "p": "Exploration p",
    "fpu": "First-play urgency",
    "expand": "Expand after",
    "k": "Decay k",
    "lam": "Decay lambda",
    "final": "Move to play",
    "playout": "Playouts",
    "epsilon": "Random moves in playouts",
    "rave": "RAVE",
    "rave_initial": "Weight of the first RAVE sample",
    "rave_final": "Maximum weight of all RAVE samples",
    "rave_k": "RAVE's k",
    "grave": "Visits for RAVE values of its own",
    "rave_bias": "Bias of GRAVE",
    "distance": "RAVE by distance",
    "ignore": "Ignore RAVE every nth time",
    "length_cost": "Cost of a move",
    "playouts_per_leaf": "Playouts per leaf",
    "prior": "Weight of prior knowledge",
    "bias": "Progressive bias",
    "widen": "Progressive widening",
    "widen_power": "Exponent of widening",
    "graph": "Share equal positions",
    "prune": "Leave out bad moves",
    "knowledge": "Where knowledge of new moves comes from",
    "filter": "Leave out useless moves at the root",
    "preset": "Preset",
    "rivals": "Rivals compared",
    "leaf": "Leaves",
    "alpha": "Share of minimax",
    "delta": "Slack delta",
    "gamma": "Slack per move gamma",
    "beta": "Chance of failure beta",
    "levels": "Levels that count",
    "zeta": "Exploration zeta",
    "solver": "Prove wins and losses",
    "backup": "Backup operator",
    "power": "Exponent of the power mean",
}
ACCEPTED = {
    name
    for kind, facts in AGENTS.items()
    if kind not in TREELESS
    for name in facts.options
    if name not in FORBIDDEN
}


def is_accepted(name: str, value: str) -> bool:
    """Whether a browser may give an agent this option; a backup operator only by its name."""
    if name == "backup":
        return value in BACKUPS
    return name in ACCEPTED or (name in ALIASES and ALIASES[name] in ACCEPTED)


def title_of(name: str) -> str:
    return TITLES.get(name, name.replace("_", " ").capitalize())
