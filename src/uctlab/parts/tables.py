"""Numbers that depend on visits alone, kept in a table, since an exponential takes longer."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.kernels import hole, kernel
from uctlab.parts.one_thread import replaced
from uctlab.parts.part import Array, Part, Setting
from uctlab.rules.select import ucb1
from uctlab.rules.select.best import highest

TABLE_VISITS = 65_536  # nodes with fewer visits find their numbers in the table

find_untried: Any = hole("choice.untried")
node_terms: Any = hole("select.node_terms")
backup_by_table: Any = hole("backup.backup_by_table")


@kernel
def choose(tree, work, node, depth, params):
    """The move with the highest score, where node_terms depend on the node's visits alone."""
    nodes = tree.nodes
    chosen = find_untried(nodes, node, params)
    if chosen >= 0:
        return np.int64(chosen)
    return np.int64(highest(nodes, node, known_terms(nodes, node, work.known, params), params))


@kernel
def known_terms(nodes, parent, known, params):
    visits = nodes[parent].visits
    if visits >= len(known):
        return node_terms(nodes, parent, params)
    if known[visits] == 0.0:  # not computed yet
        known[visits] = node_terms(nodes, parent, params)
    return known[visits]


@kernel
def backup(tree, work, depth, reward, params):
    backup_by_table(tree.nodes, work.path, depth, reward, work.known, params)


def _has_sums(setting: Setting, others: tuple[Part, ...]) -> bool:
    return hasattr(setting.agent.backup, "backup_by_table") and not replaced("descend", others)


def _has_terms(setting: Setting, others: tuple[Part, ...]) -> bool:
    """A sketch has such a table already."""
    agent = setting.agent
    by_visits = agent.select is ucb1 and getattr(agent.backup, "TERMS_BY_VISITS", False)
    usual = not any(replaced(step, others) for step in ("descend", "choose"))
    return by_visits and usual and not hasattr(agent.backup, "backup_by_table")


def _table(game: Game, agent: Any) -> tuple[int, ...]:
    return (TABLE_VISITS,)


SUMS = Part(
    "sums_by_visits",
    "Keeps the sums of the backup operator in a table.",
    devices=("cpu",),
    applies=_has_sums,
    arrays=(Array("known", _table, np.float64),),
    steps={"backup": backup},
    spoils_scores=lambda setting: False,
)
TERMS = Part(
    "terms_by_visits",
    "Keeps what the scores of a node's moves have in common in a table.",
    devices=("cpu",),
    applies=_has_terms,
    arrays=(Array("known", _table, np.float64),),
    steps={"choose": choose},
    spoils_scores=lambda setting: False,
)
