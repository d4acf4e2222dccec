"""GTP commands for how a game has ended, and which stones are dead, alive or in seki."""

from __future__ import annotations

from typing import get_args

from uctlab.errors import UsageError
from uctlab.games.capabilities import Status
from uctlab.protocol.gtp_line import quoted
from uctlab.protocol.gtp_session import Command, Session

STATUSES = get_args(Status)


def final_score(session: Session, arguments: list[str]) -> str:
    """B+2.5 in games with points, B+ in games without, 0 for a draw."""
    game, position = session.engine.game, session.engine.board.position
    if game.referee is not None:
        return game.score_text(game.referee(position).lead)
    if not position.is_over:
        raise UsageError("cannot score: the game is not over")
    if position.result == 0.5:
        return "0"
    if game.point_lead is not None:
        return game.score_text(game.point_lead(position))
    return f"{game.colours[0 if position.result == 1 else 1]}+"


def _final_status_list(session: Session, arguments: list[str]) -> str:
    """The stones of that status, one chain per line."""
    engine = session.engine
    status = arguments[0].lower()
    if status not in STATUSES:
        raise UsageError(f"'{quoted(status)}' is not a status; accepted: {', '.join(STATUSES)}")
    if engine.game.referee is None:
        raise UsageError(f"{engine.game.name} has no dead stones")
    chains = engine.game.referee(engine.board.position).chains
    return "\n".join(
        " ".join(engine.names.vertex(cell) for cell in sorted(cells))
        for cells, found in chains.items()
        if found == status
    )


SCORE_COMMANDS = {
    "final_score": Command(final_score),
    "final_status_list": Command(_final_status_list, "status"),
}
