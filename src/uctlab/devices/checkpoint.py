"""Saves games in progress to a file, so that a killed run resumes from the last checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from uctlab.arena.game import GameTask
from uctlab.arena.player import plan_kernels
from uctlab.array_files import read_arrays
from uctlab.atomic_files import remove_with_parts, replacing
from uctlab.devices.rounds import Games
from uctlab.errors import LabError

SECONDS = 30.0  # between two checkpoints
LARGEST = 2**32  # bytes of an array


class SavedGames(NamedTuple):
    """Unfinished games, one row each; their moves are replayed when a run resumes."""

    keys: np.ndarray
    """Match and number, as `keys_of` writes them."""
    moves: np.ndarray
    length: np.ndarray
    playouts: np.ndarray
    seconds: np.ndarray
    lost: np.ndarray

    def only(self, keys: Sequence[str]) -> SavedGames:
        """The rows of games with these keys."""
        wanted = set(keys)
        rows = [row for row, key in enumerate(self.keys) if key in wanted]
        kept = SavedGames(*(array[rows] for array in self))
        longest = int(kept.length.max(initial=0))  # games of another kind may be longer
        return kept._replace(moves=kept.moves[:, :longest])


def keys_of(tasks: Sequence[GameTask]) -> list[str]:
    """With the kernels: those of another version would go on with half a game."""
    matches = {plan: f"{plan.key} {plan_kernels(plan)}" for plan in {task.plan for task in tasks}}
    return [f"{matches[task.plan]} {task.number}" for task in tasks]


def save_games(games: Games, keys: Sequence[str]) -> SavedGames:
    """The live games as they are now; `keys` are those of all games."""
    live = games.live
    return SavedGames(
        np.array([keys[g] for g in live.tolist()]),
        games.moves[live],
        games.length[live],
        games.playouts[live],
        games.seconds[live],
        games.lost[live],
    )


def restore_games(games: Games, keys: Sequence[str], saved: SavedGames) -> None:
    """Go on with the games that were saved; rows that are of no use are ignored."""
    number = {key: g for g, key in enumerate(keys)}
    try:
        some = np.array([number[key] for key in saved.keys], np.int64)
        made = games.replay(some, saved.moves, saved.length)
        games.playouts[some[made]] = saved.playouts[made]
        games.seconds[some[made]] = saved.seconds[made]
        games.lost[some[made]] = saved.lost[made]
    except Exception:  # of many kinds, since the rows may be anything
        return


class Checkpoint:
    """The file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> SavedGames | None:
        """What was saved; None if there is no file, or a damaged one."""
        try:
            saved = SavedGames(
                **read_arrays(self._path, dict.fromkeys(SavedGames._fields, LARGEST))
            )
            saved = saved._replace(keys=saved.keys.astype(str))
            return saved.only(saved.keys.tolist())
        except Exception:  # of many kinds, since the arrays may be anything
            return None

    def save(self, parts: Sequence[SavedGames]) -> None:
        width = max(part.moves.shape[1] for part in parts)
        rows = [
            part._replace(moves=np.pad(part.moves, ((0, 0), (0, width - part.moves.shape[1]))))
            for part in parts
        ]
        whole = SavedGames(*map(np.concatenate, zip(*rows, strict=True)))
        whole = whole._replace(keys=whole.keys.astype(bytes))  # a quarter of the size
        try:
            with replacing(self._path, only_file=True) as file:
                np.savez(file, **whole._asdict())
        except OSError as error:
            raise LabError(f"{self._path} cannot be written: {error.strerror}") from None

    def remove(self) -> None:
        remove_with_parts(self._path)
