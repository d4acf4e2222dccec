"""The table of GTP commands: those of version 2 and what GNU Go, KGS and others have added."""

from __future__ import annotations

import time

import uctlab
from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.protocol.gtp_analysis import ANALYSIS_COMMANDS
from uctlab.protocol.gtp_board import Board
from uctlab.protocol.gtp_gogui import GOGUI_COMMANDS
from uctlab.protocol.gtp_handicap import HANDICAP_COMMANDS
from uctlab.protocol.gtp_line import decimal, whole_number
from uctlab.protocol.gtp_score import SCORE_COMMANDS
from uctlab.protocol.gtp_session import Command, Session
from uctlab.protocol.gtp_sgf import SGF_COMMANDS
from uctlab.protocol.gtp_time import TimeControl


def _protocol_version(session: Session, arguments: list[str]) -> str:
    return "2"


def _name(session: Session, arguments: list[str]) -> str:
    return f"uctlab {session.engine.agent.name}"


def _version(session: Session, arguments: list[str]) -> str:
    return uctlab.__version__


def _known_command(session: Session, arguments: list[str]) -> str:
    return "true" if arguments[0] in session.commands else "false"


def _list_commands(session: Session, arguments: list[str]) -> str:
    return "\n".join(sorted(session.commands))


def _quit(session: Session, arguments: list[str]) -> str:
    session.ended = True
    return ""


def _boardsize(session: Session, arguments: list[str]) -> str:
    """Controllers send width and height for Hex."""
    sizes = [whole_number(word) for word in arguments]
    if len(set(sizes)) > 1:
        raise UsageError(f"unacceptable size: {' by '.join(arguments)}; accepted: square boards")
    engine = session.engine
    engine.begin(Board(Position.start(engine.resized(engine.names.side(sizes[0])))))
    engine.clock.restart()
    return ""


def _clear_board(session: Session, arguments: list[str]) -> str:
    session.engine.clear()
    return ""


def _komi(session: Session, arguments: list[str]) -> str:
    session.engine.set_komi(decimal(arguments[0]))
    return ""


def _play(session: Session, arguments: list[str]) -> str:
    names = session.engine.names
    session.engine.play(names.player(arguments[0]), names.move(arguments[1]))
    return ""


def _play_sequence(session: Session, arguments: list[str]) -> str:
    """All of the moves, or none."""
    engine = session.engine
    if len(arguments) % 2:
        raise UsageError("syntax error; accepted: pairs of a color and a vertex")
    board = engine.board.copy()
    for colour, vertex in zip(arguments[::2], arguments[1::2], strict=True):
        board.play(engine.names.player(colour), engine.names.move(vertex))
    engine.board = board
    return ""


def _genmove(session: Session, arguments: list[str]) -> str:
    return session.engine.genmove(session.engine.names.player(arguments[0]))


def _reg_genmove(session: Session, arguments: list[str]) -> str:
    """The move that would be played, without playing it; the engine never resigns here."""
    engine = session.engine
    player = engine.names.player(arguments[0])
    move, _ = engine.choose(player, engine.board.turned(player))
    return engine.names.vertex(move)


def _undo(session: Session, arguments: list[str]) -> str:
    session.engine.undo(whole_number(arguments[0]) if arguments else 1)
    return ""


def _showboard(session: Session, arguments: list[str]) -> str:
    return f"\n{session.engine.board.position}"


def _set_random_seed(session: Session, arguments: list[str]) -> str:
    session.engine.seed = whole_number(arguments[0])
    session.engine.searcher.forget()
    return ""


def _time_settings(session: Session, arguments: list[str]) -> str:
    """A period without stones means that time is not limited."""
    main, period = (_seconds(word) for word in arguments[:2])
    stones = whole_number(arguments[2])
    if stones == 0 and (period > 0 or main == 0):
        session.engine.clock.set(None)
    else:
        session.engine.clock.set(TimeControl(main, period, stones if period > 0 else 0))
    return ""


def _kgs_time_settings(session: Session, arguments: list[str]) -> str:
    system, *words = arguments
    takes = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
    if takes.get(system) != len(words):
        raise UsageError(
            "syntax error; accepted: none, absolute MAIN, byoyomi MAIN PERIOD PERIODS, "
            "canadian MAIN PERIOD STONES"
        )
    control = None
    if words:
        main, period = (_seconds(word) for word in [*words[:2], "0"][:2])
        stones = whole_number(words[2]) if len(words) == 3 else 0
        control = TimeControl(main, period, stones, japanese=system == "byoyomi")
    session.engine.clock.set(control)
    return ""


def _time_left(session: Session, arguments: list[str]) -> str:
    player = session.engine.names.player(arguments[0])
    session.engine.clock.tell(player, _seconds(arguments[1]), whole_number(arguments[2]))
    return ""


def _seconds(text: str) -> float:
    """A controller that is late may send a negative time."""
    return max(0.0, decimal(text))


def _cputime(session: Session, arguments: list[str]) -> str:
    return f"{time.process_time():.3f}"


COMMANDS: dict[str, Command] = {
    "protocol_version": Command(_protocol_version),
    "name": Command(_name),
    "version": Command(_version),
    "known_command": Command(_known_command, "command"),
    "list_commands": Command(_list_commands),
    "quit": Command(_quit),
    "boardsize": Command(_boardsize, "size [height]"),
    "clear_board": Command(_clear_board),
    "komi": Command(_komi, "komi"),
    "play": Command(_play, "color vertex"),
    "gogui-play_sequence": Command(_play_sequence, "[color] [vertex] ..."),
    "genmove": Command(_genmove, "color"),
    "reg_genmove": Command(_reg_genmove, "color"),
    "undo": Command(_undo),
    "gg-undo": Command(_undo, "[moves]"),
    "showboard": Command(_showboard),
    "set_random_seed": Command(_set_random_seed, "seed"),
    "time_settings": Command(_time_settings, "main period stones"),
    "kgs-time_settings": Command(_kgs_time_settings, "system ..."),
    "time_left": Command(_time_left, "color seconds stones"),
    "cputime": Command(_cputime),
    **HANDICAP_COMMANDS,
    **SCORE_COMMANDS,
    **SGF_COMMANDS,
    **ANALYSIS_COMMANDS,
    **GOGUI_COMMANDS,
}
