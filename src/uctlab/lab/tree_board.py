"""Lays out a small game tree as a board: every node with its position, result and true value."""

from __future__ import annotations

from typing import Any

from uctlab.games import Game, Position

MAX_NODES = 1000


def tree_cells(game: Game) -> list[dict[str, Any]]:
    """The nodes from the start down, depth first. A node has

    name        of the move that leads to it (names repeat deeper down: `path` is unique)
    path        the moves from the start
    parent      index of the node above it, or null for the root, which is the first
    x, y        depth, and the row in which it is drawn; leaves have integer rows
    to_move     first or second, null at a leaf
    result      of a leaf: 1 the first player has won, 0 the second
    truth       the value with best play, for the first player
    """
    nodes: list[dict[str, Any]] = []
    rows = 0

    def add(position: Position, path: list[str], parent: int | None) -> int:
        nonlocal rows
        number = len(nodes)
        over = position.is_over
        node: dict[str, Any] = {
            "name": path[-1] if path else "A",
            "path": path,
            "parent": parent,
            "x": len(path),
            "to_move": None if over else ("first", "second")[position.turn],
            "result": position.result if over else None,
        }
        nodes.append(node)
        below: list[int] = []
        if len(nodes) < MAX_NODES:
            below = [
                add(position.play(move), [*path, game.move_name(move)], number)
                for move in position.legal
            ]
        if not below:
            node["y"], node["truth"] = float(rows), node["result"]
            rows += 1
            return number
        node["y"] = (nodes[below[0]]["y"] + nodes[below[-1]]["y"]) / 2
        known = [nodes[i]["truth"] for i in below if nodes[i]["truth"] is not None]
        best = max if position.turn == 0 else min
        node["truth"] = best(known, default=None)
        return number

    add(Position.start(game), [], None)
    return nodes
