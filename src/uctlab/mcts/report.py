"""What a search found, as small frozen objects that print well."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class MoveReport:
    """One move at the root. Values are for the player to move, 0 to 1."""

    move: str
    visits: int
    value: float | None
    """Mean result, or its accelerated or discounted form; nothing before the first visit."""
    velocity: float | None = None
    discounted_visits: float | None = None
    rave: float | None = None
    samples: float | None = None
    """Number, or total weight, of RAVE samples."""
    letter: str | None = None
    """What a paper calls the cell, in a named position."""
    truth: str | None = None
    """What the solver says of the move, where it was asked: wins, draws or loses."""


@dataclass(frozen=True)
class SearchReport:
    """The outcome of one search."""

    game: str
    agent: str
    best: str
    won: bool
    """Whether the best move ends the game with a win, which needs no statistics."""
    moves: tuple[MoveReport, ...]
    """Root moves, the most visited first."""
    pv: tuple[str, ...]
    """Principal variation: the best move, then the most visited answers."""
    playouts: int
    """Made by this search."""
    seconds: float
    """Of the search alone, by the clock, without compilation."""
    nodes: int
    depth: int
    """Moves from the root to the deepest node."""
    full: bool
    """Whether the tree found no room for more nodes."""
    memory: int
    """Bytes that the nodes of the tree take."""
    reused: int
    """Visits of the root that an earlier search had left behind."""
    stopped: bool
    """Whether the search was interrupted before its budget was spent."""
    seed: int

    @property
    def playouts_per_second(self) -> float:
        return self.playouts / self.seconds if self.seconds > 0 else 0.0

    def as_json(self) -> dict[str, Any]:
        facts = asdict(self)
        facts["moves"] = [
            {k: v for k, v in asdict(move).items() if v is not None or k == "value"}
            for move in self.moves
        ]
        facts["pv"] = list(self.pv)
        facts["playouts_per_second"] = self.playouts_per_second
        return facts

    def __str__(self) -> str:
        columns = ["move", "letter", "truth", "visits", "value", "velocity", "discounted_visits"]
        columns += ["rave", "samples"]
        used = [c for c in columns if any(getattr(move, c) is not None for move in self.moves)]
        titles = {"discounted_visits": "disc. visits"}
        lines = ["  ".join(f"{titles.get(name, name):>12}" for name in used)]
        for move in self.moves[:12]:
            lines.append("  ".join(f"{_cell(getattr(move, name)):>12}" for name in used))
        if len(self.moves) > 12:
            lines.append(f"  and {len(self.moves) - 12} more moves")
        letters = {move.move: f" ({move.letter})" for move in self.moves if move.letter}
        best, *line = (move + letters.get(move, "") for move in (self.best, *self.pv))
        lines.append(f"best {best}" + (" (wins at once)" if self.won else ""))
        lines.append("principal variation: " + " ".join(line))
        lines.append(
            f"{self.playouts:,} playouts in {self.seconds:.2f} s, "
            f"{self.playouts_per_second:,.0f} a second; "
            f"{self.nodes:,} nodes, {self.memory / 2**20:.1f} MiB, depth {self.depth}"
        )
        if self.reused:
            lines.append(f"the tree had {self.reused:,} visits from earlier searches")
        if self.full:
            lines.append("the tree is full: nodes that found no room were not expanded")
        if self.stopped:
            lines.append("the search was stopped before its end")
        return "\n".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else value or ""
