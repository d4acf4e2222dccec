"""The mean of all results of a position, however it was reached: transpositions share it.

The tree stays a tree. The first node of a position keeps the results of all its nodes, and the
others name that node as `same`. Visits stay those of each node, as in UCT2 of Childs, Brodeur and
Kocsis 2008: a move is valued by its position and explored by its own visits.
"""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup.mean import inverse_visits, parent_visits

__all__ = ["FIELDS", "backup", "clear", "inverse_visits", "parent_visits", "value"]

FIELDS = [("total", "f8"), ("all_total", "f8"), ("all_visits", "u4"), ("same", "u4")]
# total                   sum of the node's own results
# all_total, all_visits   of all nodes of the position, in the first one
# same                    the first node of the position


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].all_total = 0.0
    nodes[node].all_visits = 0
    nodes[node].same = node


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        node = nodes[path[level]]
        node.visits += 1
        node.total += reward
        first = nodes[node.same]
        first.all_visits += 1
        first.all_total += reward
        reward = 1.0 - reward


@kernel
def value(nodes, node):
    first = nodes[node].same
    return nodes[first].all_total * (1.0 / nodes[first].all_visits)
