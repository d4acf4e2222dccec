"""One search a thread: the kernels of the CPU inside a CUDA kernel."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.devices.cuda_driver import TreeMemory, cuda, simulated
from uctlab.games import Game
from uctlab.games.api import MOVE
from uctlab.mcts import final, tree
from uctlab.mcts.binding import bind_search, node_dtype, work_sizes
from uctlab.rules.params import Params

BLOCK = 32  # threads; measured: benchmarks/README.md
PARAMS = np.dtype([(name, "f8") for name in Params._fields])

# Bound by CudaSearch.
search_move: Any = None
STATE: Any = None
STATES = PATH = OUT = TRACE = MARKS = 0
COUNTERS, USED, FULL = tree.COUNTERS, tree.USED, tree.FULL
int64, uint64, move_type = np.int64, np.uint64, MOVE.type


def search_games(
    nodes, room, scratch, roots, legal, counts, seeds, params, playouts, moves, visits, used
):
    """Thread g searches roots[g] in its own part of `nodes`.

    moves[g] is the move to play, visits[g] its playouts, used[g] the nodes of its tree, negative if
    it found no room. Positions are in the thread's own memory.
    """
    g = cuda.grid(1)
    if g < len(moves):
        states = cuda.local.array(STATES, STATE)
        search_one(
            g,
            states,
            nodes,
            room,
            roots,
            legal,
            counts,
            seeds,
            params,
            playouts,
            moves,
            visits,
            used,
        )


def search_games_deep(
    nodes, room, scratch, roots, legal, counts, seeds, params, playouts, moves, visits, used
):
    """The same for a search with a position at every level, too many for a thread's own memory."""
    g = cuda.grid(1)
    if g < len(moves):
        states = scratch[g]
        search_one(
            g,
            states,
            nodes,
            room,
            roots,
            legal,
            counts,
            seeds,
            params,
            playouts,
            moves,
            visits,
            used,
        )


def search_one(
    g, states, nodes, room, roots, legal, counts, seeds, params, playouts, moves, visits, used
):
    path = cuda.local.array(PATH, int64)
    out = cuda.local.array(OUT, move_type)
    trace = cuda.local.array(TRACE, move_type)
    marks = cuda.local.array((2, MARKS), int64)
    counters = cuda.local.array(COUNTERS, int64)
    rng = cuda.local.array(1, uint64)
    states[0] = roots[g]
    rng[0] = seeds[g]
    for move in range(MARKS):
        marks[0, move] = 0
    counters[FULL] = 0
    own = nodes[g * room : (g + 1) * room]
    own_params = params[g]
    moves_here = legal[g]
    number = counts[g]
    budget = playouts[g]
    child = search_move(
        own, counters, states, path, out, trace, marks, rng, own_params, moves_here, number, budget
    )
    if child >= 0:
        moves[g] = own[child].move
    visits[g] = own[0].visits
    used[g] = -counters[USED] if counters[FULL] == 1 else counters[USED]


class Launch:
    """A search that is running."""

    def __init__(self, room: int, stream: Any, *results: Any) -> None:
        self.room = room
        self._stream = stream
        self._results = results

    def finish(self) -> list[np.ndarray]:
        """Wait; moves, visits and nodes used, as in `search_games`."""
        self._stream.synchronize()
        return [array.copy_to_host(stream=self._stream) for array in self._results]


class CudaSearch:
    """The search of one kind of agent in one game."""

    def __init__(self, game: Game, agent: Agent) -> None:
        self.node_type = node_dtype(agent)
        sizes = work_sizes(game, agent)
        uses_marks = agent.rave or bool(agent.depth_first)
        rules = game.interpreted() if simulated() else game
        bound = {
            "search_move": bind_search(final.search_move, rules, agent, on_gpu=True),
            "STATE": _local_type(game.state),
            "STATES": sizes.states,
            "PATH": sizes.path,
            "OUT": game.max_moves,
            "TRACE": game.max_length if agent.rave else 1,
            "MARKS": sizes.marks if uses_marks else 1,
        }
        scope = {**search_games.__globals__, **bound}
        one = FunctionType(search_one.__code__, scope, "search_one")
        scope["search_one"] = cuda.jit(one, device=True)
        template = search_games_deep if agent.depth_first else search_games
        self._kernel = cuda.jit(FunctionType(template.__code__, scope, template.__name__))
        self._levels = sizes.states if agent.depth_first else 0
        self._state_type = game.state

    def bytes_for(self, room: int) -> int:
        """Memory of the GPU that a search with so many nodes takes."""
        return room * self.node_type.itemsize + self._levels * self._state_type.itemsize

    def start(self, memory: TreeMemory, room: int, *inputs: np.ndarray) -> Launch:
        """Search all games; `inputs` are the arguments from `roots` to `playouts`."""
        stream = cuda.stream()
        number = len(inputs[-1])
        given = [cuda.to_device(_records(array), stream=stream) for array in inputs]
        results = [cuda.to_device(np.full(number, -1, np.int64), stream=stream) for _ in range(3)]
        nodes = memory.take(number * room, self.node_type)
        rows = (number, self._levels) if self._levels else (1, 1)
        scratch = memory.take(rows[0] * rows[1], self._state_type).reshape(rows)
        blocks = -(-number // BLOCK)
        self._kernel[blocks, BLOCK, stream](nodes, room, scratch, *given, *results)
        return Launch(room, stream, *results)


def params_row(agent: Agent) -> np.void:
    row = np.zeros(1, PARAMS)
    row[0] = tuple(agent.params)
    return row[0]


def _records(array: np.ndarray) -> np.ndarray:
    """The simulator needs records with attributes; a GPU does not mind."""
    array = np.ascontiguousarray(array)
    return array.view(np.recarray) if array.dtype.names else array


def _local_type(state: np.dtype) -> Any:
    """The type of positions in a thread's own memory."""
    if simulated():
        return np.dtype((np.record, state))
    from numba.np.numpy_support import from_dtype  # noqa: PLC0415

    return from_dtype(state)
