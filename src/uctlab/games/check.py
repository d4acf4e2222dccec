"""A conformance check for any game, ours or a user's: does it keep the contract of api.py?

Random games are played, and everything that a search relies on is looked at on the way. Fields of
the record whose names begin with "scratch" are no part of the position.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uctlab.games.api import MOVE, Game
from uctlab.kernel import seed_rng


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
    _check_description(game)
    rng = np.random.default_rng(seed)
    plies = playouts = 0
    for number in range(games):
        walk = _Walk(game, rng)
        # One game in five is also walked in plain Python, which reports an index out of range.
        twin = _Walk(game.interpreted(), rng) if number % 5 == 0 and not game.interpret else None
        while walk.step(twin):
            plies += 1
            if rng.random() < 0.1:
                _check_playouts(walk, seed=int(rng.integers(2**31)), plain=twin is not None)
                playouts += 1
    return CheckReport(game.name, games, plies, playouts)


def _fail(game: Game, message: str) -> None:
    raise ConformanceError(f"{game.name}: {message}")


def _require(game: Game, kept: bool, message: str) -> None:
    if not kept:
        _fail(game, message)


def _check_description(game: Game) -> None:
    """What can be seen without playing."""
    fields = game.state.names or ()
    _require(game, "turn" in fields, "the state has no field 'turn'")
    for name in fields:
        taken = hasattr(np.record, name)
        _require(game, not taken, f"the field '{name}' needs another name: NumPy records have one")
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

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        self.game = game
        self.rng = rng
        self.states = game.new_states(3)
        self.now = self.states[0]  # a view: it follows the array
        game.kernels.start(self.now)
        _require(game, self.now.turn == 0, "after start it is not the first player's turn")
        game.kernels.start(self.states[1])
        _require(game, same_position(self.now, self.states[1]), "start gives two positions")
        self.length = 0

    def step(self, twin: _Walk | None) -> bool:
        """Check the position, play a random move; false at the end."""
        game = self.game
        legal = self._legal()
        if twin is not None:
            _require(game, same_position(self.now, twin.now), "compiled and plain play differ")
            _require(game, legal == twin._legal(), "compiled and plain legal moves differ")
            twin._check_setup()
        self._check_setup()
        if not legal:
            self._check_result()
            return False
        if self.length >= 4 * game.max_length:
            _require(game, game.same_board is not None, "a game went on far beyond max_length")
            return False
        move = int(self.rng.choice(legal))
        self._play(move)
        if twin is not None:
            twin._play(move)
        return True

    def _legal(self) -> list[int]:
        game = self.game
        self.states[1] = self.now
        out = np.full(game.max_moves + 1, -1, MOVE)  # one more, to see a list that is too long
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
        _require(game, same_position(self.now, self.states[2]), "playing on a copy changes more")
        game.kernels.play(self.states[2], MOVE.type(move))
        _require(game, same_position(self.states[1], self.states[2]), "play gives two positions")
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
        _require(game, result in (0.0, 0.5, 1.0), f"the result is {result}, not 0, 0.5 or 1")
        _require(game, same_position(self.now, self.states[1]), "result changes the position")
        _require(game, game.kernels.result(self.now) == result, "result changes its mind")

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


def _check_playouts(walk: _Walk, seed: int, plain: bool) -> None:
    """Every policy: a true record of moves, a result that fits them, the same in plain Python."""
    game = walk.game
    for policy in game.playouts:
        result, length, trace = _run_playout(game, walk.now, policy, seed)
        replayed, over = _replay(game, walk.now, trace)
        if over:
            _require(game, replayed == result, f"{policy} playout: the result does not fit")
        else:
            cut = length >= game.max_length
            _require(game, cut, f"{policy} playout: stops before the end of the game")
        if plain:
            twin = _run_playout(game.interpreted(), walk.now, policy, seed)
            _require(
                game, twin == (result, length, trace), f"{policy} playout: plain Python differs"
            )
        fast, fast_length = game.playout(policy)(
            _copy(game, walk.now), seed_rng(seed), game.new_out(), game.new_trace()
        )
        _require(game, fast in (0.0, 0.5, 1.0), f"{policy} playout: the result is {fast}")
        _require(game, fast_length <= game.max_length, f"{policy} playout: exceeds max_length")


def _copy(game: Game, state: np.record) -> np.record:
    states = game.new_states(1)
    states[0] = state
    return states[0]


def _run_playout(
    game: Game, state: np.record, policy: str, seed: int
) -> tuple[float, int, list[int]]:
    trace = game.new_trace()
    result, length = game.playout(policy, trace=True)(
        _copy(game, state), seed_rng(seed), game.new_out(), trace
    )
    _require(game, 0 <= length <= game.max_length, f"{policy} playout: {length} moves")
    return float(result), int(length), [int(move) for move in trace[:length]]


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


def same_position(a: np.record, b: np.record) -> bool:
    """Equal in every field; padding and scratch do not count."""
    names = a.dtype.names or ()
    return all(np.array_equal(a[n], b[n]) for n in names if not n.startswith("scratch"))
