"""The arrays that a search kernel works on: the tree and its working memory.

Kernels take two NamedTuples of arrays, `search(tree, work, params, playouts)`. Between the slices
of a search `Work` must stay as it is: the root's position, the random state, RAVE's marks and a
depth-first search's line are used again.

A loop unpacks the arrays it needs from the tuples before it begins: Numba counts references at
every access, which made depth-first UCT 6 % slower when it was done inside the loop.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from uctlab.agents import Agent
from uctlab.games import Game
from uctlab.games.api import MOVE
from uctlab.games.solve import CELLS_A_WORD
from uctlab.mcts.tree import COUNTERS
from uctlab.rules.playouts import policy_of
from uctlab.rules.select import grave

TABLE_VISITS = 65_536  # nodes with fewer visits find their numbers in the table `known`
MAX_DEPTH = 1000  # moves from the root; a leaf there is not expanded


class Tree(NamedTuple):
    """One tree. The search writes both arrays."""

    nodes: Any
    """(capacity,) records of nodes; nodes[0] is the root: see mcts/tree.py."""
    counters: Any
    """(COUNTERS,) int64: nodes used, depth, and so on: see mcts/tree.py."""


class Work(NamedTuple):
    """The memory of one search, or of one of its threads."""

    states: Any
    """(2,) positions: the root, which the caller writes, and the one on which moves are played; a
    third for several playouts per leaf. A depth-first search has (MAX_DEPTH + 2,): the position at
    every level of its line."""
    path: Any
    """(MAX_DEPTH + 2,) int64: node numbers from the root to the leaf; the descent writes it."""
    out: Any
    """(max_moves,) moves: legal moves of a position; expansion and playouts write it."""
    trace: Any
    """(max_length,) moves of a playout, which writes them if the agent has RAVE or learns."""
    rave_marks: Any
    """(2, move codes + 1) int64: who plays each move first, and at which ply; RAVE writes it. The
    last column counts playouts and, where some of them ignore RAVE, selections."""
    references: Any
    """(2, move codes + 2) int64: for GRAVE, by the depth modulo 2, the reference's node of each
    move; the last columns are the reference and the node whose moves are listed."""
    rivals: Any
    """(MAX_DEPTH + 2,) int64: the second-best node at each level; a depth-first search writes it.
    """
    prior_values: Any
    """(2, move codes) int64: the game's prior of each move of a new node, in millionths, and its
    weight in playouts."""
    learned: Any
    """(2, rows, 2) float64: what each player's playouts have learned: see rules/playouts."""
    key: Any
    """(words,) of the position states[1], for graph=on: its own memory, or what is written there.
    """
    owners: Any
    """(cells,) int8: scratch to write the key."""
    positions: Any
    """(slots, 2) uint64: digests of positions and their first nodes: see rules/transpositions."""
    sketch: Any
    """(capacity of the tree + LANES, 2) float32: see rules/select/sketch."""
    slopes: Any
    """(KNOWN_SLOPES,) float32, also for sketches; of one agent, whichever its tree."""
    known: Any
    """(TABLE_VISITS,) float64, numbers of one agent by visits, whichever its tree: sums of its
    backup operator or node_terms of its selection rule; 0: not computed yet."""
    rng: Any
    """(1,) uint64: the state of the random generator."""


class Shape(NamedTuple):
    """Shape and type of one array of Work."""

    shape: tuple[int, ...]
    kind: np.dtype


def work_shapes(game: Game, agent: Agent) -> dict[str, Shape]:
    """The arrays of Work by name; those that the agent does not use have length 1."""
    number, move, levels = np.dtype(np.int64), MOVE, MAX_DEPTH + 2
    codes = len(game.move_names)
    positions = 3 if agent.params.playouts_per_leaf > 1 else 2
    depth_first, prior = bool(agent.depth_first), agent.asks_opinion
    rows = policy_of(agent.playout).rows(codes) if agent.learns else 1
    return {
        "states": Shape((levels if depth_first else positions,), game.state),
        "path": Shape((levels,), number),
        "out": Shape((game.max_moves,), move),
        "trace": Shape((game.max_length,), move),
        "rave_marks": Shape((2, codes + 1 if agent.rave else 1), number),
        "references": Shape((2, codes + 2 if agent.select is grave else 1), number),
        "rivals": Shape((levels if depth_first else 1,), number),
        "prior_values": Shape((2, codes if prior else 1), number),
        "learned": Shape((2, rows, 2), np.dtype(np.float64)),
        "key": Shape((_key_words(game) if agent.graph else 1,), np.dtype(np.uint64)),
        "owners": Shape((_cells(game) if agent.graph else 1,), np.dtype(np.int8)),
        "positions": Shape((1, 2), np.dtype(np.uint64)),
        "sketch": Shape((1, 2), np.dtype(np.float32)),
        "slopes": Shape((1,), np.dtype(np.float32)),
        "known": Shape((1,), np.dtype(np.float64)),
        "rng": Shape((1,), np.dtype(np.uint64)),
    }


def new_work(game: Game, agent: Agent) -> Work:
    """Zeroed memory for one search."""
    arrays = {name: np.zeros(*shape) for name, shape in work_shapes(game, agent).items()}
    if agent.graph and game.diagram is None:
        word = np.dtype(f"u{math.gcd(game.state.itemsize, 8)}")
        arrays["key"] = arrays["states"][1:].view(word)
    return Work(**{**arrays, "states": arrays["states"].view(np.recarray)})


def _cells(game: Game) -> int:
    return game.diagram.cells if game.diagram is not None else 1


def _key_words(game: Game) -> int:
    return _cells(game) // CELLS_A_WORD + 1


def new_counters() -> np.ndarray:
    return np.zeros(COUNTERS, np.int64)
