"""A conformance check for any game, ours or your own: does it keep the contract of api.py?

Random games are played as plain Python first, where a mistake is an exception with a line number,
and then compiled. All of it runs in a process of its own (sandbox.py), since compiled code that is
wrong may crash or never end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uctlab.errors import first_lines
from uctlab.games.api import Game
from uctlab.games.check_chances import check_chances
from uctlab.games.check_scene import ConformanceError, Scene
from uctlab.games.check_walk import Step, walk
from uctlab.kernels.seldom import compiling_at_once
from uctlab.kernels.specialise import KernelError
from uctlab.sandbox import Note, SandboxError, run_apart

__all__ = ["SECONDS", "CheckReport", "ConformanceError", "check"]

SECONDS = 900.0
"""Default limit on the time of a check, compilation included."""
INTERPRETED = 5  # one game in five, including the first, is played as plain Python too


@dataclass(frozen=True)
class CheckReport:
    """What a game has passed."""

    game: str
    games: int
    plies: int
    playouts: int
    compiled: bool = True

    def __str__(self) -> str:
        how = "compiled and interpreted" if self.compiled else "interpreted"
        return (
            f"{self.game} keeps the contract: {self.games} random "
            f"{'game' if self.games == 1 else 'games'} with {self.plies} moves, "
            f"{self.playouts} playouts, {how}"
        )


def check(
    game: Game,
    games: int = 20,
    seed: int = 0,
    *,
    seconds: float = SECONDS,
    compiled: bool = True,
) -> CheckReport:
    """Play random games and raise a ConformanceError at the first broken promise.

    Without `compiled` everything stays plain Python, which finds most mistakes and compiles
    nothing.
    """
    _check_description(game)
    compiled = compiled and not game.python_only
    try:
        with compiling_at_once():
            return run_apart(lambda note: _check(game, games, seed, compiled, note), seconds)
    except SandboxError as fate:
        raise ConformanceError(f"{game.name}: the check was {fate}") from None
    except (ConformanceError, KernelError):
        raise
    except Exception as error:
        raise ConformanceError(f"{game.name}: {first_lines(error)}") from error


def _check(game: Game, games: int, seed: int, compiled: bool, note: Note) -> CheckReport:
    plain = {
        number: walk(game.interpreted(), note, [seed, number], [])
        for number in range(0, games, INTERPRETED)
    }
    played = plain
    if compiled:
        played = {
            number: walk(game, note, [seed, number], plain.get(number, []))
            for number in range(games)
        }
    steps = [step for line in played.values() for step in line]
    scene = Scene(game if compiled else game.interpreted(), note)
    sampled = check_chances(scene, _positions(played[0], played.get(1, [])), seed)
    return CheckReport(
        game.name,
        len(played),
        plies=sum(step.move >= 0 for step in steps),
        playouts=sum(len(step.playouts) for step in steps) + sampled,
        compiled=compiled,
    )


def _positions(*games: list[Step]) -> list[tuple[list[int], np.record]]:
    """The start, and one and two thirds of the way through each game, each with its moves."""
    chosen = []
    for number, steps in enumerate(games):
        plies = len(steps) - 1  # without the end of the game
        at = {plies // 3, 2 * plies // 3} | ({0} if number == 0 else set())
        for ply in sorted(at & set(range(plies))):
            line = [step.move for step in steps[:ply]]
            chosen.append((line, steps[ply].state.array[0]))
    return chosen


def _check_description(game: Game) -> None:
    """What can be checked without playing."""

    def require(kept: bool, message: str) -> None:
        if not kept:
            raise ConformanceError(f"{game.name}: {message}")

    fields = game.state.names or ()
    require("turn" in fields, "the state has no field 'turn'")
    for name in fields:
        taken = hasattr(np.record, name)
        require(not taken, f"the field '{name}' needs another name: it is taken in NumPy")
    require(game.state.isalignedstruct, "the state's dtype needs align=True")
    require("uniform" in game.playouts, "there is no playout policy named 'uniform'")
    for limit in ("max_moves", "max_length"):
        value = getattr(game, limit)
        require(value >= 1, f"{limit} is {value}, not at least 1")
    names = [name.lower() for name in game.move_names if name]
    require(len(set(names)) == len(names), "two moves have the same name")
    for name in names:
        back = game.move_name(game.parse_move(name)).lower()
        require(back == name, f"the move named {name} reads as {back}")
    require(
        (game.diagram is None) == (game.stones is None) == (game.setup is None),
        "diagram, stones and setup belong together: give all three or none",
    )
