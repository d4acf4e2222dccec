"""Measures the speed of a GPU: simulations per second of many searches at once."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from uctlab.agents import make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.devices.cuda_driver import TreeMemory, require_gpu
from uctlab.devices.cuda_search import BatchInput, CudaSearch, params_row
from uctlab.devices.rounds import Games
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.mcts.binding import fitted

GAMES = ("othello", "havannah:4", "go:9")
AGENT = "uct(expand=10)"
OPENING = 10  # random moves, so that the games differ


@dataclass(frozen=True)
class CudaSpeed:
    """The speed of one launch: a search in each game."""

    game: str
    agent: str
    games: int
    playouts: int
    """Per search."""
    seconds: float
    """Of the launch and its data transfers, without compilation."""
    per_second: float
    """Simulations per second of all games together."""


def measure_cuda(
    spec: str, *, agent: str = AGENT, games: int, playouts: int, seed: int
) -> CudaSpeed:
    """Search that many games from random openings."""
    require_gpu()
    game = make_game(spec)
    who = fitted(game, make_agent(agent))
    plan = MatchPlan(spec, agent, agent, playouts=playouts, seed=seed)
    table = Games(game, [GameTask(plan, number) for number in range(games)])
    _play_at_random(table, min(OPENING, game.max_length // 4), seed)
    games = len(table.live)
    if games == 0:
        raise UsageError(f"{spec}: all games end within a few random moves; give more --games")
    search, memory = CudaSearch(game, who), TreeMemory()
    too_many = UsageError(f"{games} games do not fit into the memory of the GPU")
    room = (memory.size // games - search.bytes_for(0)) // search.node_type.itemsize
    if room < 2 + game.max_moves:
        raise too_many
    room = min(room, (playouts + 2) * (1 + game.max_moves))

    def run(budget: int) -> float:
        begin = time.perf_counter()
        memory.take_back()
        launch = search.prepare(
            memory,
            room,
            games,
            BatchInput(
                table.states(table.live),
                table.legal[table.live],
                table.counts[table.live],
                table.random_states(table.live),
                np.full(games, params_row(who)),
                np.full(games, budget, np.int64),
            ),
        )
        launch.start()
        if (
            launch.finish().used.min() < 0
        ):  # a full tree stops growing, which makes the search faster
            raise too_many
        return time.perf_counter() - begin

    run(1)
    seconds = run(playouts)
    return CudaSpeed(
        game=game.name,
        agent=who.name,
        games=games,
        playouts=playouts,
        seconds=seconds,
        per_second=games * playouts / seconds,
    )


def _play_at_random(table: Games, moves: int, seed: int) -> None:
    """Play that many random moves in every game that does not end before."""
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        live = table.live
        table.make(live, table.legal[live, rng.integers(table.counts[live])].astype(np.int64))
        table.take_finished()
