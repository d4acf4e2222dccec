"""Runs one search per GPU thread: the CPU's kernels inside a CUDA kernel."""

from __future__ import annotations

import hashlib
import inspect
import math
import sys
from collections.abc import Iterable
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from uctlab.agents import Agent
from uctlab.agents.kinds import NUMBERS
from uctlab.devices.cuda_cache import CudaCache
from uctlab.devices.cuda_driver import (
    BLOCK,
    WARP,
    WARPS_PER_BLOCK,
    TreeMemory,
    load_cuda,
    local_type,
    simulated,
    warps_for,
    warps_for_large,
)
from uctlab.games import Game
from uctlab.games.api import MOVE
from uctlab.games.guard import CANARY, ROW_FENCE
from uctlab.kernels.specialise import digest_of
from uctlab.kernels.tuples import tuple_class
from uctlab.mcts import tree
from uctlab.mcts.binding import bind_for_gpu, node_dtype
from uctlab.mcts.overruns import NO_FAULT, check_faults
from uctlab.mcts.searcher import DEFAULT_MEMORY
from uctlab.mcts.workspace import Tree, work_shapes
from uctlab.parts import layout
from uctlab.parts.final_move import value_of as value_kernel
from uctlab.parts.listing import ARRAYS

PARAMS = np.dtype([(name, "f8") for name in NUMBERS], align=True)

# Filled by CudaSearch.
cuda: Any = None
search_move: Any = None
value_of: Any = None
params_of: Any = None
work_of: Any = None
STATE: Any = None
STATES_IN_THREAD = 2
STATES = OUT = MAX_MOVES = MAX_LENGTH = 0
TRACED = False

COUNTERS, USED, FULL, DEEPEST = layout.COUNTERS, layout.USED, layout.FULL, layout.DEEPEST
FAULT, ROOT = layout.FAULT, layout.ROOT
ALIGNMENT = None if simulated() else 16  # bytes
int64, uint64, move_type = np.int64, np.uint64, MOVE.type


# Of the arrays of Work those that are too large for a thread's local memory are in one array for
# all n searches. In these, whose threads are all at about the same index, the searches are along
# the last axis, (length, n), with their elements side by side; in the others each thread is at a
# different place, (n, ...).
SIDE_BY_SIDE = ("path", "trace")
LOCAL = ("states", "out", "rng", "own")
"""Those that a thread has in its local memory; `states` only if they are two."""


class BatchInput(NamedTuple):
    """The input of n searches, copied to the GPU."""

    roots: Any
    """(n,) positions."""
    legal: Any
    """(n, max_moves) moves of the root; the kernel puts them into the order of the children."""
    counts: Any
    """(n,) int64: how many moves."""
    random_states: Any
    """(n,) uint64."""
    params: Any
    """(n,) records of Params."""
    playouts: Any
    """(n,) int64."""


class BatchOutput(NamedTuple):
    """The results of n searches, each (n,) and int64 unless noted, written by the kernel."""

    moves: Any
    """The moves to play."""
    visits: Any
    """Visits to the root."""
    used: Any
    """Number of nodes in the tree; negative if it ran out of room."""
    move_visits: Any
    """Visits to the moves to play."""
    values: Any
    """Of these, for the players who make them: float64."""
    deepest: Any
    """Moves from the root to the deepest node."""
    faults: Any
    """Which limit the game has broken: see mcts/overruns.py."""


def search_games(nodes, room, warps, batch, given, found):
    """Search each game in its own part of `nodes`; the games are spread over `warps` warps.

    Threads use little local memory: kernels that use much of it do not run concurrently.
    """
    g = game_of_thread(warps, len(found.moves))
    if g >= 0:
        states = cuda.local.array(STATES, STATE, alignment=ALIGNMENT)
        search_one(g, states, nodes, room, batch, given, found)


def search_games_deep(nodes, room, warps, batch, given, found):
    """The same for a search that keeps a position at every level."""
    g = game_of_thread(warps, len(found.moves))
    if g >= 0:
        search_one(g, batch.states[g], nodes, room, batch, given, found)


def game_of_thread(warps, games):
    """The number of this thread's game; -1 if it has none. All warps have equally many, or one
    more."""
    thread = cuda.grid(1)
    warp = thread // WARP
    g = warp * games // warps + thread % WARP
    return g if warp < warps and g < (warp + 1) * games // warps else -1


def search_one(g, states, nodes, room, batch, given, found):
    """Search game g, whose tree is nodes[g * room : (g + 1) * room]."""
    out = cuda.local.array(OUT, move_type)
    counters = cuda.local.array(COUNTERS, int64)
    rng = cuda.local.array(1, uint64)
    out[MAX_MOVES] = CANARY
    if TRACED:
        batch.trace[MAX_LENGTH, g] = CANARY
    counters[FAULT] = NO_FAULT
    counters[ROOT] = 0
    states[0] = given.roots[g]
    rng[0] = given.random_states[g]
    own = nodes[g * room : (g + 1) * room]
    work = work_of(g, states, out, rng, counters, batch)
    child = search_move(
        Tree(own, counters),
        work,
        params_of(given.params[g]),
        given.legal[g],
        given.counts[g],
        given.playouts[g],
    )
    if child >= 0:
        found.moves[g] = own[child].move
        found.move_visits[g] = own[child].visits
        found.values[g] = value_of(own, child)
    found.visits[g] = own[0].visits
    found.used[g] = -counters[USED] if counters[FULL] == 1 else counters[USED]
    found.deepest[g] = counters[DEEPEST]
    found.faults[g] = counters[FAULT]


class Launch:
    """A search of many games, with its memory allocated.

    All launches that run at once are prepared before the first one starts: an allocation in between
    would make them run one after the other.
    """

    def __init__(
        self,
        game: Game,
        kernel: Any,
        nodes: Any,
        room: int,
        warps: int,
        work: Any,
        given: BatchInput,
        found: BatchOutput,
    ) -> None:
        self.room = room
        self._game = game
        self._found = found
        self._arguments = nodes, room, warps, work, given, found
        self._stream = load_cuda().stream()
        self._kernel = kernel[-(-warps // WARPS_PER_BLOCK), BLOCK, self._stream]

    def start(self) -> None:
        self._kernel(*self._arguments)

    def finish(self) -> BatchOutput:
        """Wait, and return the results as arrays on the CPU."""
        self._stream.synchronize()
        found = BatchOutput(*(array.copy_to_host() for array in self._found))
        check_faults(self._game, found.faults)
        return found


class CudaSearch:
    """The CUDA kernel of one kind of agent in one game."""

    def __init__(self, game: Game, agent: Agent) -> None:
        self.most_nodes = DEFAULT_MEMORY // node_dtype(agent).itemsize
        """Number of nodes at which a tree is full on the CPU."""
        binding = bind_for_gpu(game.interpreted() if simulated() else game, agent)
        self.large = any(part.large for part in binding.parts)
        """Whether it has more code than the caches for it hold, as Go with priors has. Such kernels
        slow each other down."""
        self.node_type = binding.node_type
        shapes = work_shapes(binding.setting, binding.parts)
        states = shapes["states"].shape[0]
        traced = binding.records_moves
        length = game.max_length + ROW_FENCE if traced else 1
        shapes["trace"] = shapes["trace"]._replace(shape=(length,))
        deep = states > STATES_IN_THREAD
        self._game = game
        self._work = {n: s for n, s in shapes.items() if n not in LOCAL or (deep and n == "states")}
        made_work = work_source(shapes, self._work)
        jit = load_cuda().jit
        bound = {
            "cuda": load_cuda(),
            "search_move": binding.bind(tree.search_move),
            "value_of": binding.bind(value_kernel),
            "STATE": local_type(game.state),
            "STATES": states,
            "OUT": game.max_moves + ROW_FENCE,
            "MAX_MOVES": game.max_moves,
            "MAX_LENGTH": game.max_length,
            "TRACED": traced,
            "Work": tuple_class("Work", shapes),
        }
        scope = {**search_games.__globals__, **bound}

        def with_scope(function: Any, name: str = "") -> Any:
            return FunctionType(function.__code__, scope, name or function.__name__)

        exec(compile(made_work, "<work_of>", "exec"), scope)
        scope["work_of"] = jit(scope["work_of"], device=True)
        scope["params_of"] = jit(binding.owners["params"]["of_row"], device=True)
        scope["game_of_thread"] = jit(with_scope(game_of_thread), device=True)
        scope["search_one"] = jit(with_scope(search_one), device=True)
        main = search_games_deep if deep else search_games
        digest = self._digest(bound, made_work)
        name = f"{main.__name__}_{digest}"
        self.cache = CudaCache(name)
        self._kernel = jit(with_scope(main, name))
        if not simulated():
            self._kernel._cache = self.cache

    @staticmethod
    def _digest(bound: dict[str, Any], made_work: str) -> str:
        """Of all that the kernel is made from but the types of its arguments."""
        facts = [
            *(digest_of(bound[name]) for name in ("search_move", "value_of")),
            *(str(bound[name]) for name in ("STATE", "STATES", "OUT", "MAX_LENGTH", "TRACED")),
            inspect.getsource(sys.modules[__name__]),
            made_work,
        ]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]

    def bytes_for(self, room: int) -> int:
        """GPU memory that a search with that many nodes takes."""
        work = sum(math.prod(shape) * kind.itemsize for shape, kind in self._work.values())
        return room * self.node_type.itemsize + work

    def prepare(self, memory: TreeMemory, room: int, together: int, inputs: BatchInput) -> Launch:
        """Prepare a search of all games; `together` games run at once in all launches."""
        number = len(inputs.playouts)
        warps = (warps_for_large if self.large else warps_for)(number, together)
        to_device = load_cuda().to_device
        given = BatchInput(*(to_device(_records(array)) for array in inputs))
        kinds = dict.fromkeys(BatchOutput._fields, np.int64) | {"values": np.float64}
        unset = {name: to_device(np.full(number, -1, kind)) for name, kind in kinds.items()}
        found = BatchOutput(**unset)
        nodes = memory.take(number * room, self.node_type)
        arrays = {}
        for name, (shape, kind) in self._work.items():
            whole = (*shape, number) if name in SIDE_BY_SIDE else (number, *shape)
            arrays[name] = memory.take(math.prod(whole), kind).reshape(whole)
        return Launch(
            *(self._game, self._kernel, nodes, room, warps),
            *(tuple_class("BatchWork", self._work)(**arrays), given, found),
        )


def work_source(shapes: Iterable[str], batch: Iterable[str]) -> str:
    """The function that makes one search's Work of the arrays of all."""
    lines = ["def work_of(g, states, out, rng, own, batch):"]
    arrays = []
    for name in shapes:
        if name in LOCAL:
            arrays.append(f"{name}={name}")
            continue
        arrays.append(f"{name}=batch.{name}[{':, g' if name in SIDE_BY_SIDE else 'g'}]")
        if name in ARRAYS and ARRAYS[name].reset == "search":
            lines += [f"    array = batch.{name}[g]", "    for i in range(array.shape[0]):"]
            lines += ["        for j in range(array.shape[1]):", "            array[i, j] = 0"]
    return "\n".join([*lines, f"    return Work({', '.join(arrays)})", ""])


def params_row(agent: Agent) -> np.void:
    row = np.zeros(1, PARAMS)
    row[0] = tuple(agent.params)
    params: np.void = row[0]
    return params


def _records(array: np.ndarray) -> np.ndarray:
    """Only the simulator needs this: records with attributes."""
    array = np.ascontiguousarray(array)
    return array.view(np.recarray) if array.dtype.names else array
