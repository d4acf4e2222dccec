"""How a game has ended, and which stones are dead, alive or in seki."""

from __future__ import annotations

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.go import is_go
from uctlab.protocol.gtp_line import quoted
from uctlab.protocol.gtp_session import Command, Session

SHARED_REGION = 4  # cells; in a seki no more liberties are shared
STATUSES = ("alive", "seki", "dead")


def final_score(session: Session, arguments: list[str]) -> str:
    """B+2.5 where points or discs are counted, B+ where they are not, 0 for a draw."""
    engine = session.engine
    position = engine.board.position
    if is_go(engine.game):
        return str(engine.judge(position))
    if not position.over:
        raise UsageError("cannot score: the game is not over")
    if position.result == 0.5:
        return "0"
    winner = engine.names.colour(0 if position.result == 1 else 1).upper()
    if engine.game.name != "othello":
        return f"{winner}+"
    stones = position.stones
    lead = np.count_nonzero(stones == 1) - np.count_nonzero(stones == 2)
    return f"{winner}+{abs(lead)}"


def _final_status_list(session: Session, arguments: list[str]) -> str:
    """The stones of that status, a line a chain of one player's."""
    engine = session.engine
    status = arguments[0].lower()
    if status not in STATUSES:
        raise UsageError(f"'{quoted(status)}' is no status; accepted: {', '.join(STATUSES)}")
    if not is_go(engine.game):
        raise UsageError(f"{engine.game.name} has no dead stones")
    position = engine.board.position
    dead = set(engine.judge(position).dead)
    areas = _areas(engine.names.grid, position.stones, set())
    living = _areas(engine.names.grid, position.stones, dead)
    lines = []
    for area in areas:
        if area.owner == 0:
            continue
        found = "dead" if area.cells <= dead else ("seki" if _in_seki(area, living) else "alive")
        if found == status:
            lines.append(" ".join(engine.names.vertex(cell) for cell in sorted(area.cells)))
    return "\n".join(lines)


class _Area:
    """Connected cells of one owner: a chain, or an empty region."""

    def __init__(self, owner: int) -> None:
        self.owner = owner
        self.cells: set[int] = set()
        self.near: set[int] = set()
        """Cells that touch it."""
        self.neighbours: set[int] = set()
        """Owners of those cells."""


def _in_seki(chain: _Area, areas: list[_Area]) -> bool:
    """Whether a living chain touches small empty regions alone, and all of these are shared."""
    touched = [area for area in areas if area.owner == 0 and area.near & chain.cells]
    return all(
        area.neighbours != {chain.owner} and len(area.cells) <= SHARED_REGION for area in touched
    )


def _areas(grid: list[list[int]], stones: np.ndarray, dead: set[int]) -> list[_Area]:
    """All chains and empty regions, when the dead stones are taken off."""
    size = len(grid)
    seen: set[int] = set()
    areas = []
    for start in range(size * size):
        if start in seen:
            continue
        area = _Area(0 if start in dead else int(stones[start]))
        unvisited = [start]
        while unvisited:
            cell = unvisited.pop()
            owner = 0 if cell in dead else int(stones[cell])
            if owner != area.owner:
                area.near.add(cell)
                area.neighbours.add(owner)
            elif cell not in area.cells:
                area.cells.add(cell)
                unvisited += _neighbours(cell, size)
        seen |= area.cells
        areas.append(area)
    return areas


def _neighbours(cell: int, size: int) -> list[int]:
    y, x = divmod(cell, size)
    near = [(y, x - 1), (y, x + 1), (y - 1, x), (y + 1, x)]
    return [b * size + a for b, a in near if 0 <= a < size and 0 <= b < size]


SCORE_COMMANDS = {
    "final_score": Command(final_score),
    "final_status_list": Command(_final_status_list, "status"),
}
