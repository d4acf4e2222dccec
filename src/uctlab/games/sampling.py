"""Many playouts from one position, and their averages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import MOVE, Game
from uctlab.games.guard import Guarded, codes_within, excess_error, length_error
from uctlab.games.position import Position
from uctlab.kernels import copy_record, hole, kernel, seed_rng, specialise

playout: Any = hole("game.playout")
CODES: int = hole("limits.CODES")
TRACE: bool = hole("playout.TRACE")


@kernel
def run_playouts(states, rng, out, trace, first_moves, playouts):
    """Playouts from states[0], on states[1]; returns (sum of results, draws, sum of lengths,
    longest length, shortest length)."""
    results = 0.0
    draws = 0
    lengths = 0
    longest = 0
    shortest = 0
    for _ in range(playouts):
        copy_record(states, 1, 0)
        result, length = playout(states[1], rng, out, trace)
        results += result
        draws += np.int64(result == 0.5)
        lengths += length
        longest = max(longest, length)
        shortest = min(shortest, length)
        if TRACE and length > 0 and codes_within(trace, 1, -CODES):
            first_moves[trace[0] if trace[0] >= 0 else ~trace[0]] += 1
    return results, draws, lengths, longest, shortest


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
        self._position = position
        self._states = game.new_states(2)
        self._states[0] = position.state
        self._rng = seed_rng(seed)
        self._out = Guarded(game.max_moves, MOVE)
        self._trace = Guarded(game.max_length, MOVE)
        self._first_moves = np.zeros(len(game.move_names), np.int64)
        self._kernel = specialise(
            run_playouts,
            interpret=game.interpret,
            game={"playout": game.playout(policy, trace=trace)},
            limits=game.limits,
            playout={"TRACE": trace},
        )

    def run(self, playouts: int) -> PlayoutSample:
        if playouts < 1:
            raise UsageError(f"playouts must be at least 1, not {playouts}")
        self._first_moves[:] = 0
        with self._position.game.limited():
            results, draws, lengths, longest, shortest = self._kernel(
                *(self._states, self._rng, self._out.wide, self._trace.wide, self._first_moves),
                playouts,
            )
        self._check_limits(longest, shortest)
        return PlayoutSample(
            playouts,
            results / playouts,
            draws / playouts,
            lengths / playouts,
            self._first_moves.copy(),
        )

    def _check_limits(self, longest: int, shortest: int) -> None:
        """UsageError if a playout has broken the limits of the game."""
        game, where = self._position.game, self._position.where()
        if beyond := self._out.overrun():
            most = game.max_moves + beyond
            what = f"in a playout {where}, moves lists {most} moves"
            raise UsageError(excess_error(game, "max_moves", most, what))
        longest = max(longest, game.max_length + self._trace.overrun())
        if longest > game.max_length:
            what = f"a playout {where} makes {longest} moves"
            raise UsageError(excess_error(game, "max_length", longest, what))
        if shortest < 0:
            raise UsageError(length_error(game, self._out.array, shortest, where))
