"""How a game has ended, and which stones are dead, alive or in seki."""

from __future__ import annotations

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.go.game import is_go
from uctlab.games.go.groups import Group, groups
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
    size = int(engine.game.constants["SIZE"])
    dead = set(engine.judge(position).dead)
    living = position.stones
    living[list(dead)] = 0
    regions = [group for group in groups(living, size) if group.owner == 0]
    lines = []
    for chain in groups(position.stones, size):
        if chain.owner == 0:
            continue
        found = "dead" if chain.cells <= dead else "seki" if _in_seki(chain, regions) else "alive"
        if found == status:
            lines.append(" ".join(engine.names.vertex(cell) for cell in sorted(chain.cells)))
    return "\n".join(lines)


def _in_seki(chain: Group, regions: list[Group]) -> bool:
    """Whether a living chain touches small empty regions alone, and all of these are shared."""
    touched = [region for region in regions if region.around & chain.cells]
    return all(
        region.neighbours != {chain.owner} and len(region.cells) <= SHARED_REGION
        for region in touched
    )


SCORE_COMMANDS = {
    "final_score": Command(final_score),
    "final_status_list": Command(_final_status_list, "status"),
}
