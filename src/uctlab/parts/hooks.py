"""The steps and hooks of the search, and how the kernels of several parts become one.

A step is done by one kernel. A hook calls the kernels of all parts that have one for it. `tree` and
`work` are the search's memory (mcts/workspace.py), `node` is the end of the path, `depth` moves
from the root, and `params` are the agent's numbers.

`evaluate_leaf` returns the first player's outcome, from 0 to 1, and the number of moves of its
playout, 0 without one; their codes are in work.trace where hole("playout.TRACED") is true. A list
that the game's `moves` has made goes through games.guard.listed_wrongly, and LISTED_WRONGLY in
place of the length reports a game that breaks its limits. A leaf may be the end of a game although
its count does not say so yet: `moves` then lists nothing.
"""

from __future__ import annotations

import linecache
from collections.abc import Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any

from uctlab.kernels import kernel
from uctlab.kernels.holes import Hole
from uctlab.kernels.trivial import NOTHING, first_4, no_3

STEPS = {
    "descend": "tree, work, params",  # go from the root to a leaf; returns node and depth
    "choose": "tree, work, node, depth, params",  # one of the moves of a node; returns its node
    "choose_new": "tree, work, node, depth, params",  # the same for moves without visits
    "move_to": "tree, work, node, depth, params",  # make the chosen move
    "enter": "tree, work, node",  # a simulation begins at a node
    "position_at": "depth",  # where in work.states the position at the end of the path is
    "count_of": "nodes, node",  # the number of moves, as other threads have published it
    "claim": "nodes, node",  # whether this thread may expand the node
    "considered": "nodes, parent, params",  # how many moves selection considers
    "keep_moves": "s, moves, count",  # put the moves of the tree in front; returns how many
    "take_room": "tree, own, count",  # the first of so many new nodes; -1 if there is no room
    "publish": "nodes, node, count",  # set the number of moves, once they are complete
    "evaluate_leaf": "tree, work, node, depth, params",  # returns outcome and length: see above
    "backup": "tree, work, depth, reward, params",  # tell the nodes on the path
    "final_move": "nodes",  # the child of the root to play
    "counted": "nodes, child",  # the visits of a move, as far as they count for the final move
}
HOOKS = {
    "search_begins": "tree, work, params",
    "search_ends": "tree, work, params",
    "finished": "tree, work, params",  # whether the search may end; one part suffices
    "simulation_begins": "tree, work, params",
    "moved": "tree, work, node, depth, params",  # a move was made in the tree
    "expanded": "tree, work, node, moves, count, depth, params",  # new nodes, not yet published
    "leaf_reached": "tree, work, node, depth, params",
    "evaluation_begins": "tree, work, node, depth, params",
    "outcome_found": "outcome, depth, length, params",  # returns the outcome, changed or not
    "played_out": "tree, work, depth, length, outcome, params",  # before the backup
    "updated": "tree, work, depth, length, outcome, params",  # after it
    "node_made": "nodes, node",  # clear the fields of a part
    "cut": "nodes, node",  # a node has lost its moves, for want of room
    "step_ends": "work, step",  # 0: a simulation begins; 1 to 4: the step that ends
}
ANY, PASSED_ON = ("finished",), ("outcome_found",)
# Hooks whose kernels return something: true from one is enough; each gets the last one's result.
SCORES = {
    "score": "nodes, child, parent, terms, params",
    "untried_score": "nodes, child, terms, params",
}
"""What parts may wrap besides steps: the rule's own score of a move, with visits and without."""


def hook_of(name: str, kernels: Mapping[str, Any]) -> Any:
    """One kernel that calls those of all parts, by the parts' names, in that order."""
    if not kernels:
        if name in ANY:
            return no_3
        return first_4 if name in PASSED_ON else NOTHING[HOOKS[name].count(",") + 1]
    if len(kernels) == 1:
        return next(iter(kernels.values()))
    return _joined(name, tuple(kernels), tuple(kernels.values()))


@cache
def _joined(name: str, parts: Sequence[str], kernels: Sequence[Any]) -> Any:
    arguments = HOOKS[name]
    calls = [f"{part}({arguments})" for part in parts]
    if name in ANY:
        lines = [f"return {' or '.join(calls)}"]
    elif name in PASSED_ON:
        lines = [f"outcome = {call}" for call in calls] + ["return outcome"]
    else:
        lines = calls
    source = f"def {name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines)
    file = f"<hook {name} of {', '.join(parts)}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # debuggers
    scope: dict[str, Any] = {"__name__": __name__, **dict(zip(parts, kernels, strict=True))}
    exec(compile(source, file, "exec"), scope)
    return kernel(scope[name])


@cache
def wrapped(name: str, outer: Any, inner: Any) -> Any:
    """The kernel `outer`, which calls `inner` where it reads hole("wrapped.NAME")."""
    scope = {
        key: inner if isinstance(value, Hole) and value.path == f"wrapped.{name}" else value
        for key, value in outer.__globals__.items()
    }
    clone = FunctionType(outer.__code__, scope, outer.__name__)
    clone.__module__ = outer.__module__
    return kernel(clone)
