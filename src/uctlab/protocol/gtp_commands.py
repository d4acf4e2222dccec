"""The table of GTP commands: those of version 2 and what GNU Go, KGS and others have added."""

from __future__ import annotations

import time

import uctlab
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.protocol.gtp_analysis import ANALYSIS_COMMANDS
from uctlab.protocol.gtp_board import PASS, Board
from uctlab.protocol.gtp_gogui import GOGUI_COMMANDS, HEXGUI_COMMANDS
from uctlab.protocol.gtp_handicap import HANDICAP_COMMANDS
from uctlab.protocol.gtp_line import decimal, quoted, whole_number
from uctlab.protocol.gtp_score import SCORE_COMMANDS
from uctlab.protocol.gtp_session import Command, Session
from uctlab.protocol.gtp_sgf import SGF_COMMANDS
from uctlab.protocol.gtp_time import TimeControl

LEELA_ZERO = "0.17"  # whose analysis commands these are; Lizzie wants at least 0.15


def _protocol_version(session: Session, arguments: list[str]) -> str:
    return "2"


def _name(session: Session, arguments: list[str]) -> str:
    return f"uctlab {session.engine.agent.name}"


def _version(session: Session, arguments: list[str]) -> str:
    ours: str = uctlab.__version__
    if session.engine.options.client == "lizzie":
        return f"{LEELA_ZERO} (uctlab {ours})"
    return ours


def _known_command(session: Session, arguments: list[str]) -> str:
    return "true" if session.known(arguments[0]) else "false"


def _list_commands(session: Session, arguments: list[str]) -> str:
    return "\n".join(name for name in sorted(session.commands) if session.known(name))


def _quit(session: Session, arguments: list[str]) -> str:
    session.ended = True
    return ""


def _list_games(session: Session, arguments: list[str]) -> str:
    """The one that the engine was started for; Quarry takes a program that says nothing for one
    that plays Go."""
    return session.engine.game.family.capitalize()


def _set_game(session: Session, arguments: list[str]) -> str:
    name = _list_games(session, [])
    if arguments[0].lower() != name.lower():
        raise UsageError(f"unsupported game '{quoted(arguments[0])}'; accepted: {name}")
    session.engine.clear()
    return ""


def _boardsize(session: Session, arguments: list[str]) -> str:
    """Controllers send width and height for Hex."""
    sizes = [whole_number(word) for word in arguments]
    if len(set(sizes)) > 1:
        raise UsageError(f"unacceptable size: {' by '.join(arguments)}; accepted: square boards")
    engine = session.engine
    engine.use(engine.resized(engine.names.side(sizes[0])))
    engine.clear()
    return ""


def _clear_board(session: Session, arguments: list[str]) -> str:
    session.engine.clear()
    return ""


def _komi(session: Session, arguments: list[str]) -> str:
    session.engine.set_komi(decimal(arguments[0]))
    return ""


def _play(session: Session, arguments: list[str]) -> str:
    _make_move(session, session.engine.board, *arguments)
    return ""


def _make_move(session: Session, board: Board, colour: str, vertex: str) -> None:
    names = session.engine.names
    board.play(names.player(colour), names.move(vertex, ended=board.ended))


def _play_sequence(session: Session, arguments: list[str]) -> str:
    """All of the moves, or none."""
    engine = session.engine
    if len(arguments) % 2:
        raise UsageError("syntax error; accepted: pairs of a color and a vertex")
    rules = engine.rules(engine.game, len(arguments) // 2)
    board = engine.board.copy() if engine.board.game is rules else engine.board.under(rules)
    for colour, vertex in zip(arguments[::2], arguments[1::2], strict=True):
        _make_move(session, board, colour, vertex)
    engine.board = board
    return ""


def _genmove(session: Session, arguments: list[str]) -> str:
    return session.engine.genmove(session.engine.names.player(arguments[0]))


def _genmove_cleanup(session: Session, arguments: list[str]) -> str:
    return session.engine.clean_up(session.engine.names.player(arguments[0]))


def _reg_genmove(session: Session, arguments: list[str]) -> str:
    """The move that would be played, without playing it; the engine never resigns here."""
    engine = session.engine
    player = engine.names.player(arguments[0])
    if engine.board.ended:
        return PASS
    move, _ = engine.choose(player, engine.board.turned(player))
    return engine.names.vertex(move)


def _undo(session: Session, arguments: list[str]) -> str:
    session.engine.undo(whole_number(arguments[0]) if arguments else 1)
    return ""


def _showboard(session: Session, arguments: list[str]) -> str:
    return f"\n{session.engine.board.position}"


def _set_random_seed(session: Session, arguments: list[str]) -> str:
    session.engine.reseed(whole_number(arguments[0]))
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


def _has_referee(game: Game) -> bool:
    return game.referee is not None


COMMANDS: dict[str, Command] = {
    "protocol_version": Command(_protocol_version),
    "name": Command(_name),
    "version": Command(_version),
    "known_command": Command(_known_command, "command"),
    "list_commands": Command(_list_commands),
    "quit": Command(_quit),
    "list_games": Command(_list_games),
    "set_game": Command(_set_game, "game"),
    "boardsize": Command(_boardsize, "size [height]"),
    "clear_board": Command(_clear_board),
    "komi": Command(_komi, "komi"),
    "play": Command(_play, "color vertex"),
    "gogui-play_sequence": Command(_play_sequence, "[color] [vertex] ..."),
    "genmove": Command(_genmove, "color", thinks=True),
    "kgs-genmove_cleanup": Command(_genmove_cleanup, "color", thinks=True, offered=_has_referee),
    "reg_genmove": Command(_reg_genmove, "color", thinks=True),
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
    **HEXGUI_COMMANDS,
}
