"""Replays the moves of a tree that comes from a file: each must be legal where it is made.

Rules trust their moves as kernels trust their tree. The indices must have been checked before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.games import Game, Position
from uctlab.games.api import MOVE
from uctlab.games.guard import Guarded, listed_wrongly
from uctlab.kernels import hole, kernel
from uctlab.mcts.binding import bind_for_cpu
from uctlab.mcts.tree import tree_moves
from uctlab.parts.layout import MAX_DEPTH

play: Any = hole("game.play")
copy_record: Any = hole("device.copy_record")


def moves_are_legal(nodes: Any, position: Position, game: Game, agent: Agent) -> bool:
    """Whether the root has the moves of that position, without those that the agent leaves out,
    and all nodes below it likewise.

    A root without children is accepted: it is expanded when it is searched.
    """
    first, count = int(nodes[0]["first"]), int(nodes[0]["count"])
    if count == 0:
        return True
    children = nodes["move"][first : first + max(count, 0)]
    binding = bind_for_cpu(game, agent)
    wanted = binding.root_moves(position)
    if binding.has("pruning"):
        wanted = wanted[: game.kernels.prune(position.state, wanted, len(wanted))]
    if sorted(children.tolist()) != sorted(wanted.tolist()) or position.is_over:
        return False
    states = game.new_states(MAX_DEPTH + 1)
    states[0] = position.state
    levels = np.zeros((2, MAX_DEPTH + 1), np.int64)
    seen = np.full(len(game.move_names), -1, np.int64)
    find = binding.bind(find_wrong)
    out = Guarded(game.max_moves, MOVE).wide
    return int(find(nodes, states, levels, out, seen)) < 0


@kernel
def find_wrong(nodes, states, levels, out, seen):
    """A node whose children are not the moves of its position, or that is too deep; -1 if none is.

    Depth first: levels[0] is the path, levels[1] the next child to look at on each level of it.
    """
    path = levels[0]
    following = levels[1]
    depth = 0
    path[0] = 0
    following[0] = nodes[0].first
    while depth >= 0:
        child = following[depth]
        end = np.int64(nodes[path[depth]].first) + nodes[path[depth]].count
        while child < end and nodes[child].count == 0:
            child += 1
        if child >= end:
            depth -= 1
            continue
        following[depth] = child + 1
        if depth + 1 >= len(path):
            return child
        copy_record(states, depth + 1, depth)
        play(states[depth + 1], nodes[child].move)
        count = tree_moves(states[depth + 1], out)
        if listed_wrongly(out, count) or count != max(nodes[child].count, 0):
            return child
        for i in range(count):
            seen[out[i]] = child
        first = np.int64(nodes[child].first)
        for grandchild in range(first, first + count):
            move = nodes[grandchild].move
            if seen[move] != child:
                return child
            seen[move] = -1  # the same move again is wrong too
        if count > 0:
            depth += 1
            path[depth] = child
            following[depth] = first
    return np.int64(-1)
