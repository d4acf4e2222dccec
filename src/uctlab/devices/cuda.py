"""A GPU: all games of all matches advance together, one game a thread.

A move of every game is a round. The games are grouped by the kernels of the player to move, so that
the threads of a warp run one algorithm; each group is a launch, and the launches of a round run
side by side. Then the moves are made on the CPU, by the same rules.

The trees of a round share the GPU's memory. When they do not all fit, they are searched in parts,
one after the other; a search whose tree found no room is repeated with more. So no result depends
on the memory.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from uctlab.agents import Agent, make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.player import gtp_command
from uctlab.arena.tasks import Batch, Finished, T
from uctlab.devices.checkpoint import Checkpoint
from uctlab.devices.cpu import Cpu
from uctlab.devices.cuda_driver import TreeMemory, require_gpu
from uctlab.devices.cuda_search import CudaSearch, Launch, params_row
from uctlab.devices.rounds import Games
from uctlab.errors import LabError, UsageError
from uctlab.games import Game, make_game
from uctlab.mcts.searcher import DEFAULT_MEMORY
from uctlab.rules.params import Params

SPARE = 1.25  # room for a tree, as a multiple of the largest so far
MOST_SPREAD = 2.0  # room beyond the need where there is memory; trees far apart are slower
MORE = 4  # times the room for a tree that had too little


class Cuda:
    """Games on the GPU of this machine; other tasks on its cores."""

    def __init__(self, workers: int | None = None, checkpoint: Path | None = None) -> None:
        require_gpu()
        self._cpu = Cpu(workers)
        self._checkpoint = checkpoint

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        everything: list[Any] = list(tasks)
        games = [task for task in everything if isinstance(task, GameTask)]
        others = [task for task in everything if not isinstance(task, GameTask)]
        for task in games:
            check_plan(task)
        for name in dict.fromkeys(task.plan.game for task in games):
            play = [task for task in games if task.plan.game == name]
            yield from _play(play, self._checkpoint)
        if others:
            yield from self._cpu.run(iter(others))


@dataclass(eq=False)
class _Kind:
    """Players with the same kernels, who differ in numbers alone."""

    search: CudaSearch
    need: int
    """Nodes that a tree is known, or guessed, to take."""


class _Players:
    """Who moves: for every game and side, a kind and its numbers."""

    def __init__(self, game: Game, tasks: list[GameTask]) -> None:
        self.kinds: list[_Kind] = []
        self.kind = np.zeros((len(tasks), 2), np.int64)
        self.params = np.zeros((len(tasks), 2), params_row(make_agent("uct")).dtype)
        known: dict[str, tuple[int, np.void]] = {}
        rules: dict[Agent, int] = {}
        most = max(task.plan.playouts or 1 for task in tasks)
        for g, task in enumerate(tasks):
            names = (task.plan.a, task.plan.b) if task.a_first else (task.plan.b, task.plan.a)
            for side, name in enumerate(names):
                if name not in known:
                    agent = make_agent(name)
                    nameless = replace(agent, name="", params=Params())
                    if nameless not in rules:
                        rules[nameless] = len(self.kinds)
                        self.kinds.append(_Kind(_search_of(game, agent, nameless), 0))
                    known[name] = rules[nameless], params_row(agent)
                    guess = most / agent.params.expand * min(10, game.max_moves)
                    kind = self.kinds[rules[nameless]]
                    kind.need = max(kind.need, int(guess) + 2 * game.max_moves + 2)
                self.kind[g, side], self.params[g, side] = known[name]


_searches: dict[tuple[str, Agent], CudaSearch] = {}


def _search_of(game: Game, agent: Agent, rules: Agent) -> CudaSearch:
    """Compiled once for all runs of this process."""
    if (game.name, rules) not in _searches:
        _searches[game.name, rules] = CudaSearch(game, agent)
    return _searches[game.name, rules]


def check_plan(task: GameTask) -> None:
    """What a GPU cannot do."""
    plan = task.plan
    refused = {
        "a budget in seconds: give --playouts": plan.seconds is not None,
        "trees that are kept from move to move": plan.reuse,
        "a limit on the memory of a tree": plan.memory != DEFAULT_MEMORY,
        "external programs": any(gtp_command(text) is not None for text in (plan.a, plan.b)),
    }
    for what, given in refused.items():
        if given:
            raise UsageError(f"--device cuda does not take {what}")


def _play(tasks: list[GameTask], checkpoint: Path | None) -> Finished[Any]:
    """All games of one kind, to the end."""
    game = make_game(tasks[0].plan.game)
    games = Games(game, tasks)
    rounds = _Rounds(games, _Players(game, tasks))
    kept = Checkpoint(checkpoint, games) if checkpoint else None
    begin = time.perf_counter()
    while True:
        finished = games.take_finished()
        if kept and len(games.live) == 0:  # nobody may ask for more than the last games
            kept.remove()
        speed = rounds.simulations / max(time.perf_counter() - begin, 1e-9)
        yield Batch(finished, games.ahead(), f"{speed:.2e} simulations a second")
        if len(games.live) == 0:
            break
        if kept:
            kept.save_if_due()
        rounds.play_one()


class _Rounds:
    """Moves of all live games, one after the other."""

    def __init__(self, games: Games, players: _Players) -> None:
        self.simulations = 0
        self._games = games
        self._players = players
        self._memory = TreeMemory()
        self._playouts = np.array([task.plan.playouts for task in games.tasks], np.int64)
        for kind in players.kinds:
            if self._most(kind) < 2 + games.game.max_moves:
                raise LabError("one tree takes more than the GPU has")
            kind.need = min(kind.need, self._most(kind))

    def play_one(self) -> None:
        """One move in every live game."""
        games = self._games
        chosen = np.full(len(games.tasks), -1, np.int64)
        kinds = self._players.kind[games.live, games.turn(games.live)]
        waiting = [
            (kind, games.live[kinds == number])
            for number, kind in enumerate(self._players.kinds)
            if np.any(kinds == number)
        ]
        while waiting:
            part, waiting = self._fit(waiting)
            for kind, full in self._search(part, chosen):
                waiting.append((kind, full))
        games.make(games.live, chosen[games.live])

    def _fit(
        self, waiting: list[tuple[_Kind, np.ndarray]]
    ) -> tuple[list[tuple[_Kind, np.ndarray]], list[tuple[_Kind, np.ndarray]]]:
        """As many searches as the memory holds together, and the rest."""
        left = self._memory.size
        part, rest = [], []
        for kind, members in waiting:
            each = kind.search.bytes_for(kind.need)
            number = min(len(members), left // each)
            left -= number * each
            if number > 0:
                part.append((kind, members[:number]))
            if number < len(members):
                rest.append((kind, members[number:]))
        return part, rest

    def _most(self, kind: _Kind) -> int:
        """Nodes of a tree that has the memory to itself."""
        left = self._memory.size - kind.search.bytes_for(0)
        return min(left, DEFAULT_MEMORY) // kind.search.node_type.itemsize

    def _search(
        self, part: list[tuple[_Kind, np.ndarray]], chosen: np.ndarray
    ) -> list[tuple[_Kind, np.ndarray]]:
        """Search side by side; the games whose trees had no room."""
        games, begin = self._games, time.perf_counter()
        needed = sum(len(m) * kind.search.bytes_for(kind.need) for kind, m in part)
        spread = min(MOST_SPREAD, self._memory.size / needed)
        launches: list[tuple[_Kind, np.ndarray, Launch]] = []
        self._memory.take_back()
        for kind, members in part:
            turns = games.turn(members)
            launch = kind.search.prepare(
                self._memory,
                min(int(kind.need * spread), self._most(kind)),
                games.states(members),
                games.legal[members],
                games.counts[members],
                games.random_states(members),
                self._players.params[members, turns],
                self._playouts[members],
            )
            launches.append((kind, members, launch))
        for _, _, launch in launches:
            launch.start()
        without_room = []
        number = sum(len(members) for _, members in part)
        for kind, members, launch in launches:
            moves, visits, used = launch.finish()
            turns = games.turn(members)
            # A tree of all the memory that a plan allows may be full, on the CPU as well.
            largest = launch.room >= DEFAULT_MEMORY // kind.search.node_type.itemsize
            good = (used > 0) | largest
            chosen[members[good]] = moves[good]
            games.playouts[members[good], turns[good]] += visits[good]
            self.simulations += int(visits[good].sum())
            kind.need = max(kind.need, int(SPARE * np.abs(used).max()))
            if not good.all():
                if launch.room >= self._most(kind):
                    raise LabError(f"one tree takes more than the GPU has: {launch.room:,} nodes")
                kind.need = max(kind.need, MORE * launch.room)
                without_room.append((kind, members[~good]))
            kind.need = min(kind.need, self._most(kind))
        share = (time.perf_counter() - begin) / number
        for _, members in part:
            games.seconds[members, games.turn(members)] += share
        return without_room
