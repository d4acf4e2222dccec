"""Slow twins of the backup operators: every playout by the definitions, every sibling decayed.

A twin is told the path of each playout of a fast search, and where nodes got their children. It
keeps its own statistics, one entry a node; the score is the bandit's value of a move by the
paper's formula. Numba runs the loops as they stand: they are told millions of playouts.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from tests.naive import operators
from uctlab.rules.backup.automatic import MOST_FORGOTTEN, RATE, SURE

TIE = 1e-7  # scores that are closer may be in either order


class Twin(NamedTuple):
    """What is known of each node, by its number in the fast search's tree."""

    visits: np.ndarray
    total: np.ndarray
    """Of all results, for the player who moved into it."""
    playouts: np.ndarray
    """That it had as a leaf,"""
    won: np.ndarray
    """and the sum of their results, for the same player."""
    expanded: np.ndarray
    value: np.ndarray
    """For the player who moved into it."""
    weight: np.ndarray
    """Velocity, or discounted visits, of the move into it."""
    own: np.ndarray
    """The same of its own playouts: of the virtual child."""


def make_twin(nodes):
    whole = {"visits", "playouts", "expanded"}
    return Twin(*(np.zeros(nodes, "i8" if name in whole else "f8") for name in Twin._fields))


@njit(cache=True)
def moves_of(node, first, count):
    return range(np.int64(first[node]), np.int64(first[node]) + count[node])


@njit(cache=True)
def plain(twin, path, reward, first, count, lam):
    """UCT: the mean of all results."""
    for level in range(len(path) - 1, -1, -1):
        node = path[level]
        twin.expanded[node] = level < len(path) - 1
        twin.visits[node] += 1
        twin.total[node] += reward
        twin.value[node] = twin.total[node] / twin.visits[node]
        reward = 1 - reward


@njit(cache=True)
def accelerated(twin, path, reward, first, count, lam):
    """Equations 5 to 7, with the virtual child beside the moves."""
    leaf = path[-1]
    add_to_leaf(twin, leaf, reward)
    twin.value[leaf] = twin.won[leaf] / twin.playouts[leaf]
    for level in range(len(path) - 2, -1, -1):
        node = path[level]
        decay(twin, node, path[level + 1], first, count, lam)
        twin.value[node] = 1 - mean_answer(twin, node, first, count)


@njit(cache=True)
def automatic(twin, path, reward, first, count):
    """The same equations, with a lambda for each visit; playouts as a leaf count in full."""
    leaf = path[-1]
    add_to_leaf(twin, leaf, reward)
    twin.value[leaf] = twin.won[leaf] / twin.playouts[leaf]
    for level in range(len(path) - 2, -1, -1):
        node, chosen = path[level], path[level + 1]
        lam = 1.0
        if twin.visits[node] > 0:
            gain = twin.value[chosen] - (1 - twin.value[node])
            deviation = SURE * 0.5 / math.sqrt(twin.visits[chosen])
            if gain > deviation:
                doubt = (deviation / gain) ** 2
                lam -= min(MOST_FORGOTTEN, RATE * (1 - doubt) / twin.visits[chosen])
        if not twin.expanded[node]:
            twin.expanded[node] = 1
            twin.own[node] = twin.playouts[node]
        decay(twin, node, chosen, first, count, lam)
        twin.value[node] = 1 - mean_answer(twin, node, first, count)


@njit(cache=True)
def mean_answer(twin, node, first, count):
    """The velocity-weighted mean of the moves and the virtual child, for the player to move."""
    virtual = 1 - twin.won[node] / twin.playouts[node] if twin.playouts[node] > 0 else 0.0
    total, weights = twin.own[node] * virtual, twin.own[node]
    for move in moves_of(node, first, count):
        total += twin.weight[move] * twin.value[move]
        weights += twin.weight[move]
    return total / weights


@njit(cache=True)
def discounted(twin, path, reward, first, count, lam):
    """Equations 2 to 4; the node's own playouts count among its discounted visits."""
    add_to_leaf(twin, path[-1], reward)
    for level in range(len(path) - 2, -1, -1):
        chosen = path[level + 1]
        older = lam * twin.weight[chosen]
        twin.value[chosen] = (older * twin.value[chosen] + reward) / (older + 1)
        decay(twin, path[level], chosen, first, count, lam)
        reward = 1 - reward


@njit(cache=True)
def add_to_leaf(twin, leaf, reward):
    twin.visits[leaf] += 1
    twin.playouts[leaf] += 1
    twin.won[leaf] += reward


@njit(cache=True)
def decay(twin, node, chosen, first, count, lam):
    """A playout through the node: all weights shrink, that of the chosen move grows by one."""
    if not twin.expanded[node]:
        twin.expanded[node] = 1
        for i in range(twin.playouts[node]):
            twin.own[node] += lam**i
    twin.visits[node] += 1
    twin.own[node] *= lam
    for move in moves_of(node, first, count):
        twin.weight[move] *= lam
    twin.weight[chosen] += 1


@njit(cache=True)
def may_choose(twin, node, chosen, first, count, c, by_weight):
    """Whether the selection rule may choose that move: the first untried one, or the best."""
    moves = moves_of(node, first, count)
    for move in moves:
        if twin.visits[move] == 0:
            return move == chosen
    tries = float(twin.visits[node])
    if by_weight:
        tries = twin.own[node]
        for move in moves:
            tries += twin.weight[move]
        tries = max(tries, 1.0)
    best = of_chosen = -math.inf
    for move in moves:
        spent = twin.weight[move] if by_weight else float(twin.visits[move])
        score = twin.value[move] + c * math.sqrt(math.log(tries) / spent)
        best = max(best, score)
        if move == chosen:
            of_chosen = score
    return of_chosen > best - TIE


PLAIN, ACCELERATED, DISCOUNTED, AUTOMATIC = range(4)
tell_operator = operators.tell  # of the kinds in operators.py, with their power in place of lam


@njit(cache=True)
def replay(kind, twin, paths, depths, results, first, count, lam, c):
    """Tell the twin those playouts; how many choices it would not have made.

    A result is that of the player who moved into the leaf.
    """
    others = 0
    for number in range(len(depths)):
        path = paths[number, : depths[number] + 1]
        for level in range(len(path) - 1):
            if twin.expanded[path[level]]:
                others += not may_choose(
                    twin, path[level], path[level + 1], first, count, c, kind == DISCOUNTED
                )
        if kind == PLAIN:
            plain(twin, path, results[number], first, count, lam)
        elif kind == ACCELERATED:
            accelerated(twin, path, results[number], first, count, lam)
        elif kind == AUTOMATIC:
            automatic(twin, path, results[number], first, count)
        elif kind >= operators.MAX:
            tell_operator(kind, twin, path, results[number], first, count, lam)
        else:
            discounted(twin, path, results[number], first, count, lam)
    return others
