"""Slow twins of the backup operators that look at the answers: every node by its definition.

They are told playouts as the twins in search.py are. A node's value is for the player who moved
into it, so the answers, which are the other player's, count from 1 downwards.
"""

import numpy as np
from numba import njit

MAX, ROBUST_MAX, MIX, POWER = range(10, 14)


@njit(cache=True)
def tell(kind, twin, path, reward, first, count, power):
    """Count the playout, then value the nodes of its path again, from the leaf to the root."""
    twin.playouts[path[-1]] += 1
    twin.won[path[-1]] += reward
    for level in range(len(path) - 1, -1, -1):
        node = path[level]
        twin.expanded[node] = level < len(path) - 1
        twin.visits[node] += 1
        twin.total[node] += reward
        reward = 1 - reward
        begin = np.int64(first[node])
        answers = [m for m in range(begin, begin + count[node]) if twin.visits[m] > 0]
        mean = twin.total[node] / twin.visits[node]
        if len(answers) == 0 or not twin.expanded[node]:
            twin.value[node] = mean
        elif kind == MAX:
            twin.value[node] = 1 - max([twin.value[m] for m in answers])
        elif kind == ROBUST_MAX:
            most = max([twin.visits[m] for m in answers])
            robust = [m for m in answers if twin.visits[m] == most]
            twin.value[node] = 1 - twin.value[robust[0]]
        elif kind == MIX:
            twin.value[node] = 1 - coulom(twin, answers, 1 - mean, twin.visits[node], count[node])
        else:
            own = twin.playouts[node]
            total = own * (1 - twin.won[node] / own) ** power if own > 0 else 0.0
            for m in answers:
                total += twin.visits[m] * twin.value[m] ** power
            twin.value[node] = 1 - (total / twin.visits[node]) ** (1 / power)


@njit(cache=True)
def coulom(twin, answers, mean, simulations, points):
    """The paper's listing, with the moves of the node in place of the points of the board."""
    best = answers[0]
    for m in answers:
        if twin.value[m] > twin.value[best]:
            best = m
    if len(answers) == 1:
        return twin.value[best]
    others = [m for m in answers if m != best]
    robust = answers[0]
    for m in answers:
        if twin.visits[m] > twin.visits[robust]:
            robust = m
    second = others[0]
    for m in others:
        if twin.value[m] > twin.value[second]:
            second = m
    if robust != best:
        second = robust
    weight = 2.0 * points
    if simulations > 16 * points:
        weight = weight * simulations / (16 * points)
    averaged = [
        (twin.visits[m] * twin.value[m] + weight * mean) / (twin.visits[m] + weight)
        for m in (best, second)
    ]
    if twin.visits[best] >= twin.visits[second]:
        return averaged[0]
    if twin.value[second] > mean:
        return averaged[1]
    if twin.value[best] < mean:
        return averaged[0]
    return mean
