"""GTP commands that load an SGF file, and that print the game as one."""

from __future__ import annotations

from sgfmill import sgf_grammar

from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.games.sgf import SgfReader, write_sgf
from uctlab.games.sgf_dialects import Properties, komi_of, translated
from uctlab.protocol.gtp_board import Board, with_komi
from uctlab.protocol.gtp_line import quoted, whole_number
from uctlab.protocol.gtp_session import Command, Session
from uctlab.user_files import POSITION, read_file


def _loadsgf(session: Session, arguments: list[str]) -> str:
    """The main line of a file, up to the position before the move of that number."""
    engine = session.engine
    if not engine.game.sgf_root:
        raise UsageError(f"{engine.game.name} has no SGF files")
    before = whole_number(arguments[1]) if len(arguments) > 1 else None
    nodes = _read_nodes(arguments[0])
    komi = komi_of(nodes[0]) if "komi" in engine.game.options else None
    nodes = translated(engine.game, nodes)
    game = engine.game
    if "SZ" in nodes[0]:
        game = engine.resized(whole_number(_text(nodes[0], "SZ")))
    if komi is not None:
        game = with_komi(game, komi)
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
    try:
        tree = sgf_grammar.parse_sgf_game(read_file(name, POSITION))
    except ValueError:  # of both: a UsageError is one
        raise UsageError(f"cannot load file '{quoted(name)}'") from None
    return list(sgf_grammar.main_sequence_iter(tree))


def _up_to(nodes: list[Properties], number: int) -> list[Properties]:
    """The nodes before the move of that number; all where there are fewer moves."""
    moves = [place for place, node in enumerate(nodes) if {"B", "W"} & set(node)]
    before = max(number, 1) - 1
    end = moves[before] if before < len(moves) else len(nodes)
    return nodes[: max(end, 1)]


def _text(node: Properties, name: str) -> str:
    return node[name][0].decode("utf-8", "replace").strip()


SGF_COMMANDS = {
    "loadsgf": Command(_loadsgf, "file [move]"),
    "printsgf": Command(_printsgf),
}
