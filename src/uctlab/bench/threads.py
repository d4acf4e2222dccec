"""Measures simulations per second of wall time when several threads share one tree, beside as many
threads that have a tree each."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher

GAMES = ("othello", "go:9")
WAYS = {
    "lockfree": "threads={},sharing=lockfree",
    "locked": "threads={},sharing=locked",
    "a tree each": "root={}",
}
"""How threads work together, as options of an agent. Threads with a tree each share nothing but the
machine: what they reach is the most that sharing could."""
AGENT = "uct"
ROUNDS = 7


@dataclass(frozen=True)
class ThreadSpeed:
    """The speed of one number of threads in one of the ways."""

    game: str
    sharing: str
    """Empty for the plain search with one thread."""
    threads: int
    per_second: float
    """Simulations per second of wall time: the median of the rounds."""
    ratio: float
    """Speed as a multiple of the plain search's in the same round: the median."""
    efficiency: float
    """Simulations per CPU second of all threads together, as a multiple of the plain search's: what
    the threads cost each other, whether or not each has a core."""


def threads_here() -> list[int]:
    """1, 2, 4, 8 and 16, up to the number of cores."""
    cores = os.cpu_count() or 1
    return [threads for threads in (1, 2, 4, 8, 16) if threads <= max(cores, 2)]


def measure_threads(
    spec: str, *, threads: Sequence[int], playouts: int, seed: int, agent: str = AGENT
) -> list[ThreadSpeed]:
    """Search the opening with each number of threads, round after round."""
    game = make_game(spec)
    position = Position.start(game)
    name = agent[:-1] + "," if agent.endswith(")") else agent + "("
    ways = [("", 1)]
    ways += [(sharing, number) for sharing in WAYS for number in threads if number > 1]
    searchers = {}
    for sharing, number in ways:
        who = f"{name}{WAYS[sharing].format(number)})" if sharing else agent
        searchers[sharing, number] = Searcher(game, make_agent(who), seed=seed)
        searchers[sharing, number].search(position, playouts=1000)  # compiled
    times: dict[tuple[str, int], list[tuple[float, float]]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, searcher in searchers.items():
            searcher.prepare(position, playouts)
            begin, spent = time.perf_counter(), time.process_time()
            searcher.run(playouts)
            times[way].append((time.perf_counter() - begin, time.process_time() - spent))
    plain = times["", 1]
    return [
        ThreadSpeed(
            game=game.name,
            sharing=sharing,
            threads=number,
            per_second=playouts / statistics.median(clock for clock, _ in times[sharing, number]),
            ratio=_ratio(plain, times[sharing, number], 0),
            efficiency=_ratio(plain, times[sharing, number], 1),
        )
        for sharing, number in ways
    ]


def _ratio(
    plain: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]], which: int
) -> float:
    return statistics.median(
        one[which] / other[which] for one, other in zip(plain, others, strict=True)
    )
