"""Measures simulations per CPU second of whole searches from the opening, in one thread."""

from __future__ import annotations

import hashlib
import math
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher
from uctlab.parts import layout

GAMES = ("othello", "hex:5", "hex:11", "havannah:5", "havannah:8", "go:9")
AGENTS = ("uct", "auct(k=3)", "duct(k=3)", "dfuct")
# An agent with knowledge of the game.
KNOWING = "fuego"
STEPS = ("descend", "expand", "playout", "update")
ROUNDS = 7
ROUND_SECONDS = 0.3  # CPU time per agent and round; quick searches are repeated


@dataclass(frozen=True)
class SearchSpeed:
    """The speeds of several agents in one game; the agents take turns."""

    game: str
    playouts: int
    """Per search."""
    per_second: dict[str, float]
    """Simulations per CPU second by agent: the median of the rounds."""
    ratio: dict[str, float]
    """Speed as a multiple of plain uct's, by agent: the median of the rounds."""
    steps: dict[str, float]
    """Fraction of plain uct's time in each step of the loop."""
    signature: str
    """Digest of all trees; a change of speed alone does not change it."""


def measure_search(spec: str, *, playouts: int, seed: int) -> SearchSpeed:
    """Search the opening with every agent, round after round, without compilation."""
    game = make_game(spec)
    position = Position.start(game)
    agents = (*AGENTS, KNOWING) if game.priors is not None else AGENTS
    searchers = {name: Searcher(game, make_agent(name), seed=seed) for name in agents}
    digest = hashlib.sha256()
    for searcher in searchers.values():
        _timed(searcher, position, playouts)
        digest.update(_fingerprint(searcher))
    times = measure_rounds(position, agents, playouts=playouts, seed=seed)
    plain = times[agents[0]]
    return SearchSpeed(
        game=game.name,
        playouts=playouts,
        per_second={name: playouts / statistics.median(spent) for name, spent in times.items()},
        ratio={
            name: statistics.median(a / b for a, b in zip(plain, spent, strict=True))
            for name, spent in times.items()
        },
        steps=_profile(spec, playouts, seed),
        signature=digest.hexdigest()[:8],
    )


def measure_rounds(
    position: Position,
    agents: Sequence[str],
    *,
    playouts: int,
    seed: int,
    rounds: int = ROUNDS,
    round_seconds: float = ROUND_SECONDS,
) -> dict[str, list[float]]:
    """CPU seconds per search, by agent and round; agents take turns, quick searches repeat."""
    game = position.game
    searchers = {name: Searcher(game, make_agent(name), seed=seed) for name in agents}
    for searcher in searchers.values():
        _timed(searcher, position, min(playouts, 1000))
    once = max(_timed(searchers[agents[0]], position, playouts), 1e-6)
    repeats = min(1000, math.ceil(round_seconds / once))
    times: dict[str, list[float]] = {name: [] for name in searchers}
    for _ in range(rounds):
        for name, searcher in searchers.items():
            spent = [_timed(searcher, position, playouts) for _ in range(repeats)]
            times[name].append(sum(spent) / repeats)
    return times


def _timed(searcher: Searcher, position: Position, playouts: int) -> float:
    searcher.prepare(position, playouts)
    searcher.run(0)
    begin = time.thread_time()
    searcher.run(playouts)
    return time.thread_time() - begin


def _fingerprint(searcher: Searcher) -> bytes:
    """Moves and visits of the whole tree: integers, the same on every machine."""
    nodes = searcher.tree.nodes[: int(searcher.tree.counters[layout.USED])]
    return np.ascontiguousarray(nodes.visits).tobytes() + np.ascontiguousarray(nodes.move).tobytes()


def _profile(spec: str, playouts: int, seed: int) -> dict[str, float]:
    """Fraction of time in each step of plain uct's loop, by the processor's cycle counter."""
    game = make_game(spec)
    searcher = Searcher(game, make_agent("uct"), seed=seed, profile=True)
    _timed(searcher, Position.start(game), playouts)
    ticks = searcher.tree.counters[layout.TICKS :][: len(STEPS)]
    ticks[:] = 0
    _timed(searcher, Position.start(game), playouts)
    return dict(zip(STEPS, (ticks / ticks.sum()).tolist(), strict=True))
