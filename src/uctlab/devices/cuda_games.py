"""Plays games on the GPU of this process: all advance together, one game per thread.

The games are grouped by the kernels of the player to move, so that all threads of a warp run one
algorithm; each group is a launch. All launches run concurrently and every game gets a move, but
kernels with much code and many games take turns. Such a kernel gets all games that wait for it by
then, so that after a few turns all games of a match wait for the same side, and a launch has twice
as many. Then the moves are made on the CPU, by the same rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache

import numpy as np

from uctlab.agents import Agent, make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.objects import Given
from uctlab.devices.checkpoint import SavedGames, keys_of, restore_games, save_games
from uctlab.devices.cuda_compile import CompileTask, compile_ahead
from uctlab.devices.cuda_driver import simulated
from uctlab.devices.cuda_search import BatchInput, CudaSearch, params_row
from uctlab.devices.cuda_trees import (
    Group,
    KernelGroup,
    TreeSearches,
    nodes_needed,
    rules_of,
    search_of,
    turns_of,
)
from uctlab.devices.gpu_batches import BatchNews
from uctlab.devices.rounds import Games
from uctlab.games import Game
from uctlab.mcts.binding import fitted
from uctlab.mcts.resigning import is_hopeless


class _Players:
    """The players: for every game and side, a kernel group and its numbers."""

    def __init__(self, game: Game, tasks: list[GameTask]) -> None:
        self.kinds: list[KernelGroup] = []
        self.uncompiled: list[str] = []
        """Names of agents, one of each kind whose kernel is not in the cache."""
        self.kind = np.zeros((len(tasks), 2), np.int64)
        self.params = np.zeros((len(tasks), 2), params_row(make_agent("uct")).dtype)
        known: dict[tuple[str, Given | None], tuple[int, np.void]] = {}
        rules: dict[Agent, int] = {}
        most = max(task.plan.playouts or 1 for task in tasks)
        for g, task in enumerate(tasks):
            plan = task.plan
            for side, who in enumerate("ab" if task.a_first else "ba"):
                name = plan.player(who)
                if name not in known:
                    agent = fitted(game, plan.load_agent(who, game))
                    number = rules.setdefault(rules_of(agent), len(self.kinds))
                    if number == len(self.kinds):
                        self._add_kind(search_of(game, agent), "" if plan.given() else name[0])
                    known[name] = number, params_row(agent)
                    kind = self.kinds[number]
                    kind.need = max(kind.need, nodes_needed(game, agent, most))
                self.kind[g, side], self.params[g, side] = known[name]

    def _add_kind(self, search: CudaSearch, name: str) -> None:
        """`name` is an agent's; empty if a name does not say all."""
        self.kinds.append(KernelGroup(search, 0))
        if name and not simulated() and not search.cache.is_filled():
            self.uncompiled.append(name)


def uncompiled(tasks: list[GameTask]) -> list[CompileTask]:
    """What is left to compile for these games, which are of one kind."""
    players = _Players(tasks[0].plan.load_game(), tasks)
    return [CompileTask(tasks[0].plan.game, name) for name in players.uncompiled]


def play_games(
    tasks: list[GameTask], saved: SavedGames | None, pause: float
) -> Iterator[BatchNews]:
    """Play all these games, which are of one kind, to the end; a part has the unfinished ones if
    `pause` seconds have passed since the last that had."""
    game = tasks[0].plan.load_game()
    players = _Players(game, tasks)
    if len(players.uncompiled) > 1:
        count = len(players.uncompiled)
        yield BatchNews([], status=f"compiling {count} kinds of agents for the GPU")
        compile_ahead([CompileTask(tasks[0].plan.game, name) for name in players.uncompiled])
    games = Games(game, tasks)
    keys = cache(lambda: keys_of(tasks))  # they take a while if there are many matches
    if saved is not None:
        restore_games(games, keys(), saved)
    turns = _Turns(games, players)
    saved_at = time.perf_counter()
    while True:
        finished = games.take_finished()
        ahead, now = games.ahead(), None
        if len(games.live) > 0 and time.perf_counter() - saved_at >= pause:
            now, saved_at = save_games(games, keys()), time.perf_counter()
        yield BatchNews(finished, ahead, turns.simulations, saved=now)
        if len(games.live) == 0:
            break
        try:
            turns.play_one()
        except KeyboardInterrupt:
            left = save_games(games, keys())
            yield BatchNews([], ahead, turns.simulations, saved=left, urgent=True)
            raise


class _Turns:
    """Plays the turns: one move in every live game whose player's kernel has its turn."""

    def __init__(self, games: Games, players: _Players) -> None:
        self.simulations = 0
        self._games = games
        self._players = players
        self._searches = TreeSearches(games.game, players.kinds)
        self._playouts = np.array([task.plan.playouts for task in games.tasks], np.int64)
        self._limits = np.array([task.plan.resign / 100 for task in games.tasks])
        self._made = 0
        self._last = dict.fromkeys(players.kinds, 0)
        """The number of each kernel's last turn."""

    def play_one(self) -> None:
        """Make one move in every game that waits for the kernels whose last turn is longest ago."""
        games = self._games
        waiting = min(turns_of(self._waiting()), key=self._age)
        self._made += 1
        for kind, _ in waiting:
            self._last[kind] = self._made
        moving = np.sort(np.concatenate([members for _, members in waiting]))
        chosen = np.full(len(games.tasks), -1, np.int64)
        lost = np.zeros(len(games.tasks), np.bool_)
        playouts = np.zeros(len(games.tasks), np.int64)
        seconds = np.zeros(len(games.tasks))
        for found in self._searches.run(waiting, self._given):
            members = found.members
            chosen[members] = found.moves
            limits = self._limits[members]
            lost[members] = is_hopeless(found.values, found.move_visits, limits)
            playouts[members], seconds[members] = found.visits, found.seconds
            self.simulations += int(found.visits.sum())
        # All at once, so that an interrupted turn leaves no trace in a checkpoint.
        sides = games.turn(moving)
        games.playouts[moving, sides] += playouts[moving]
        games.seconds[moving, sides] += seconds[moving]
        games.make_or_resign(moving, chosen[moving], lost[moving])

    def _waiting(self) -> list[Group]:
        live = self._games.live
        kinds = self._players.kind[live, self._games.turn(live)]
        return [
            (kind, live[kinds == number])
            for number, kind in enumerate(self._players.kinds)
            if np.any(kinds == number)
        ]

    def _age(self, together: list[Group]) -> int:
        return min(self._last[kind] for kind, _ in together)

    def _given(self, members: np.ndarray) -> BatchInput:
        games = self._games
        return BatchInput(
            games.states(members),
            games.legal[members],
            games.counts[members],
            games.random_states(members),
            self._players.params[members, games.turn(members)],
            self._playouts[members],
        )
