"""Saves games in progress to a file, so that a killed run resumes from the last checkpoint."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from uctlab.arena.player import plan_kernels
from uctlab.atomic_files import remove_with_parts, replacing
from uctlab.devices.rounds import Games
from uctlab.errors import LabError

SECONDS = 30.0  # between two checkpoints


class Checkpoint:
    """The moves of all live games, by match and number; they are replayed when a run resumes."""

    def __init__(self, path: Path, games: Games) -> None:
        self._path = path
        self._games = games
        # With the kernels: those of another version would go on with half a game.
        plans = {task.plan for task in games.tasks}
        matches = {plan: f"{plan.key} {plan_kernels(plan)}" for plan in plans}
        self._keys = [f"{matches[task.plan]} {task.number}" for task in games.tasks]
        self._saved = time.perf_counter()
        if path.exists():
            self._load()

    def save_if_due(self) -> None:
        if time.perf_counter() - self._saved >= SECONDS:
            self.save()

    def save(self) -> None:
        games, live = self._games, self._games.live
        try:
            with replacing(self._path) as file:
                np.savez(
                    file,
                    keys=np.array([self._keys[g] for g in live]),
                    moves=games.moves[live],
                    length=games.length[live],
                    playouts=games.playouts[live],
                    seconds=games.seconds[live],
                    lost=games.lost[live],
                )
        except OSError as error:
            raise LabError(f"{self._path} cannot be written: {error.strerror}") from None
        self._saved = time.perf_counter()

    def _load(self) -> None:
        """Replay the saved games; a file that is damaged or belongs to other matches is ignored."""
        number = {key: g for g, key in enumerate(self._keys)}
        try:
            with np.load(self._path) as kept:
                rows = {number[k]: row for row, k in enumerate(kept["keys"]) if k in number}
                games = np.array(list(rows), np.int64)
                moves, length, playouts, seconds, lost = (
                    kept[name][list(rows.values())]
                    for name in ("moves", "length", "playouts", "seconds", "lost")
                )
            made = self._games.replay(games, moves, length)
            self._games.playouts[games[made]] = playouts[made]
            self._games.seconds[games[made]] = seconds[made]
            self._games.lost[games[made]] = lost[made]
        except Exception:  # NumPy passes on any error of its parsers
            return

    def remove(self) -> None:
        remove_with_parts(self._path)
