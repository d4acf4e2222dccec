"""Searches many positions on a GPU, in batches that fit into its memory.

The trees of a batch share the GPU's memory. A search whose tree ran out of room is repeated with
more, so that no result depends on the size of the memory.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from uctlab.agents import Agent
from uctlab.agents.kinds import NUMBERS, OPTIONS, Params
from uctlab.devices.cuda_driver import TreeMemory, schedulers
from uctlab.devices.cuda_search import BatchInput, CudaSearch, Launch
from uctlab.errors import LabError
from uctlab.games import Game, Position
from uctlab.games.api import MOVE

SPARE = 1.2  # room for a tree, as a multiple of the largest of the latest batch
MAX_SPREAD = 2.0  # limit on extra room if there is memory; trees far apart are slower
CHILDREN = 25  # of an expanded node, in estimates; with expand=0 most are near the root
MORE = 4  # factor by which a tree that had too little room gets more


@dataclass(eq=False)
class KernelGroup:
    """Searches with the same kernels, which differ only in their numbers."""

    search: CudaSearch
    need: int
    """Estimated number of nodes per tree."""


class Found(NamedTuple):
    """Results of a batch of searches, with one element per search."""

    members: np.ndarray
    """Numbers of the searches."""
    moves: np.ndarray
    visits: np.ndarray
    move_visits: np.ndarray
    values: np.ndarray
    """Of the moves, for the players who make them."""
    seconds: float
    """Of the batch, per search."""
    used: np.ndarray
    """Number of nodes; negative if the tree is full."""
    deepest: np.ndarray


Group = tuple[KernelGroup, np.ndarray]
"""Searches with the same kernels, by their numbers."""
Given = Callable[[np.ndarray], BatchInput]
"""Returns the input of the searches with those numbers."""


def rules_of(agent: Agent) -> Agent:
    """Equal for agents with the same kernels, of which numbers are no part but by the parts that
    they ask for."""
    words = [
        (name, value)
        for name, value in agent.options
        if value != OPTIONS[name].default and name not in NUMBERS and not OPTIONS[name].sets_numbers
    ]
    return agent.changed(
        name="",
        kind="",
        options=tuple(sorted(words)),
        params=Params(**NUMBERS),
        open_numbers=frozenset(),
    )


_searches: dict[tuple[str, Agent], CudaSearch] = {}


def search_of(game: Game, agent: Agent) -> CudaSearch:
    """Compiled once for all runs of this process."""
    key = game.name, rules_of(agent)
    if key not in _searches:
        _searches[key] = CudaSearch(game, agent)
    return _searches[key]


def nodes_needed(game: Game, agent: Agent, playouts: int) -> int:
    """An estimate; a tree that needs more gets more, but is searched again."""
    expansions = playouts / max(agent.params.expand, 1.0)
    children = game.max_moves if agent.params.expand == 0 else min(CHILDREN, game.max_moves)
    return int(expansions * children) + 2 * game.max_moves + 2


def turns_of(waiting: list[Group]) -> list[list[Group]]:
    """Which groups run at once: a large kernel runs alone if it has a game for every scheduler."""
    alone: dict[CudaSearch, list[Group]] = {}
    others: list[Group] = []
    for group in waiting:
        search, games = group[0].search, len(group[1])
        takes_turn = search.large and games >= schedulers()
        (alone.setdefault(search, []) if takes_turn else others).append(group)
    return [*alone.values(), *([others] if others else [])]


def boards_of(positions: Sequence[Position]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first arrays of a `BatchInput`: positions of one game, their moves, and how many."""
    game, number = positions[0].game, len(positions)
    states = np.zeros(number, game.state).view(np.recarray)
    legal = np.zeros((number, game.max_moves), MOVE)
    for i, position in enumerate(positions):
        states[i] = position.state
        legal[i, : len(position.legal)] = position.legal
    return states, legal, np.array([len(position.legal) for position in positions], np.int64)


class TreeSearches:
    """Runs searches of several kernel groups in one game."""

    def __init__(self, game: Game, kinds: list[KernelGroup]) -> None:
        self._memory = TreeMemory()
        self._slack = 2 * game.max_moves  # small trees differ more: two expansions
        if any(self._most(kind) < 2 + game.max_moves for kind in kinds):
            raise LabError("one tree takes more than the GPU has")

    def run(self, waiting: list[Group], given: Given) -> Iterator[Found]:
        """Run all these searches, batch by batch."""
        for together in turns_of(waiting):
            yield from self._run(together, given)

    def _run(self, waiting: list[Group], given: Given) -> Iterator[Found]:
        """Run these at once, as far as they fit."""
        while waiting:
            part, waiting = self._fit(waiting)
            for found, without_room in self._search(part, given):
                yield found
                waiting += without_room

    def _fit(self, waiting: list[Group]) -> tuple[list[Group], list[Group]]:
        """As many searches as fit into the memory together, and the rest.

        Parts are of equal size: a small part takes almost as long as a large one.
        """
        left = self._memory.size
        for kind, _ in waiting:
            kind.need = min(kind.need, self._most(kind))
        needed = sum(len(members) * kind.search.bytes_for(kind.need) for kind, members in waiting)
        parts = -(-needed // left)
        part, rest = [], []
        for kind, members in waiting:
            each = kind.search.bytes_for(kind.need)
            number = min(-(-len(members) // parts), left // each)
            left -= number * each
            if number > 0:
                part.append((kind, members[:number]))
            if number < len(members):
                rest.append((kind, members[number:]))
        return part, rest

    def _most(self, kind: KernelGroup) -> int:
        """Number of nodes of a tree that has all the memory."""
        left = self._memory.size - kind.search.bytes_for(0)
        return min(left // kind.search.node_type.itemsize, kind.search.most_nodes)

    def _search(self, part: list[Group], given: Given) -> Iterator[tuple[Found, list[Group]]]:
        """Run the groups concurrently; yields their results, and the searches that had no room."""
        begin = time.perf_counter()
        needed = sum(len(m) * kind.search.bytes_for(kind.need) for kind, m in part)
        self._memory.take_back()
        spread = min(MAX_SPREAD, self._memory.left / needed)
        launches: list[tuple[KernelGroup, np.ndarray, Launch]] = []
        together = sum(len(members) for _, members in part)
        for kind, members in part:
            room = min(int(kind.need * spread), self._most(kind))
            launch = kind.search.prepare(self._memory, room, together, given(members))
            launches.append((kind, members, launch))
        for _, _, launch in launches:
            launch.start()
        results = [launch.finish() for _, _, launch in launches]
        seconds = (time.perf_counter() - begin) / together
        for (kind, members, launch), result in zip(launches, results, strict=True):
            used = result.used
            good = (used > 0) | (launch.room >= kind.search.most_nodes)
            kind.need = int(SPARE * np.abs(used).max()) + self._slack
            without_room = []
            if not good.all():
                if launch.room >= self._most(kind):
                    raise LabError(f"one tree takes more than the GPU has: {launch.room:,} nodes")
                kind.need = max(kind.need, MORE * launch.room)
                without_room = [(kind, members[~good])]
            found = Found(
                members=members[good],
                moves=result.moves[good],
                visits=result.visits[good],
                move_visits=result.move_visits[good],
                values=result.values[good],
                seconds=seconds,
                used=used[good],
                deepest=result.deepest[good],
            )
            yield found, without_room
