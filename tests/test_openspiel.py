"""Our four games against OpenSpiel's: random games, compared before every move.

Both sides must agree on the legal moves, on whose turn it is, on whether the game is over and on
the result. The kernels, which a search uses, play 150 games on small boards, and 12 on the
largest. A `Position`, which is slower and knows more rules, plays some. In half of the games
the moves are uniformly random, in the others the players draw random lines: long chains are rare
otherwise.

Where OpenSpiel differs, as found by experiment with version 2.0.2:

* Go, repetition. Its legal moves know simple ko only, as our kernels do. A stone that brings back
  any earlier board, whoever was to move then, ends its game as a draw. By our rules, positional
  superko, that stone is illegal in a `Position`, which so must allow exactly the moves that do not
  end OpenSpiel's game like this. Games of the kernels avoid such a stone, once both a `Position`
  and OpenSpiel have called it a repetition. A pass may leave the board as it is on both sides.
* Go, length. It stops a game after 2 * N * N moves and counts. We stop no game (only playouts), so
  its limit is set out of reach.
* Numbering, and names in Havannah: see integrations/openspiel_twins.py, whose codes this tests.

The rest is the same: in Go no suicide, and area scoring; in Othello a pass that is a move, legal
when there is no other; in Hex a swap that mirrors the stone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from uctlab.games import Game, Position, make_game
from uctlab.games.api import MOVE

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: 'uctlab[openspiel]'")
twins = pytest.importorskip("uctlab.integrations.openspiel_twins")

pytestmark = pytest.mark.usefixtures("machine_code")

NO_ACTION = -1
FIRST, DRAW, SECOND = "first player wins", "draw", "second player wins"
ENDS = {1.0: FIRST, 0.0: DRAW, -1.0: SECOND}  # by OpenSpiel's return for the first player
PASS, SWAP, REPETITION = "pass", "swap", "repetition"


@dataclass(frozen=True)
class Case:
    """One game at one size."""

    spec: str
    theirs: str
    line: int
    """Actions in a row of the board."""
    sees: set[str]
    """What must come up in the games of the kernels, lest they show too little."""
    games: int = 150
    """How many the kernels play."""
    more: tuple[int, ...] = ()
    """Seeds of further games, in which comes up what is rare."""
    positions: int = 10
    """How many a Position plays."""
    longest: int = 10_000
    """In games of a Position everybody passes from then on: it is slow on the largest board."""
    go_pass: int = NO_ACTION
    """The pass of Go, the one action there that may repeat a board; none in other games."""
    late_pass: int = 0
    """In every other game nobody passes earlier, unless there is no other move."""
    same_names: bool = True

    @cached_property
    def reference(self) -> pyspiel.Game:
        return pyspiel.load_game(self.theirs)

    @cached_property
    def twin(self) -> twins.Twin:
        return twins.twin_of(self.reference)

    @property
    def game(self) -> Game:
        return self.twin.game

    @property
    def codes(self) -> tuple[int, ...]:
        """Our code of each of their actions."""
        return self.twin.codes

    @property
    def is_go(self) -> bool:
        return self.go_pass != NO_ACTION


def othello_case() -> Case:
    sees = {FIRST, DRAW, SECOND, PASS}
    return Case("othello", "othello", 8, sees)


def hex_case(size: int, *, swap: bool = False, **numbers: Any) -> Case:
    spec = f"hex:{size}" + (",swap=on" if swap else "")
    theirs = f"hex(board_size={size},swap={swap})"
    sees = {FIRST, SECOND, SWAP} if swap else {FIRST, SECOND}
    return Case(spec, theirs, size, sees, **numbers)


def havannah_case(side: int, *sees: str, **numbers: Any) -> Case:
    line = 2 * side - 1
    theirs = f"havannah(board_size={side})"
    must_see = {FIRST, SECOND, *sees}
    return Case(f"havannah:{side}", theirs, line, must_see, same_names=False, **numbers)


def go_case(size: int, komi: float, *sees: str, **numbers: Any) -> Case:
    theirs = f"go(board_size={size},komi={komi:.1f},max_game_length=1000000)"
    spec = f"go:{size},komi={komi:g}"
    return Case(spec, theirs, size, {FIRST, SECOND, *sees}, go_pass=size * size, **numbers)


# Uniformly random games of Go end before a board comes back, except on the smallest boards. Games
# without early passes go on through many captures and ko fights, where it happens.
CASES = [
    othello_case(),
    hex_case(2),
    hex_case(3),
    hex_case(4),
    hex_case(4, swap=True),
    hex_case(11, games=40, positions=4),
    hex_case(19, games=12, positions=2),
    havannah_case(2),
    havannah_case(3, DRAW, games=400, more=(501, 711, 1461)),  # full boards without a winner
    havannah_case(4),
    havannah_case(8, games=40, positions=4),
    havannah_case(10, games=12, positions=2),
    go_case(2, 1, DRAW, PASS, REPETITION, positions=60, late_pass=12),
    go_case(3, 0, DRAW, PASS, REPETITION, positions=40, late_pass=27),
    go_case(4, 1, DRAW, PASS, REPETITION, positions=30, late_pass=48),
    go_case(9, 6.5, PASS, REPETITION, games=40, more=(115,), positions=4, late_pass=243),
    go_case(19, 7.5, PASS, games=12, positions=1, longest=100),
]
# Plain Python takes less than to compile them.
SMALLEST = ("hex:2", "havannah:2", "go:2,komi=1", "go:3,komi=0")
ALL_CASES = pytest.mark.parametrize("case", CASES, ids=lambda case: case.spec)


class Walk:
    """The kernels behind the face of a Position; changes in place and is far quicker."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = game.new_states(2)
        self.now = self.states[0]  # a view: it follows the array
        self.out = game.new_out()
        self.board = np.zeros(game.diagram.cells, np.int8)
        game.kernels.start(self.now)
        self.boards = {self._stones(self.now)}

    @property
    def turn(self) -> int:
        return int(self.now.turn)

    @property
    def legal(self) -> tuple[int, ...]:
        count = self.game.kernels.moves(self.now, self.out)
        return tuple(sorted(self.out[:count].tolist()))

    @property
    def is_over(self) -> bool:
        return self.game.kernels.moves(self.now, self.out) == 0

    @property
    def result(self) -> float:
        return float(self.game.kernels.result(self.now))

    def play(self, move: int) -> Walk:
        self.game.kernels.play(self.now, MOVE.type(move))
        if self.game.same_board:
            self.boards.add(self._stones(self.now))
        return self

    def repeats(self, move: int) -> bool:
        """Whether a move brings back a board of this game."""
        self.states[1] = self.now
        self.game.kernels.play(self.states[1], MOVE.type(move))
        return self._stones(self.states[1]) in self.boards

    def _stones(self, state: np.record) -> bytes:
        self.game.kernels.stones(state, self.board)
        return self.board.tobytes()


class Match:
    """One random game on both sides."""

    def __init__(self, case: Case, ours: Walk | Position, seed: int) -> None:
        self.case = case
        self.ours = ours
        self.theirs = case.reference.new_initial_state()
        self.seed = seed
        self.rng = random.Random(seed)
        self.late_pass = case.late_pass if seed % 2 else 0
        self.draws_lines = seed % 4 > 1
        self.actions: list[int] = []
        self.seen: set[str] = set()

    def play(self) -> set[str]:
        """Play to the end, comparing all the way; what has come up."""
        while actions := self._compare():
            self._play(self._choose(actions))
        returns = self.theirs.returns()
        assert self.ours.result == (returns[0] + 1) / 2, self._report(
            f"our result is {self.ours.result}, their returns are {returns}"
        )
        return self.seen | {ENDS[returns[0]]}

    def _compare(self) -> list[int]:
        """Their actions, once both sides agree on the position."""
        ours, theirs = self.ours, self.theirs
        actions = theirs.legal_actions()
        if self.case.is_go and isinstance(ours, Position):
            actions = [action for action in actions if not self._ends_as_draw(action)]
        legal = tuple(sorted(self.case.codes[action] for action in actions))
        assert ours.legal == legal, self._report("legal moves differ", legal)
        over = theirs.is_terminal()
        assert ours.is_over == over, self._report(f"over for us {ours.is_over}, for them {over}")
        if not over:
            turn = theirs.current_player()
            assert ours.turn == turn, self._report(f"our turn is {ours.turn}, theirs {turn}")
        return actions

    def _choose(self, actions: list[int]) -> int:
        """A random action that OpenSpiel does not take for the end of the game."""
        if isinstance(self.ours, Position) and len(self.actions) >= self.case.longest:
            return self.case.go_pass
        if len(actions) > 1 and len(self.actions) < self.late_pass:
            actions.remove(self.case.go_pass)
        action = self._line_on(actions) if self.draws_lines else self.rng.choice(actions)
        if self.case.is_go and isinstance(self.ours, Walk):
            # A repetition that they alone see ends their game, and the next comparison fails.
            while action != self.case.go_pass and self.ours.repeats(self.case.codes[action]):
                self._check_repetition(action)
                actions.remove(action)
                action = self.rng.choice(actions or [self.case.go_pass])
        return action

    def _line_on(self, actions: list[int]) -> int:
        """Mostly one step further, along the line that the player has begun or along a new one."""
        own = self.actions[len(self.actions) % 2 :: 2][-2:]
        if len(own) == 2 and self.rng.random() < 0.9:
            steps = (1, -1, self.case.line, -self.case.line)
            last_step = own[1] - own[0]
            step = last_step if last_step in steps else self.rng.choice(steps)
            if own[1] + step in actions:
                return own[1] + step
        return self.rng.choice(actions)

    def _check_repetition(self, action: int) -> None:
        """They must call it a draw, and a Position must forbid it."""
        move = self.case.codes[action]
        what = f"{self._names([move])} brings back a board, but "
        assert self._ends_as_draw(action), self._report(what + "they play on")
        position = Position.start(self.case.game)
        for number, earlier in enumerate(self.case.codes[action] for action in self.actions):
            forbidden = f"a Position forbids move {number + 1}, {self._names([earlier])}"
            assert earlier in position.legal, self._report(forbidden)
            position = position.play(earlier)
        assert move not in position.legal, self._report(what + "a Position allows it")
        self.seen.add(REPETITION)

    def _ends_as_draw(self, action: int) -> bool:
        """Whether their Go ends here by repetition: apart from passes nothing else ends it."""
        if action == self.case.go_pass:
            return False
        after = self.theirs.child(action)
        return after.is_terminal() and after.returns() == [0.0, 0.0]

    def _play(self, action: int) -> None:
        move = self.case.codes[action]
        name = self.case.game.move_name(move)
        if name == "pass":
            self.seen.add(PASS)
        elif name == "swap-pieces":
            self.seen.add(SWAP)
        self.ours = self.ours.play(move)
        self.theirs.apply_action(action)
        self.actions.append(action)

    def _report(self, what: str, legal: tuple[int, ...] | None = None) -> str:
        if legal is None:
            legal = tuple(sorted(self.case.codes[action] for action in self.theirs.legal_actions()))
        ours = self.ours.legal
        return (
            f"{self.case.spec} ({type(self.ours).__name__}, seed {self.seed}): {what}\n"
            f"moves so far: {self._names(self.case.codes[action] for action in self.actions)}\n"
            f"our legal moves: {self._names(ours)}\n"
            f"their legal moves: {self._names(legal)}\n"
            f"only ours: {self._names(sorted(set(ours) - set(legal)))}\n"
            f"only theirs: {self._names(sorted(set(legal) - set(ours)))}"
        )

    def _names(self, moves: Iterable[int]) -> str:
        return " ".join(f"{self.case.game.move_name(move)}={move}" for move in moves) or "none"


@ALL_CASES
def test_twin_is_the_game_of_that_name(case: Case) -> None:
    assert case.game.name == make_game(case.spec).name


@pytest.mark.parametrize("case", [case for case in CASES if case.same_names], ids=lambda c: c.spec)
def test_names(case: Case) -> None:
    """A board turned round plays the same: only the names show which side is up."""
    state = case.reference.new_initial_state()
    for action, code in enumerate(case.codes):
        theirs = state.action_to_string(0, action).removeprefix("B ").lower()
        ours = case.game.move_name(code).removesuffix("-pieces").lower()
        assert ours == theirs, f"{case.spec}: our {code} is {ours}, their {action} is {theirs}"


@ALL_CASES
def test_kernels(case: Case) -> None:
    seen: set[str] = set()
    game = case.game.interpreted() if case.spec in SMALLEST else case.game
    for seed in (*range(case.games), *case.more):
        seen |= Match(case, Walk(game), seed).play()
    assert case.sees <= seen, f"{case.spec}: never came up: {sorted(case.sees - seen)}"


@ALL_CASES
def test_positions(case: Case) -> None:
    for seed in range(case.positions):
        Match(case, Position.start(case.game), seed).play()
