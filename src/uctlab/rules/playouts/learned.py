"""A playout whose moves a learning policy chooses, and what the policy learns from a simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

candidates: Any = hole("game.playout_moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
choose: Any = hole("learned.choose")
note: Any = hole("learned.note")


@kernel
def learned_playout(s, rng, out, trace, tables, before, params):
    """Play `s` to its end; (result, moves made). `before` is the move that led to `s`.

    A policy may go round in circles where moves take stones off, so `trace` limits the length.
    """
    length = 0
    count = candidates(s, out)
    while count > 0 and length < len(trace):
        before = np.int64(choose(tables[s.turn], before, out, count, rng, params))
        trace[length] = before
        play(s, trace[length])
        length += 1
        count = candidates(s, out)
    return result(s), length


@kernel
def learn(nodes, work, depth, length, outcome, turn):
    """Tell the policy all moves of a simulation, in the tree and in the playout."""
    path = work.path
    trace = work.trace
    tables = work.learned
    before = np.int64(-1)
    for ply in range(depth + length):
        move = np.int64(trace[ply - depth] if ply >= depth else nodes[path[ply + 1]].move)
        player = (turn + ply) & 1
        note(tables[player], before, move, outcome if player == 0 else 1.0 - outcome)
        before = move
