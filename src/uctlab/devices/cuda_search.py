"""One search a thread: the kernels of the CPU inside a CUDA kernel."""

from __future__ import annotations

import math
from types import FunctionType
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.devices.cuda_driver import TreeMemory, cuda, schedulers, simulated
from uctlab.games import Game
from uctlab.games.api import MOVE
from uctlab.mcts import final, tree
from uctlab.mcts.binding import bind_search, compact, node_dtype, work_sizes
from uctlab.mcts.searcher import DEFAULT_MEMORY
from uctlab.rules.params import Params

WARP = 32  # threads that run one instruction together
BLOCK = 4 * WARP  # a warp for each scheduler; measured: benchmarks/README.md
PARAMS = np.dtype([(name, "f8") for name in Params._fields], align=True)
# From a row to the tuple, field by field, since Numba takes no *row. Numbers of a tuple are kept in
# registers; those of a row are read anew after every write to the tree.
params_of: Any = eval(f"lambda row: Params({', '.join('row.' + name for name in Params._fields)})")

# Bound by CudaSearch.
search_move: Any = None
STATE: Any = None
STATES = OUT = MARKS = 0
COUNTERS, USED, FULL = tree.COUNTERS, tree.USED, tree.FULL
ALIGNMENT = None if simulated() else 16  # bytes
int64, uint64, move_type = np.int64, np.uint64, MOVE.type


def search_games(nodes, room, lanes, work, given, found):
    """A search in each game, in its own part of `nodes`, by `lanes` threads of every warp.

    `given` are, by game, roots, legal moves, their counts, random states, params and playouts;
    `found` the moves to play, the visits of the root, and the nodes used, negative without room.
    Little is in a thread's own memory: kernels that have much of it do not run side by side.
    """
    g = game_of_thread(lanes)
    if 0 <= g < len(found[0]):
        states = cuda.local.array(STATES, STATE, alignment=ALIGNMENT)
        search_one(g, states, nodes, room, work, given, found)


def search_games_deep(nodes, room, lanes, work, given, found):
    """The same for a search that keeps a position at every level."""
    g = game_of_thread(lanes)
    if 0 <= g < len(found[0]):
        search_one(g, work[3][g], nodes, room, work, given, found)


def game_of_thread(lanes):
    """-1 for a thread that has none."""
    thread = cuda.grid(1)
    lane = thread % WARP
    return thread // WARP * lanes + lane if lane < lanes else -1


def search_one(g, states, nodes, room, work, given, found):
    path, trace, marks = work[0][:, g], work[1][:, g], work[2][g]
    roots, legal, counts, random_states, params, playouts = given
    moves, visits, used = found
    out = cuda.local.array(OUT, move_type)
    counters = cuda.local.array(COUNTERS, int64)
    rng = cuda.local.array(1, uint64)
    states[0] = roots[g]
    rng[0] = random_states[g]
    for move in range(MARKS):
        marks[0, move] = 0
    counters[FULL] = 0
    own = nodes[g * room : (g + 1) * room]
    own_params = params_of(params[g])
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
    """A search of many games, its memory ready.

    All launches of a round are made before the first one starts: an allocation in between would let
    them run one after the other instead of side by side.
    """

    def __init__(self, kernel: Any, room: int, lanes: int, arrays: tuple[Any, ...]) -> None:
        nodes, work, given, self._found = arrays
        self.room = room
        self._arguments = nodes, room, lanes, work, given, self._found
        self._stream = cuda.stream()
        self._kernel = kernel[blocks_for(len(self._found[0]), lanes), BLOCK, self._stream]

    def start(self) -> None:
        self._kernel(*self._arguments)

    def finish(self) -> list[np.ndarray]:
        """Wait; moves, visits and nodes used, as in `search_games`."""
        self._stream.synchronize()
        return [array.copy_to_host() for array in self._found]


class CudaSearch:
    """The search of one kind of agent in one game."""

    def __init__(self, game: Game, agent: Agent) -> None:
        self.most_nodes = DEFAULT_MEMORY // node_dtype(agent).itemsize
        """Of a tree that is full on the CPU."""
        agent = compact(agent)
        self.node_type = node_dtype(agent)
        sizes = work_sizes(game, agent)
        uses_marks = agent.rave or bool(agent.depth_first) or agent.params.prior > 0
        marks = sizes.marks if uses_marks else 1
        # Work arrays that are too large for a thread's own memory: dimensions before that of the
        # games, dimensions after it, type. In path and trace threads are at about the same place,
        # so their elements lie side by side; in marks and states each is at its own.
        self._work = (
            ((sizes.path,), (), np.dtype(np.int64)),
            ((game.max_length if agent.rave else 1,), (), MOVE),
            ((), (3, marks), np.dtype(np.int64)),
            ((), (sizes.states if agent.depth_first else 1,), game.state),
        )
        rules = game.interpreted() if simulated() else game
        bound = {
            "search_move": bind_search(final.search_move, rules, agent, on_gpu=True),
            "STATE": _local_type(game.state),
            "STATES": sizes.states,
            "OUT": game.max_moves,
            "MARKS": marks,
        }
        scope = {**search_games.__globals__, **bound}
        scope["params_of"] = cuda.jit(params_of, device=True)
        scope["game_of_thread"] = cuda.jit(game_of_thread, device=True)
        one = FunctionType(search_one.__code__, scope, "search_one")
        scope["search_one"] = cuda.jit(one, device=True)
        template = search_games_deep if agent.depth_first else search_games
        self._kernel = cuda.jit(FunctionType(template.__code__, scope, template.__name__))

    def bytes_for(self, room: int) -> int:
        """Memory of the GPU that a search with so many nodes takes."""
        work = sum(math.prod(before + after) * kind.itemsize for before, after, kind in self._work)
        return room * self.node_type.itemsize + work

    def prepare(self, memory: TreeMemory, room: int, lanes: int, *inputs: np.ndarray) -> Launch:
        """A search of all games; `inputs` are what is `given` in `search_games`."""
        number = len(inputs[-1])
        given = tuple(cuda.to_device(_records(array)) for array in inputs)
        found = tuple(cuda.to_device(np.full(number, -1, np.int64)) for _ in range(3))
        nodes = memory.take(number * room, self.node_type)
        work = tuple(
            memory.take(number * math.prod(before + after), kind).reshape((*before, number, *after))
            for before, after, kind in self._work
        )
        return Launch(self._kernel, room, lanes, (nodes, work, given, found))


def lanes_for(games: int) -> int:
    """In how many threads of a warp there is a game, of so many that run at once.

    So few that every scheduler has a warp: its threads wait for each other.
    """
    return min(WARP, -(-games // schedulers()))


def blocks_for(games: int, lanes: int) -> int:
    return -(-games // (lanes * BLOCK // WARP))


def params_row(agent: Agent) -> np.void:
    row = np.zeros(1, PARAMS)
    row[0] = tuple(agent.params)
    params: np.void = row[0]
    return params


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
