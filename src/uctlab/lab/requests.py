"""The requests of visitors, as messages.py makes them and as the lab's processes receive them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class PositionValue:
    """A position as the browser holds it."""

    game: str
    start: dict[str, str] | None
    """{"name": ...} or {"diagram": ...}; None for the start of the game."""
    moves: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"game": self.game, "start": self.start, "moves": list(self.moves)}


@dataclass(frozen=True)
class Request:
    id: int


@dataclass(frozen=True)
class PositionRequest(Request):
    position: PositionValue


@dataclass(frozen=True)
class SetupRequest(Request):
    game: str
    stones: dict[str, int]
    """1: the first player's, 2: the second's."""
    turn: int


@dataclass(frozen=True)
class SgfLoadRequest(Request):
    text: str


@dataclass(frozen=True)
class SgfSaveRequest(Request):
    position: PositionValue


@dataclass(frozen=True)
class SearchRequest(Request):
    position: PositionValue
    agents: tuple[str, ...]
    playouts: int
    seconds: float
    """Wall time of the search, both sides together."""
    paused: bool
    seed: int


@dataclass(frozen=True)
class ControlRequest(Request):
    what: str
    """pause, continue or stop."""


@dataclass(frozen=True)
class StepRequest(Request):
    playouts: int


@dataclass(frozen=True)
class TreeRequest(Request):
    side: int
    path: tuple[str, ...]
