"""GTP commands for HexGui: what a search has found, as texts on cells and as a line of cells."""

from __future__ import annotations

from uctlab.protocol.gtp_board import has_grid, is_cell
from uctlab.protocol.gtp_session import Command, Session

ANALYZE_COMMANDS = """\
pspairs/Values in percent/uctlab-cell_values
pspairs/Visits/uctlab-cell_visits
var/Principal variation/uctlab-cell_line
string/Search report/uctlab-report
string/Final score/final_score"""


def _analyze_commands(session: Session, arguments: list[str]) -> str:
    return ANALYZE_COMMANDS


def _values(session: Session, arguments: list[str]) -> str:
    """In percent, for the player to move: a1 53 b2 48 ..."""
    found = [(m.move, m.value) for m in session.engine.seen().moves if m.value is not None]
    return _pairs(session, [(move, f"{100 * value:.0f}") for move, value in found])


def _visits(session: Session, arguments: list[str]) -> str:
    found = [(m.move, str(m.visits)) for m in session.engine.seen().moves if m.visits]
    return _pairs(session, found)


def _pairs(session: Session, texts: list[tuple[str, str]]) -> str:
    vertex = session.engine.names.vertex
    return " ".join(f"{vertex(move)} {text}" for move, text in texts if is_cell(move))


def _line(session: Session, arguments: list[str]) -> str:
    """Up to the first move that is no cell, as HexGui alternates the colours itself."""
    cells: list[str] = []
    for move in session.engine.seen().pv:
        if not is_cell(move):
            break
        cells.append(session.engine.names.vertex(move))
    return " ".join(cells)


HEXGUI_COMMANDS = {
    "hexgui-analyze_commands": Command(_analyze_commands, offered=has_grid),
    "uctlab-cell_values": Command(_values, thinks=True, offered=has_grid),
    "uctlab-cell_visits": Command(_visits, thinks=True, offered=has_grid),
    "uctlab-cell_line": Command(_line, thinks=True, offered=has_grid),
}
