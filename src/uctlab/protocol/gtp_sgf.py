"""GTP commands that load an SGF file, and that print the game as one."""

from __future__ import annotations

from pathlib import Path

from sgfmill import sgf_grammar

from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.games.sgf import SgfReader, write_sgf
from uctlab.games.sgf_dialects import Properties, translated
from uctlab.protocol.gtp_board import Board
from uctlab.protocol.gtp_engine import with_komi
from uctlab.protocol.gtp_line import decimal, quoted, whole_number
from uctlab.protocol.gtp_session import Command, Session

LARGEST_FILE = 2**24  # bytes


def _loadsgf(session: Session, arguments: list[str]) -> str:
    """The main line of a file, up to the position before the move of that number."""
    engine = session.engine
    if not engine.game.sgf_root:
        raise UsageError(f"{engine.game.name} has no SGF files")
    before = whole_number(arguments[1]) if len(arguments) > 1 else None
    nodes = translated(engine.game, _read_nodes(arguments[0]))
    game = engine.game
    if "SZ" in nodes[0]:
        game = engine.resized(whole_number(_text(nodes[0], "SZ")))
    if "KM" in nodes[0] and "komi" in game.options:
        game = with_komi(game, decimal(_text(nodes[0], "KM")))
    nodes = nodes if before is None else _up_to(nodes, before)
    reader = _BoardReader(engine.rules(game, len(nodes)))
    reader.read(nodes)
    engine.use(game)
    engine.begin(reader.board)
    engine.clock.restart()
    return ""


class _BoardReader(SgfReader):
    """Plays a file on the board, where either colour may move at any time if the game allows it."""

    def begin(self, first: Position) -> None:
        self.board = Board(first)

    def play(self, player: int, move: int) -> None:
        self.board.play(player, move)

    @property
    def position(self) -> Position:
        return self.board.position


def _printsgf(session: Session, arguments: list[str]) -> str:
    return write_sgf(session.engine.board.position).decode()


def _read_nodes(name: str) -> list[Properties]:
    path = Path(name)
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:
            raise OSError
        tree = sgf_grammar.parse_sgf_game(path.read_bytes())
    except (OSError, ValueError):
        raise UsageError(f"cannot load file '{quoted(name)}'") from None
    return list(sgf_grammar.main_sequence_iter(tree))


def _up_to(nodes: list[Properties], number: int) -> list[Properties]:
    """The nodes before the move of that number; all where there are fewer moves."""
    moves = [place for place, node in enumerate(nodes) if {"B", "W"} & set(node)]
    end = moves[max(number, 1) - 1] if number <= len(moves) else len(nodes)
    return nodes[: max(end, 1)]


def _text(node: Properties, name: str) -> str:
    return node[name][0].decode("utf-8", "replace").strip()


SGF_COMMANDS = {
    "loadsgf": Command(_loadsgf, "file [move]"),
    "printsgf": Command(_printsgf),
}
