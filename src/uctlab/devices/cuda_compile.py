"""Compiles kernels for a GPU ahead of the games, several at a time, in a process each.

The processes leave them in the cache (cuda_cache.py), from where this one takes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from uctlab.agents import make_agent
from uctlab.devices.cpu import Cpu, cores
from uctlab.devices.cuda_driver import TreeMemory
from uctlab.devices.cuda_search import BatchInput, params_row
from uctlab.devices.cuda_trees import boards_of, nodes_needed, search_of
from uctlab.devices.seeds import seed_states
from uctlab.errors import LabError
from uctlab.games import Position, make_game
from uctlab.kernels.cache_folder import say_once
from uctlab.mcts.binding import fitted

MEMORY = 2**28  # bytes of the GPU that one of these processes takes for its tree


@dataclass(frozen=True)
class CompileTask:
    """Compiles the search of an agent in a game, both given by name."""

    game: str
    agent: str

    def __str__(self) -> str:
        return f"compiling {self.agent} in {self.game} for the GPU"

    def perform(self) -> bool:
        """A search of one playout, which compiles the kernel and keeps it."""
        game = make_game(self.game)
        agent = fitted(game, make_agent(self.agent))
        given = BatchInput(
            *boards_of([Position.start(game)]),
            seed_states(np.array([0])),
            np.array([params_row(agent)]),
            np.array([1]),
        )
        room = nodes_needed(game, agent, 1)
        launch = search_of(game, agent).prepare(TreeMemory(MEMORY), room, 1, given)
        launch.start()
        launch.finish()
        return True


def compile_ahead(tasks: Sequence[CompileTask]) -> None:
    """Compile all of these; what fails here is compiled, or fails, when it is needed."""
    try:
        for _ in Cpu(max(2, min(len(tasks), cores()))).run(iter(tasks)):
            pass
    except LabError as trouble:
        say_once(f"kernels are compiled one after the other: {trouble}")
