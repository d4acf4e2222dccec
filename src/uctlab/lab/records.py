"""Opens what a visitor brings, an SGF file or a diagram, and writes games as SGF files."""

from __future__ import annotations

from typing import Any

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.sgf import sgf_game
from uctlab.games.sgf_tree import SgfNode, read_sgf_tree, write_sgf_tree
from uctlab.lab import limits
from uctlab.lab.own_games import is_own
from uctlab.lab.positions import describe, game_of, start_of, start_position
from uctlab.lab.requests import PositionValue

Node = tuple[int, str, dict[str, list[str]]]


def open_text(text: str, spec: str) -> dict[str, Any]:
    """A game as the page holds it: the last position of the main line, all nodes, what is lost."""
    if text.lstrip().startswith("("):
        return _open_sgf(text.encode())
    position = _read_diagram(game_of(spec), text)
    return {**describe(position, start_of(position)), "nodes": [[-1, "", {}]], "left_out": []}


def _open_sgf(data: bytes) -> dict[str, Any]:
    tree = read_sgf_tree(game_of(sgf_game(data).name), data, most=limits.GAME_NODES)
    if len(tree.end.moves) > limits.MOVES:
        raise UsageError(f"the file has more than {limits.MOVES} moves")
    nodes = [[node.parent, node.move, node.properties] for node in tree.nodes]
    return {**describe(tree.end, start_of(tree.end)), "nodes": nodes, "left_out": tree.left_out}


def _read_diagram(game: Game, text: str) -> Position:
    """On a board of the diagram's own size, if the game has such boards."""
    if game.diagram is None or is_own(game.name):
        raise UsageError(f"this is no SGF file, and {game.name} has no diagrams")
    rows = sum(_is_row(line) for line in text.splitlines())
    if game.options and rows not in (0, len(game.diagram.rows)) and game.family != "havannah":
        game = game_of(game.resized(rows).name)
    return Position.from_diagram(game, text)


def _is_row(line: str) -> bool:
    symbols = [word for word in line.split() if not word.isdigit()]
    return bool(symbols) and set("".join(symbols)) <= set(".XO")


def save_sgf(start: PositionValue, nodes: tuple[Node, ...]) -> str:
    game = game_of(start.game)
    if is_own(start.game):
        raise UsageError(f"{game.name} has no SGF files")
    first = start_position(game, start.start)
    return write_sgf_tree(first, [SgfNode(*node) for node in nodes]).decode()
