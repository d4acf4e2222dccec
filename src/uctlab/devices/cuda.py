"""Plays games on a GPU: all games of all matches advance together, one game per thread.

A round is one move in every game. The games are grouped by the kernels of the player to move, so
that all threads of a warp run one algorithm; each group is a launch, and the launches of a round
run concurrently. Then the moves are made on the CPU, by the same rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from uctlab.agents import Agent, make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.objects import Given
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import gtp_command
from uctlab.arena.search_task import SearchTask
from uctlab.arena.tasks import Batch, Finished, T
from uctlab.devices.checkpoint import Checkpoint
from uctlab.devices.cpu import Cpu
from uctlab.devices.cuda_compile import CompileTask, compile_ahead
from uctlab.devices.cuda_driver import require_gpu, simulated
from uctlab.devices.cuda_search import BatchInput, CudaSearch, params_row
from uctlab.devices.cuda_search_tasks import choose_moves
from uctlab.devices.cuda_trees import KernelGroup, TreeSearches, nodes_needed, rules_of, search_of
from uctlab.devices.rounds import Games
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.mcts.binding import fitted
from uctlab.mcts.resigning import is_hopeless
from uctlab.mcts.searcher import DEFAULT_MEMORY

MAX_PLAYOUTS = 2**30  # final=both may double them, and half points are counted in 32 bits


class Cuda:
    """Games and single searches on the GPU of this machine; other tasks on its cores."""

    searches_on_cpu = False

    def __init__(self, workers: int | None = None, checkpoint: Path | None = None) -> None:
        require_gpu()
        self._cpu = Cpu(workers)
        self._checkpoint = checkpoint

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        everything: list[Any] = list(tasks)
        games = [task for task in everything if isinstance(task, GameTask)]
        choices = [task for task in everything if isinstance(task, SearchTask)]
        others = [task for task in everything if not isinstance(task, GameTask | SearchTask)]
        for plan in dict.fromkeys(task.plan for task in games):
            check_plan(plan)
        for game in dict.fromkeys(map(_game_of, games)):
            yield from _play([task for task in games if _game_of(task) == game], self._checkpoint)
        for name in dict.fromkeys(task.game for task in choices):
            yield from choose_moves([task for task in choices if task.game == name])
        if others:
            yield from self._cpu.run(iter(others))


def _game_of(task: GameTask) -> tuple[str, Given | None]:
    return task.plan.game, task.plan.own_game


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
                name = (plan.a, plan.own_a) if who == "a" else (plan.b, plan.own_b)
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


def check_plan(plan: MatchPlan) -> None:
    """Raise a UsageError for what a GPU cannot do."""
    players = {"a": plan.a, "b": plan.b}
    game = plan.load_game()
    ours = [side for side, name in players.items() if gtp_command(name) is None]
    agents = [plan.load_agent(side, game) for side in ours]
    refused = {
        "a budget in seconds: give --playouts": plan.seconds is not None,
        f"{MAX_PLAYOUTS:,} playouts or more": (plan.playouts or 0) >= MAX_PLAYOUTS,
        "trees that are kept from move to move": plan.reuse,
        "a limit on the memory of a tree": plan.memory != DEFAULT_MEMORY,
        "external programs": len(agents) < len(players),
        "agents with threads= or root=": any(max(a.threads, a.root) > 1 for a in agents),
        "agents with filter=on": any(agent.filter for agent in agents),
    }
    for what, given in refused.items():
        if given:
            raise UsageError(f"--device cuda does not support {what}")


def _play(tasks: list[GameTask], checkpoint: Path | None) -> Finished[Any]:
    """Play all these games, which are of one kind, to the end."""
    game = tasks[0].plan.load_game()
    players = _Players(game, tasks)
    if len(players.uncompiled) > 1:
        count = len(players.uncompiled)
        yield Batch([], 0.0, f"compiling {count} kinds of agents for the GPU")
        compile_ahead([CompileTask(tasks[0].plan.game, name) for name in players.uncompiled])
    games = Games(game, tasks)
    rounds = _Rounds(games, players)
    kept = Checkpoint(checkpoint, games) if checkpoint else None
    begin = time.perf_counter()
    while True:
        finished = games.take_finished()
        if kept and len(games.live) == 0:  # now: the caller may not ask again after the last games
            kept.remove()
        speed = rounds.simulations / max(time.perf_counter() - begin, 1e-9)
        yield Batch(finished, games.ahead(), f"{speed:.2e} simulations per second")
        if len(games.live) == 0:
            break
        if kept:
            kept.save_if_due()
        try:
            rounds.play_one()
        except KeyboardInterrupt:
            if kept:
                kept.save()
            raise


class _Rounds:
    """Plays the rounds: one move in every live game."""

    def __init__(self, games: Games, players: _Players) -> None:
        self.simulations = 0
        self._games = games
        self._players = players
        self._searches = TreeSearches(games.game, players.kinds)
        self._playouts = np.array([task.plan.playouts for task in games.tasks], np.int64)
        self._limits = np.array([task.plan.resign / 100 for task in games.tasks])

    def play_one(self) -> None:
        """Make one move in every live game."""
        games = self._games
        chosen = np.full(len(games.tasks), -1, np.int64)
        lost = np.zeros(len(games.tasks), np.bool_)
        playouts = np.zeros(len(games.tasks), np.int64)
        seconds = np.zeros(len(games.tasks))
        kinds = self._players.kind[games.live, games.turn(games.live)]
        waiting = [
            (kind, games.live[kinds == number])
            for number, kind in enumerate(self._players.kinds)
            if np.any(kinds == number)
        ]
        for found in self._searches.run(waiting, self._given):
            members = found.members
            chosen[members] = found.moves
            limits = self._limits[members]
            lost[members] = is_hopeless(found.values, found.move_visits, limits)
            playouts[members], seconds[members] = found.visits, found.seconds
            self.simulations += int(found.visits.sum())
        # All at once, so that an interrupted round leaves no trace in a checkpoint.
        live, turns = games.live, games.turn(games.live)
        games.playouts[live, turns] += playouts[live]
        games.seconds[live, turns] += seconds[live]
        games.make_or_resign(live, chosen[live], lost[live])

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
