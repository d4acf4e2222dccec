"""Settled eyes: empty points where neither player may play, off the list of empty points.

Near the end of a light playout nearly every point that is drawn is an eye. Its owner does not fill
it, and for the opponent it is suicide, unless that captures something. A playout that comes across
such an eye settles it, so that it is not drawn again. A settled point is an eye of its owner, and
every chain around it has another liberty; so nothing around it can be captured. That may end when

- the opponent puts a stone on a diagonal point, or
- a chain around it loses its last other liberty,

and `place` looks for both. Positions in a tree have no settled eyes, only those of a playout.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import EMPTY, PLAYABLE, SETTLED, how_many
from uctlab.kernels import hole, kernel

NEAR: tuple[np.uint64, ...] = hole("game.NEAR")
_COUNT, _SUM = np.uint64(10), np.uint64(20)  # lowest bits of the fields of `liberties`


@kernel
def settle(s, at, owner):
    """An eye becomes settled. Who calls this takes it off the list of empty points."""
    s.color[at] = SETTLED + owner
    s.lead += 3 - 2 * owner
    _add_to_chains(s, at, _one_settled(at))


@kernel
def unsettle(s, at):
    """A settled eye becomes an empty point again, on the list of empty points."""
    s.lead -= 3 - 2 * (np.int64(s.color[at]) - SETTLED)
    s.color[at] = EMPTY
    _add_to_chains(s, at, np.uint64(0) - _one_settled(at))
    count = np.int64(s.count)
    s.empties[np.uint64(count)] = at
    s.count = count + 1


@kernel
def _one_settled(at):
    """What a chain's word gains when one of its pseudo-liberties becomes a settled one."""
    return (at << _SUM) + (np.uint64(1) << _COUNT) - np.uint64(1)


@kernel
def _add_to_chains(s, at, change):
    head = s.head
    liberties = s.liberties
    liberties[head[at + NEAR[0]]] += change
    liberties[head[at + NEAR[1]]] += change
    liberties[head[at + NEAR[2]]] += change
    liberties[head[at + NEAR[3]]] += change


@kernel
def unsettle_last(s, chain):
    """All liberties of a chain are settled: if there is only one, it is settled no longer."""
    liberties = np.uint64(s.liberties[chain])
    settled = (liberties >> _COUNT) & PLAYABLE
    if settled == np.uint64(0) or settled > np.uint64(4):
        return  # none: a stone without liberties in a position that `setup` then refuses
    # The mean of these points is one of them if they are all the same.
    at = (liberties >> _SUM) // settled
    head = s.head
    touching = how_many(
        chain, head[at + NEAR[0]], head[at + NEAR[1]], head[at + NEAR[2]], head[at + NEAR[3]]
    )
    if touching == np.int64(settled) and s.color[at] >= SETTLED:
        unsettle(s, at)
