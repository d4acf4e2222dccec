"""Many playouts from one position, and their averages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.position import Position
from uctlab.kernels import copy_record, hole, kernel, seed_rng, specialise

playout: Any = hole("game.playout")
TRACE: bool = hole("playout.TRACE")


@kernel
def run_playouts(states, rng, out, trace, first_moves, playouts):
    """Playouts from states[0], on states[1]; returns (sum of results, draws, sum of lengths)."""
    results = 0.0
    draws = 0
    lengths = 0
    for _ in range(playouts):
        copy_record(states, 1, 0)
        result, length = playout(states[1], rng, out, trace)
        results += result
        draws += np.int64(result == 0.5)
        lengths += length
        if TRACE and length > 0:
            first_moves[trace[0] if trace[0] >= 0 else ~trace[0]] += 1
    return results, draws, lengths


@dataclass(frozen=True)
class PlayoutSample:
    """Averages over playouts from one position."""

    playouts: int
    result: float
    """Mean result for the first player, 0 to 1."""
    draws: float
    """Share of draws, 0 to 1."""
    length: float
    """Mean number of moves to the end."""
    first_moves: np.ndarray
    """How often each move came first, by its code; all zero unless asked for."""


class PlayoutSampler:
    """Playouts of one policy from one position; each call of `run` continues the random stream."""

    def __init__(
        self, position: Position, *, seed: int, policy: str = "uniform", trace: bool = False
    ) -> None:
        game: Game = position.game
        self._states = game.new_states(2)
        self._states[0] = position.state
        self._rng = seed_rng(seed)
        self._out = game.new_out()
        self._trace = game.new_trace()
        self._first_moves = np.zeros(len(game.move_names), np.int64)
        self._kernel = specialise(
            run_playouts,
            interpret=game.interpret,
            game={"playout": game.playout(policy, trace=trace)},
            playout={"TRACE": trace},
        )

    def run(self, playouts: int) -> PlayoutSample:
        if playouts < 1:
            raise UsageError(f"playouts must be at least 1, not {playouts}")
        self._first_moves[:] = 0
        results, draws, lengths = self._kernel(
            self._states, self._rng, self._out, self._trace, self._first_moves, playouts
        )
        return PlayoutSample(
            playouts,
            results / playouts,
            draws / playouts,
            lengths / playouts,
            self._first_moves.copy(),
        )
