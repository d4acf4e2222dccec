"""The part of a search tree that is worth drawing: its most visited nodes."""

from __future__ import annotations

import heapq
from typing import Any

from uctlab.mcts.view import TreeView


def subtree(view: TreeView, node: int, parent: int, most: int, depth: int) -> list[dict[str, Any]]:
    """At most that many visited nodes below `node`, which is the first, each behind its parent, and
    at most `depth` moves below it.

    They are taken from the top by visits, so that a node is there only if all siblings with more
    visits are. A node has

    move        that leads to it; null at the root of the whole tree
    parent      its index in this list; null for the first
    visits      playouts through it
    value       mean result for the player who made the move; null for the root
    more        how many of its visited children are not in the list
    over        whether the game is over there
    """
    nodes = [_facts(view, node, parent, None)]
    # Minus visits, the node, its parent, the parent's index, moves below the first node.
    waiting: list[tuple[int, int, int, int, int]] = []

    def await_children(of: int, index: int, level: int) -> None:
        for child in view.children(of):
            if visits := int(view.nodes[child].visits):
                nodes[index]["more"] += 1
                if level <= depth:
                    heapq.heappush(waiting, (-visits, child, of, index, level))

    await_children(node, 0, 1)
    while waiting and len(nodes) < most:
        _, child, above, index, level = heapq.heappop(waiting)
        nodes[index]["more"] -= 1
        nodes.append(_facts(view, child, above, index))
        await_children(child, len(nodes) - 1, level + 1)
    return nodes


def _facts(view: TreeView, node: int, parent: int, index: int | None) -> dict[str, Any]:
    visits = int(view.nodes[node].visits)
    value = None
    if parent >= 0 and visits:
        value = round(min(1.0, max(0.0, view.value(node))), 4)
    return {
        "move": view.move_name(node) if parent >= 0 else None,
        "parent": index,
        "visits": visits,
        "value": value,
        "more": 0,
        "over": int(view.nodes[node].count) < 0,
    }
