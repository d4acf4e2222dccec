"""GTP commands for GoGui and HexGui: searches as overlays of the board, and rules for GoGui.

GoGui names cells in capitals without the letter I and counts rows from the bottom. A controller
that asks for rules is assumed to be GoGui: from then on all games use such names, and `boardsize`
is that of the grid. From 1.6 on it draws hexagons, and knows cells that are not there. Before, it
draws a square grid: cells outside a hexagon are then written as empty cells that are never legal,
since it skips any other sign and takes the next one for the cell. It does not tell its version
before it asks for the board, so an option has to say what it can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.mcts.report import MoveReport
from uctlab.protocol.gtp_board import has_grid, is_cell
from uctlab.protocol.gtp_score import final_score
from uctlab.protocol.gtp_session import Command, Session

BLANK = '""'  # a cell without text
MAX_LABELS = 10  # moves in the picture of a search

ANALYZE_COMMANDS = """\
gfx/Search/uctlab-search
sboard/Visits/uctlab-visits
sboard/Values in percent/uctlab-values
dboard/Values as influence/uctlab-influence
var/Principal variation/uctlab-variation
hstring/Search report/uctlab-report
string/Final score/final_score"""
LEGAL_MOVES = "plist/Legal moves/gogui-rules_legal_moves"


def _analyze_commands(session: Session, arguments: list[str]) -> str:
    explained = _explained(session.engine.game)
    return "\n".join((ANALYZE_COMMANDS, LEGAL_MOVES) if explained else (ANALYZE_COMMANDS,))


def _visits(session: Session, arguments: list[str]) -> str:
    return _overlay(session, lambda move: str(move.visits) if move.visits else BLANK, BLANK)


def _values(session: Session, arguments: list[str]) -> str:
    """In percent, for the player to move."""
    return _overlay(
        session, lambda move: BLANK if move.value is None else f"{100 * move.value:.0f}", BLANK
    )


def _influence(session: Session, arguments: list[str]) -> str:
    """1 where Black wins, -1 where White does."""
    black = session.engine.names.colour(session.engine.board.position.turn) == "b"

    def influence(move: MoveReport) -> str:
        value = 0.5 if move.value is None else move.value
        return f"{(2 * value - 1) * (1 if black else -1):.3f}"

    return _overlay(session, influence, "0")


def _overlay(session: Session, text: Callable[[MoveReport], str], blank: str) -> str:
    """A board with a text for each move of the search."""
    engine = session.engine
    texts = {engine.game.parse_move(move.move): text(move) for move in engine.seen().moves}
    rows = [" ".join(texts.get(cell, blank) for cell in row) for row in engine.names.grid]
    return "\n".join(rows)


def _variation(session: Session, arguments: list[str]) -> str:
    """b D4 w E5 ..."""
    engine = session.engine
    line = engine.seen().pv
    turn = engine.board.position.turn
    moves = [
        f"{engine.names.colour((turn + number) % 2)} {engine.names.vertex(move)}"
        for number, move in enumerate(line)
    ]
    return " ".join(moves)


def _search(session: Session, arguments: list[str]) -> str:
    """The principal variation, values of the most visited moves, and a line below the board."""
    names = session.engine.names
    report = session.engine.seen()
    cells = [move for move in report.moves if move.visits > 0 and move.value is not None]
    cells = [move for move in cells if is_cell(move.move)][:MAX_LABELS]
    most = max((move.visits for move in cells), default=1)
    values = [f"{names.vertex(move.move)} {100 * (move.value or 0.0):.0f}" for move in cells]
    shares = [f"{names.vertex(move.move)} {move.visits / most:.3f}" for move in cells]
    return "\n".join(
        (
            f"VAR {_variation(session, arguments)}",
            f"LABEL {' '.join(values)}",
            f"INFLUENCE {' '.join(shares)}",
            f"TEXT {names.vertex(report.best)}, {report.playouts} playouts",
        )
    )


def _report(session: Session, arguments: list[str]) -> str:
    """With cells named as the controller names them."""
    report, vertex = session.engine.seen(), session.engine.names.vertex
    moves = tuple(replace(move, move=vertex(move.move)) for move in report.moves)
    pv = tuple(map(vertex, report.pv))
    return str(replace(report, moves=moves, best=vertex(report.best), pv=pv))


def _meet_gogui(session: Session) -> None:
    """From now on names are GoGui's; an error in a game that does not fit on its grid."""
    names = session.engine.names
    assert names.grid
    names.gogui = True


def _game_id(session: Session, arguments: list[str]) -> str:
    """One word that begins with a capital."""
    _meet_gogui(session)
    return session.engine.game.family.capitalize()


def _board(session: Session, arguments: list[str]) -> str:
    engine = session.engine
    _meet_gogui(session)
    stones = engine.board.position.stones
    symbols = ".XO" if engine.names.colour(0) == "b" else ".OX"
    absent = "?" if engine.names.hexagons else "."
    rows = [
        " ".join(symbols[stones[cell]] if cell >= 0 else absent for cell in row)
        for row in engine.names.grid
    ]
    return "\n".join(rows)


def _board_size(session: Session, arguments: list[str]) -> str:
    _meet_gogui(session)
    names = session.engine.names
    return f"{len(names.grid)}{' hex' if names.hexagons else ''}"


def _legal_moves(session: Session, arguments: list[str]) -> str:
    names = session.engine.names
    _meet_gogui(session)
    return " ".join(names.vertex(move) for move in session.engine.board.position.legal)


def _side_to_move(session: Session, arguments: list[str]) -> str:
    engine = session.engine
    return {"b": "black", "w": "white"}[engine.names.colour(engine.board.position.turn)]


def _final_result(session: Session, arguments: list[str]) -> str:
    if not session.engine.board.position.is_over:
        raise UsageError("the game is not over")
    return final_score(session, arguments)


def _explained(game: Game) -> bool:
    """Whether GoGui is told the rules. If it were in Go, it would throw away a game that it has
    loaded when the engine is attached."""
    return has_grid(game) and not game.gtp.rules_known


def _interrupt(session: Session, arguments: list[str]) -> str:
    """Says that a search ends when the line `# interrupt` comes; see gtp_loop.py."""
    return ""


GOGUI_COMMANDS = {
    "gogui-interrupt": Command(_interrupt),
    "gogui-analyze_commands": Command(_analyze_commands),
    "uctlab-search": Command(_search, thinks=True),
    "uctlab-visits": Command(_visits, thinks=True),
    "uctlab-values": Command(_values, thinks=True),
    "uctlab-influence": Command(_influence, thinks=True),
    "uctlab-variation": Command(_variation, thinks=True),
    "uctlab-report": Command(_report, thinks=True),
    "gogui-rules_game_id": Command(_game_id, offered=_explained),
    "gogui-rules_board": Command(_board, offered=_explained),
    "gogui-rules_board_size": Command(_board_size, offered=_explained),
    "gogui-rules_legal_moves": Command(_legal_moves, offered=_explained),
    "gogui-rules_side_to_move": Command(_side_to_move, offered=_explained),
    "gogui-rules_final_result": Command(_final_result, offered=_explained),
}


# HexGui gets texts on cells, and a line of cells.

HEXGUI_ANALYZE_COMMANDS = """\
pspairs/Values in percent/uctlab-cell_values
pspairs/Visits/uctlab-cell_visits
var/Principal variation/uctlab-cell_line
string/Search report/uctlab-report
string/Final score/final_score"""


def _hexgui_analyze_commands(session: Session, arguments: list[str]) -> str:
    return HEXGUI_ANALYZE_COMMANDS


def _cell_values(session: Session, arguments: list[str]) -> str:
    """In percent, for the player to move: a1 53 b2 48 ..."""
    found = [(m.move, m.value) for m in session.engine.seen().moves if m.value is not None]
    return _pairs(session, [(move, f"{100 * value:.0f}") for move, value in found])


def _cell_visits(session: Session, arguments: list[str]) -> str:
    found = [(m.move, str(m.visits)) for m in session.engine.seen().moves if m.visits]
    return _pairs(session, found)


def _pairs(session: Session, texts: list[tuple[str, str]]) -> str:
    vertex = session.engine.names.vertex
    return " ".join(f"{vertex(move)} {text}" for move, text in texts if is_cell(move))


def _cell_line(session: Session, arguments: list[str]) -> str:
    """Up to the first move that is no cell, as HexGui alternates the colours itself."""
    cells: list[str] = []
    for move in session.engine.seen().pv:
        if not is_cell(move):
            break
        cells.append(session.engine.names.vertex(move))
    return " ".join(cells)


HEXGUI_COMMANDS = {
    "hexgui-analyze_commands": Command(_hexgui_analyze_commands, offered=has_grid),
    "uctlab-cell_values": Command(_cell_values, thinks=True, offered=has_grid),
    "uctlab-cell_visits": Command(_cell_visits, thinks=True, offered=has_grid),
    "uctlab-cell_line": Command(_cell_line, thinks=True, offered=has_grid),
}
