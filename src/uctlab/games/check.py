"""A conformance check for any game, ours or your own: does it keep the contract of api.py?

It plays random games and checks everything that a search relies on. Fields of the record whose
names begin with "scratch" are not part of the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from uctlab.errors import first_lines
from uctlab.games.api import MOVE, Game, same_position
from uctlab.kernel import seed_rng

# Plain Python is slow on large boards.
PLAIN_PLIES = 100
MAX_PLAYOUTS = 4  # per game
UNUSED = -2  # in an array that must stay as it is


class ConformanceError(AssertionError):
    """The game breaks the contract; the message says where and how."""


@dataclass(frozen=True)
class CheckReport:
    """What a game has passed."""

    game: str
    games: int
    plies: int
    playouts: int

    def __str__(self) -> str:
        return (
            f"{self.game} keeps the contract: {self.games} random games with {self.plies} moves, "
            f"{self.playouts} playouts, compiled and interpreted"
        )


def check(game: Game, games: int = 20, seed: int = 0) -> CheckReport:
    """Play random games and raise a ConformanceError at the first broken promise."""
    try:
        return _check(game, games, seed)
    except ConformanceError:
        raise
    except Exception as error:  # a kernel that cannot be compiled, a field that is misspelt
        raise ConformanceError(f"{game.name}: {first_lines(error)}") from error


def _check(game: Game, games: int, seed: int) -> CheckReport:
    _check_description(game)
    rng = np.random.default_rng(seed)
    plies = playouts = 0
    for number in range(games):
        # One game in five, including the first, is also played in plain Python, a step ahead:
        # there an index out of range raises an exception instead of crashing.
        twin = None
        if number % 5 == 0:
            with _arrays_suffice(game):
                twin = _Walk(game.interpreted())
        walk = _Walk(game)
        sampled = 0
        while legal := walk.inspect(twin):
            if walk.length == 0 or (rng.random() < 0.1 and sampled < MAX_PLAYOUTS):
                _check_playouts(walk, twin, seed=int(rng.integers(2**31)))
                sampled += 1
            walk.advance(int(rng.choice(legal)), twin)
            if walk.length == PLAIN_PLIES:
                twin = None
        plies += walk.length
        playouts += sampled
    return CheckReport(game.name, games, plies, playouts)


def _require(game: Game, kept: bool, message: str) -> None:
    if not kept:
        raise ConformanceError(f"{game.name}: {message}")


def _require_result(game: Game, result: float) -> None:
    _require(game, result in (0.0, 0.5, 1.0), f"the result is {result}, not 0, 0.5 or 1")


@contextmanager
def _arrays_suffice(game: Game) -> Iterator[None]:
    try:
        yield
    except IndexError as error:
        message = f"an array is too short; are max_moves and max_length right? {error}"
        raise ConformanceError(f"{game.name}: {message}") from error


def _check_description(game: Game) -> None:
    """What can be checked without playing."""
    fields = game.state.names or ()
    _require(game, "turn" in fields, "the state has no field 'turn'")
    for name in fields:
        taken = hasattr(np.record, name)
        _require(game, not taken, f"the field '{name}' needs another name: it is taken in NumPy")
    _require(game, game.state.isalignedstruct, "the state's dtype needs align=True")
    _require(game, "uniform" in game.playouts, "there is no playout policy named 'uniform'")
    names = [name.lower() for name in game.move_names if name]
    _require(game, len(set(names)) == len(names), "two moves have the same name")
    for name in names:
        back = game.move_name(game.parse_move(name)).lower()
        _require(game, back == name, f"the move named {name} reads as {back}")
    _require(
        game,
        (game.diagram is None) == (game.stones is None) == (game.setup is None),
        "diagram, stones and setup belong together: give all three or none",
    )


class _Walk:
    """One random game, watched move by move."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = game.new_states(3)
        self.now = self.states[0]  # a view: it follows the array
        game.kernels.start(self.now)
        _require(game, self.now.turn == 0, "after start it is not the first player's turn")
        game.kernels.start(self.states[1])
        _require(game, same_position(self.now, self.states[1]), "start varies from call to call")
        self.length = 0

    def inspect(self, twin: _Walk | None) -> list[int]:
        """Check the position; returns its legal moves, none at the end of the game."""
        game = self.game
        if twin is not None:
            _require(game, same_position(self.now, twin.now), "compiled and plain play differ")
            with _arrays_suffice(game):
                plain_legal = twin._legal()
                twin._check_setup()
        legal = self._legal()
        if twin is not None:
            _require(game, legal == plain_legal, "compiled and plain legal moves differ")
        self._check_setup()
        if not legal:
            self._check_result()
        elif self.length >= 2 * game.max_length:
            _require(game, game.same_board is not None, "a game went on far beyond max_length")
            return []
        return legal

    def advance(self, move: int, twin: _Walk | None) -> None:
        if twin is not None:
            with _arrays_suffice(self.game):
                twin._play(move)
        self._play(move)

    def _legal(self) -> list[int]:
        game = self.game
        self.states[1] = self.now
        out = np.full(game.max_moves + 1, -1, MOVE)  # one more, to notice a list that is too long
        count = game.kernels.moves(self.now, out)
        moves = [int(move) for move in out[: max(count, 0)]]
        _require(game, 0 <= count <= game.max_moves, f"{count} moves; max_moves is exceeded")
        _require(game, len(set(moves)) == count, "a move is listed twice")
        for move in moves:
            known = 0 <= move < len(game.move_names) and game.move_names[move]
            _require(game, bool(known), f"the legal move {move} has no name")
        _require(game, same_position(self.now, self.states[1]), "moves changes the position")
        return moves

    def _play(self, move: int) -> None:
        game = self.game
        self.states[1] = self.now
        self.states[2] = self.now
        game.kernels.play(self.states[1], MOVE.type(move))
        _require(
            game,
            same_position(self.now, self.states[2]),
            "playing on a copy changes other positions",
        )
        game.kernels.play(self.states[2], MOVE.type(move))
        _require(
            game, same_position(self.states[1], self.states[2]), "play varies from call to call"
        )
        name = game.move_name(move)
        _require(
            game, self.states[1].turn == 1 - self.now.turn, f"the turn does not change with {name}"
        )
        self.states[0] = self.states[1]
        self.length += 1

    def _check_result(self) -> None:
        game = self.game
        self.states[1] = self.now
        result = float(game.kernels.result(self.now))
        _require_result(game, result)
        _require(game, same_position(self.now, self.states[1]), "result changes the position")
        _require(game, game.kernels.result(self.now) == result, "result gives different answers")

    def _check_setup(self) -> None:
        game = self.game
        if game.diagram is None:
            return
        stones = np.zeros(game.diagram.cells, np.int8)
        game.kernels.stones(self.now, stones)
        turn = int(self.now.turn)
        drawn = game.diagram.draw(stones, turn)
        read, read_turn = game.diagram.read(drawn)
        _require(game, np.array_equal(read, stones) and read_turn == turn, "a diagram is misread")
        possible = game.kernels.setup(self.states[1], stones, turn)
        _require(game, bool(possible), "setup refuses a position that came up in play")
        again = np.zeros_like(stones)
        game.kernels.stones(self.states[1], again)
        _require(
            game,
            np.array_equal(stones, again) and self.states[1].turn == turn,
            "setup and stones do not agree",
        )
        if game.same_board is None:  # otherwise an earlier ko or pass may make a difference
            legal = self._moves(self.states[1])
            same = sorted(legal) == sorted(self._moves(self.now))
            _require(game, same, "setup changes which moves are legal")
            if not legal:
                results = [game.kernels.result(state) for state in (self.states[1], self.now)]
                _require(game, results[0] == results[1], "setup changes the result")

    def _moves(self, state: np.record) -> list[int]:
        out = self.game.new_out()
        return [int(move) for move in out[: self.game.kernels.moves(state, out)]]


def _check_playouts(walk: _Walk, twin: _Walk | None, seed: int) -> None:
    """Every policy must record its moves truly, fit its result to them, and do so in Python too."""
    game = walk.game
    for policy in game.playouts:
        if twin is not None:
            with _arrays_suffice(game):
                plain = _run_playout(twin.game, twin.now, policy, seed)
        result, length, trace = _run_playout(game, walk.now, policy, seed)
        replayed, over = _replay(game, walk.now, trace)
        if policy == "uniform":
            _require_result(game, result)
            cut = length >= game.max_length
            _require(game, over or cut, f"{policy} playout: stops before the end of the game")
        if over:
            fits = round(2 * result) / 2 == replayed and 0 <= result <= 1
            _require(game, fits, f"{policy} playout: the result does not fit")
        if twin is not None:
            same = plain == (result, length, trace)
            _require(game, same, f"{policy} playout: plain Python differs")
        untouched = game.new_trace()
        untouched[:] = UNUSED
        fast, fast_length = game.playout(policy)(
            _copy(game, walk.now), seed_rng(seed), game.new_out(), untouched
        )
        written = bool((untouched != UNUSED).any())
        _require(game, not written, f"{policy} playout: writes trace where playout.TRACE is false")
        _require(game, 0 <= fast <= 1, f"{policy} playout: the result is {fast}, not 0 to 1")
        _require(game, fast_length <= game.max_length, f"{policy} playout: exceeds max_length")


def _copy(game: Game, state: np.record) -> np.record:
    states = game.new_states(1)
    states[0] = state
    copied: np.record = states[0]
    return copied


def _run_playout(
    game: Game, state: np.record, policy: str, seed: int
) -> tuple[float, int, list[int]]:
    trace = game.new_trace()
    result, length = game.playout(policy, trace=True)(
        _copy(game, state), seed_rng(seed), game.new_out(), trace
    )
    _require(game, 0 <= length <= game.max_length, f"{policy} playout: {length} moves")
    moves = [move if move >= 0 else ~move for move in trace[:length].tolist()]
    return float(result), int(length), moves


def _replay(game: Game, state: np.record, trace: list[int]) -> tuple[float, bool]:
    """Play a playout's moves by the rules; moves after the end of the game do not count."""
    state = _copy(game, state)
    out = game.new_out()
    for move in trace:
        count = game.kernels.moves(state, out)
        if count == 0:
            break
        name = game.move_name(move)
        _require(game, move in out[:count], f"a playout makes the illegal move {name}")
        game.kernels.play(state, MOVE.type(move))
    return float(game.kernels.result(state)), game.kernels.moves(state, out) == 0
