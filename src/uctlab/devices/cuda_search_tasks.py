"""Runs single searches on a GPU, all at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from uctlab.agents import Agent, make_agent
from uctlab.arena.search_task import SearchTask
from uctlab.devices.cuda_search import BatchInput, params_row
from uctlab.devices.cuda_trees import (
    KernelGroup,
    TreeSearches,
    boards_of,
    nodes_needed,
    rules_of,
    search_of,
)
from uctlab.devices.gpu_batches import BatchNews
from uctlab.games import Game, make_game
from uctlab.kernels import seed_rng
from uctlab.mcts.binding import fitted


def choose_moves(tasks: list[SearchTask]) -> Iterator[BatchNews]:
    """Perform all searches of one game.

    Searches with the same kernels and number of playouts form a group: the threads of a warp then
    finish together, and their trees take the same room.
    """
    game = make_game(tasks[0].game)
    agents = {name: fitted(game, make_agent(name)) for name in {task.agent for task in tasks}}
    kinds = _kinds(game, tasks, agents)
    searches = TreeSearches(game, [kind for kind, _ in kinds])
    inputs = _inputs(tasks, agents)

    def given(members: np.ndarray) -> BatchInput:
        return BatchInput(*(array[members] for array in inputs))

    simulations = 0
    for found in searches.run(kinds, given):
        simulations += int(found.visits.sum())
        names = (game.move_name(int(move)) for move in found.moves)
        yield BatchNews(list(zip(found.members.tolist(), names, strict=True)), 0.0, simulations)


def _kinds(
    game: Game, tasks: list[SearchTask], agents: dict[str, Agent]
) -> list[tuple[KernelGroup, np.ndarray]]:
    """The groups, longest searches first: the others fill the memory that these leave."""
    members: dict[tuple[Agent, int], list[int]] = {}
    for i, task in enumerate(tasks):
        members.setdefault((rules_of(agents[task.agent]), task.playouts), []).append(i)
    kinds = []
    for (_, playouts), numbers in sorted(members.items(), key=lambda item: -item[0][1]):
        agent = agents[tasks[numbers[0]].agent]
        kind = KernelGroup(search_of(game, agent), nodes_needed(game, agent, playouts))
        kinds.append((kind, np.array(numbers)))
    return kinds


def _inputs(tasks: list[SearchTask], agents: dict[str, Agent]) -> BatchInput:
    """The input of all searches, in arrays with one row per search."""
    rows = {name: params_row(agent) for name, agent in agents.items()}
    return BatchInput(
        *boards_of([task.position for task in tasks]),
        np.array([seed_rng(task.seed)[0] for task in tasks], np.uint64),
        np.array([rows[task.agent] for task in tasks]),
        np.array([task.playouts for task in tasks], np.int64),
    )
