"""One random game, watched move by move: does every kernel keep its promise in every position?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from uctlab.games.api import MOVE, Game, same_position
from uctlab.games.check_evaluation import check_evaluation
from uctlab.games.check_memory import FILLINGS, copy_of, differing_fields
from uctlab.games.check_playouts import Played, check_playouts
from uctlab.games.check_scene import Scene
from uctlab.games.guard import Guarded
from uctlab.sandbox import Note

PLAIN_PLIES = 100  # plain Python is slow on large boards
REFILLED = 8  # every so many moves a position is set up in other memory too
MAX_PLAYOUTS = 4  # positions per game from which playouts are made


@dataclass
class Step:
    """A position of a game, and what was found there."""

    state: Guarded
    legal: list[int]
    value: float | None = None
    """The evaluation, if the game has one and is not over."""
    playout_seed: int = 0
    """0 if no playouts were made."""
    playouts: dict[str, Played] = field(default_factory=dict)
    move: int = -1
    """The move made there; -1 at the end of the game."""


def walk(game: Game, note: Note, seed: list[int], earlier: list[Step]) -> list[Step]:
    """Play a random game; where `earlier` has one of plain Python, the same must come out."""
    rng = np.random.default_rng(seed)
    here = _Walk(game, note)
    steps: list[Step] = []
    sampled = 0
    while not game.interpret or len(steps) < PLAIN_PLIES:
        before = earlier[len(steps)] if len(steps) < len(earlier) else None
        step = here.inspect(before)
        steps.append(step)
        if not step.legal:
            break
        if not here.scene.line or (rng.random() < 0.1 and sampled < MAX_PLAYOUTS):
            step.playout_seed = 1 + int(rng.integers(2**31))
            step.playouts = check_playouts(here.scene, here.now, step.playout_seed)
            if before is not None:
                _compare_playouts(here.scene, step, before)
            sampled += 1
        step.move = int(rng.choice(step.legal))
        here.play(step.move)
    return steps


def _compare_playouts(scene: Scene, step: Step, before: Step) -> None:
    for policy, played in step.playouts.items():
        same = before.playouts.get(policy) == played
        scene.require(same, f"{policy} playout: plain Python differs")


class _Walk:
    def __init__(self, game: Game, note: Note) -> None:
        self.game = game
        self.scene = Scene(game, note)
        self._room = Guarded(3, game.state)
        self.states = self._room.array
        self.now: Any = self.states[0]  # a view: it follows the array
        self._start()

    def inspect(self, before: Step | None) -> Step:
        """Check the position; without legal moves it is the end of the game."""
        game, scene = self.game, self.scene
        if before is not None:
            same = same_position(self.now, before.state.array[0])
            scene.require(same, "compiled and plain play differ" + self._fields(before))
        legal = self._legal()
        if before is not None:
            scene.require(legal == before.legal, "compiled and plain legal moves differ")
        self._check_setup()
        if not legal:
            self._check_result()
        made = len(scene.line)
        if legal and made >= 2 * game.max_length:
            text = f"a game goes on far beyond max_length: {made} moves, not {game.max_length}"
            scene.require(game.same_board is not None, text)
            legal = []
        value = None
        if legal:
            value = check_evaluation(scene, self.now, before.value if before else None)
        return Step(copy_of(game, self.now), legal, value)

    def play(self, move: int) -> None:
        scene, states = self.scene, self.states
        states[1] = self.now
        states[2] = self.now
        self._call("play", states[1], MOVE.type(move))
        intact = same_position(self.now, states[2])
        scene.require(intact, "playing on a copy changes other positions")
        self._call("play", states[2], MOVE.type(move))
        scene.require(same_position(states[1], states[2]), "play varies from call to call")
        turns = states[1].turn == 1 - self.now.turn
        scene.require(bool(turns), f"the turn does not change with {self.game.move_name(move)}")
        states[0] = states[1]
        scene.line.append(move)

    def _start(self) -> None:
        """From memory full of different bytes, so that no field can be left as it was."""
        states = self.states
        self._call("start", self.now)
        for filling in FILLINGS:
            other = Guarded(1, self.game.state, content=filling)
            self._call("start", other.array[0])
            self.scene.require(not other.damaged(), "start writes outside of its record")
            unset = differing_fields(self.now, other.array[0])
            fields = ", ".join(unset)
            self.scene.require(
                not unset, f"start leaves {fields} unset, or varies from call to call"
            )
        first = self.now.turn == 0
        self.scene.require(bool(first), "after start it is not the first player's turn")
        states[1] = states[0]

    def _call(self, name: str, *args: Any) -> Any:
        value = self.scene.call(name, getattr(self.game.kernels, name), *args)
        self.scene.require(not self._room.damaged(), f"{name} writes outside of its record")
        return value

    def _moves(self, state: Any) -> list[int]:
        return [int(move) for move in self.scene.out.array[: self.scene.count_moves(state)]]

    def _legal(self) -> list[int]:
        game, scene = self.game, self.scene
        self.states[1] = self.now
        moves = self._moves(self.now)
        scene.require(not self._room.damaged(), "moves writes outside of its record")
        scene.require(len(set(moves)) == len(moves), "a move is listed twice")
        for move in moves:
            known = 0 <= move < len(game.move_names) and game.move_names[move]
            scene.require(bool(known), f"the legal move {move} has no name")
        scene.require(same_position(self.now, self.states[1]), "moves changes the position")
        return moves

    def _check_result(self) -> None:
        scene = self.scene
        self.states[1] = self.now
        result = scene.number("result", self._call("result", self.now))
        scene.require(result in (0.0, 0.5, 1.0), f"the result is {result}, not 0, 0.5 or 1")
        scene.require(same_position(self.now, self.states[1]), "result changes the position")
        scene.require(self._call("result", self.now) == result, "result gives different answers")

    def _check_setup(self) -> None:
        game, scene = self.game, self.scene
        if game.diagram is None:
            return
        stones = self._stones(self.now)
        turn = int(self.now.turn)
        drawn = game.diagram.draw(stones, turn)
        read, read_turn = game.diagram.read(drawn)
        scene.require(np.array_equal(read, stones) and read_turn == turn, "a diagram is misread")
        room = Guarded(1, game.state)
        state = room.array[0]
        possible = self._call("setup", state, stones, turn)
        scene.require(bool(possible), "setup refuses a position that came up in play")
        scene.require(not room.damaged(), "setup writes outside of its record")
        agree = np.array_equal(stones, self._stones(state)) and state.turn == turn
        scene.require(agree, "setup and stones do not agree")
        if len(scene.line) % REFILLED == 0:
            other = Guarded(1, game.state, content=FILLINGS[1]).array[0]
            self._call("setup", other, stones, turn)
            unset = ", ".join(differing_fields(state, other))
            scene.require(not unset, f"setup leaves {unset} unset")
        if game.same_board is None:  # otherwise an earlier ko or pass may make a difference
            legal = self._moves(state)
            same = sorted(legal) == sorted(self._moves(self.now))
            scene.require(same, "setup changes which moves are legal")
            if not legal:
                results = [self._call("result", each) for each in (state, self.now)]
                scene.require(results[0] == results[1], "setup changes the result")

    def _stones(self, state: Any) -> np.ndarray:
        assert self.game.diagram is not None
        cells = self.game.diagram.cells
        out = Guarded(cells, np.int8)
        self._call("stones", state, out.array)
        most = cells + out.overrun()
        self.scene.require(most == cells, f"stones writes {most} cells, the diagram has {cells}")
        return np.array(out.array)

    def _fields(self, before: Step) -> str:
        return f" in {', '.join(differing_fields(self.now, before.state.array[0]))}"
