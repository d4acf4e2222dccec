"""Games in progress, kept in a file: a killed run goes on from the last one."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from uctlab.devices.rounds import Games
from uctlab.errors import LabError

SECONDS = 30.0  # between two of them


class Checkpoint:
    """The moves of all live games, by match and number. They are made again when a run goes on."""

    def __init__(self, path: Path, games: Games) -> None:
        self._path = path
        self._games = games
        self._keys = [f"{task.plan.key} {task.number}" for task in games.tasks]
        self._saved = time.perf_counter()
        if path.exists():
            self._load()

    def save_if_due(self) -> None:
        if time.perf_counter() - self._saved >= SECONDS:
            self.save()

    def save(self) -> None:
        games, live = self._games, self._games.live
        part = self._path.with_name(f"{self._path.name}.part")
        try:
            with part.open("wb") as file:
                np.savez(
                    file,
                    keys=np.array([self._keys[g] for g in live]),
                    moves=games.moves[live],
                    length=games.length[live],
                    playouts=games.playouts[live],
                    seconds=games.seconds[live],
                )
            part.replace(self._path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise LabError(f"{self._path} cannot be written: {error.strerror}") from None
        self._saved = time.perf_counter()

    def _load(self) -> None:
        """A file that cannot be read, or that belongs to other matches, is of no use."""
        games = self._games
        number = {key: g for g, key in enumerate(self._keys)}
        try:
            with np.load(self._path) as kept:
                columns = [
                    kept[name] for name in ("keys", "moves", "length", "playouts", "seconds")
                ]
            for key, moves, length, playouts, seconds in zip(*columns, strict=True):
                if (g := number.get(str(key))) is not None:
                    games.replay(g, moves[:length])
                    games.playouts[g] = playouts
                    games.seconds[g] = seconds
        except Exception:  # NumPy lets through what its parsers say of a broken file
            return

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)
