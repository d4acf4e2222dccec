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
class OpenRequest(Request):
    """An SGF file of any game, or a diagram of that game."""

    text: str
    game: str


@dataclass(frozen=True)
class SgfSaveRequest(Request):
    """A game with its variations."""

    position: PositionValue
    """Its start, without moves."""
    nodes: tuple[tuple[int, str, dict[str, list[str]]], ...]
    """Index of the node before, move, and SGF properties; the root first."""


@dataclass(frozen=True)
class JudgeRequest(Request):
    """Which stones are dead at the end of a game."""

    position: PositionValue


@dataclass(frozen=True)
class WarmRequest(Request):
    """Agents that will be asked to play a game."""

    game: str
    agents: tuple[str, ...]


@dataclass(frozen=True)
class SearchRequest(Request):
    position: PositionValue
    agents: tuple[str, ...]
    playouts: int
    seconds: float
    """Wall time of the search, both sides together."""
    paused: bool
    seed: int
    guided: bool = False
    """Whether it runs in plain Python and can tell what a single playout did."""
    only: str = ""
    """The one move that it searches; empty: all moves."""


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


@dataclass(frozen=True)
class SubtreeRequest(TreeRequest):
    nodes: int
    """How many, at most."""
    depth: int
    """How many moves below the end of the path, at most."""


@dataclass(frozen=True)
class PlayoutRequest(Request):
    """One playout of a guided search."""
