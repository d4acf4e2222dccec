"""The rules of any suitable OpenSpiel game as kernels, which stay plain Python.

A position is the moves that led to it. OpenSpiel's state is rebuilt from them, one step after a
state that is remembered. In OpenSpiel a player may move twice in a row; here the other one makes a
forced move in between, the skip, whose code follows those of OpenSpiel's actions.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from threading import Lock

import numpy as np
import pyspiel

from uctlab.games.api import MOVE
from uctlab.kernels import below, hole, kernel
from uctlab.kernels.jit import primitive

REMEMBERED = 10_000  # states of one game
CODE = MOVE.itemsize  # bytes

# Kernels may call functions with the mark of a primitive. These have no machine code.
_in_python = primitive(None)


class SpielRules:
    """One OpenSpiel game, and the states of it that came up lately."""

    def __init__(self, spec: str) -> None:
        self.game = pyspiel.load_game(spec)
        self.start = self.game.new_initial_state()
        self.first: int = self.start.current_player()
        """OpenSpiel's number of the player who begins: 1 in chess."""
        self.skip = self.game.num_distinct_actions()
        """The code of the forced move of a player whose turn OpenSpiel leaves out."""
        self._states: OrderedDict[bytes, pyspiel.State] = OrderedDict()
        self._lock = Lock()

    def state(self, history: np.ndarray, length: int) -> pyspiel.State:
        """The state after these moves; it is shared, so nobody may change it."""
        made = history[:length].tobytes()
        with self._lock:
            known = length
            while known and made[: known * CODE] not in self._states:
                known -= 1
            state = self.start
            if known:
                state = self._states[made[: known * CODE]]
                self._states.move_to_end(made[: known * CODE])
            for at in range(known, length):
                code = int(history[at])
                if code != self.skip:
                    state = state.clone()
                    state.apply_action(code)
                self._states[made[: (at + 1) * CODE]] = state
            while len(self._states) > REMEMBERED:
                self._states.popitem(last=False)
        return state

    def player(self, length: int) -> int:
        """OpenSpiel's number of the player to move after so many moves, skips included."""
        return self.first ^ (length & 1)

    def result(self, state: pyspiel.State) -> float:
        """The result for the player who began: 1, 0.5 or 0."""
        returns = state.returns()
        return 0.5 + 0.5 * float(np.sign(returns[self.first] - returns[1 - self.first]))


@cache
def rules_of(spec: str) -> SpielRules:
    """The rules of the game that OpenSpiel writes like this, the same object every time."""
    return SpielRules(spec)


def state_type(longest: int) -> np.dtype:
    """The record of a position in games of at most that many moves, skips included."""
    return np.dtype([("history", MOVE, (longest,)), ("length", "i4"), ("turn", "i1")], align=True)


@_in_python
def list_moves(spec, history, length, out):
    """Write the legal moves into `out`; their number."""
    rules = rules_of(spec)
    state = rules.state(history, length)
    if state.is_terminal():
        return 0
    if state.current_player() != rules.player(length):
        out[0] = rules.skip
        return 1
    actions = state.legal_actions()
    for i, action in enumerate(actions):
        out[i] = action
    return len(actions)


@_in_python
def final_result(spec, history, length):
    """The result of a game that is over."""
    rules = rules_of(spec)
    return rules.result(rules.state(history, length))


@_in_python
def play_on(spec, history, length, rng, trace, traced):
    """Make random moves to the end on a copy of OpenSpiel's state; (result, moves made)."""
    rules = rules_of(spec)
    state = rules.state(history, length).clone()
    made = 0
    while not state.is_terminal():
        skips = state.current_player() != rules.player(length + made)
        actions = [rules.skip] if skips else state.legal_actions()
        code = actions[below(rng, len(actions))]
        if not skips:
            state.apply_action(code)
        if traced:
            trace[made] = code
        made += 1
    return rules.result(state), made


SPIEL: str = hole("game.SPIEL")
TRACE: bool = hole("playout.TRACE")


@kernel
def start(s):
    s.history[:] = 0
    s.length = 0
    s.turn = 0


@kernel
def moves(s, out):
    return list_moves(SPIEL, s.history, s.length, out)


@kernel
def play(s, move):
    s.history[s.length] = move
    s.length += 1
    s.turn ^= 1


@kernel
def result(s):
    return final_result(SPIEL, s.history, s.length)


@kernel
def playout(s, rng, out, trace):
    """Uniformly random; `out` is not needed."""
    return play_on(SPIEL, s.history, s.length, rng, trace, TRACE)
