"""The evaluation of a position: from 0 to 1, the same at every call, and it leaves things alone."""

from __future__ import annotations

from typing import Any

from uctlab.games.api import same_position
from uctlab.games.check_scene import Scene

ROUNDING = 1e-9


def check_evaluation(scene: Scene, state: Any, before: float | None) -> float | None:
    """The value of a position whose game is not over; `before` is that of plain Python, if any."""
    kernels = scene.game.kernels
    if scene.game.evaluate is None:
        return None
    now = scene.copy(state)
    value = scene.number("evaluate", scene.call("evaluate", kernels.evaluate, now))
    scene.check_copy("evaluate")
    scene.require(0 <= value <= 1, f"the evaluation is {value}, not 0 to 1")
    scene.require(same_position(now, state), "evaluate changes the position")
    again = float(scene.call("evaluate", kernels.evaluate, now))
    scene.require(again == value, "evaluate gives different answers")
    if before is not None:
        same = abs(value - before) <= ROUNDING
        scene.require(same, f"the evaluation is {value}, in plain Python {before}")
    return value
