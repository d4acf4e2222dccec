"""Saves a tree to a file and loads it, so that a search can go on from there."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import uctlab
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts import tree
from uctlab.mcts.searcher import Searcher


def save_tree(searcher: Searcher, path: Path) -> None:
    """Write nodes, random state and root; the agent must be fully described by its name."""
    if searcher.position is None:
        raise UsageError("there is no tree to save before a search")
    saved = searcher.tree
    if searcher.agent.name.endswith("*"):
        raise UsageError(
            f"the agent {searcher.agent.name} has rules that its name does not include"
        )
    first = searcher.position.first
    facts: dict[str, Any] = {
        "version": uctlab.__version__,
        "game": searcher.game.name,
        "agent": searcher.agent.name,
        "seed": searcher.seed,
        "memory": searcher.memory,
        "moves": [int(move) for move in searcher.position.moves],
        "turn": first.turn,
    }
    if searcher.game.diagram is not None:
        facts["stones"] = first.stones.tolist()
    used = int(saved.counters[tree.USED])
    with path.open("wb") as file:
        np.savez(
            file,
            nodes=np.asarray(saved.nodes[:used]),
            counters=saved.counters,
            rng=saved.work.rng,
            facts=np.array(json.dumps(facts)),
        )


def load_tree(path: Path, game: str) -> Searcher:
    """The search that `save_tree` wrote; its next search reuses the tree.

    A depth-first search goes on from the root.
    """
    try:
        with np.load(path, allow_pickle=False) as data:
            facts = json.loads(str(data["facts"]))
            nodes, counters, rng = data["nodes"], data["counters"], data["rng"]
            name, turn, moves = facts["game"], facts["turn"], facts["moves"]
            agent, seed, memory = facts["agent"], facts["seed"], facts["memory"]
    except OSError as error:
        raise UsageError(f"cannot read the tree {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise UsageError(f"{path} is not a tree saved by uctlab") from None
    rules = make_game(game)
    if name != rules.name:
        raise UsageError(f"{path} is a tree of {name}, not of {rules.name}")
    searcher = Searcher(rules, make_agent(agent), seed=seed, memory=memory, reuse=True)
    if nodes.dtype != searcher.tree.node_type:
        raise UsageError(
            f"{path} was saved by uctlab {facts['version']}, which has another tree format"
        )
    ends = nodes["first"].astype(np.int64) + np.maximum(nodes["count"], 0)
    if len(rng) != 1 or len(counters) != tree.COUNTERS or ends.max(initial=0) > len(nodes):
        raise UsageError(f"{path} is damaged")
    position = Position.start(rules)
    if "stones" in facts:
        stones = np.array(facts["stones"], np.int8)
        if not np.array_equal(stones, position.stones) or turn != position.turn:
            position = Position.from_stones(rules, stones, turn)
    for move in moves:
        position = position.play(move)
    # The file does not record that the type is aligned, which makes it another type for Numba.
    loaded = searcher.tree
    loaded.nodes = nodes.astype(loaded.node_type).view(np.recarray)
    loaded.counters[:] = counters
    loaded.work.rng[:] = rng
    loaded.position = position
    return searcher
