"""SGF files of any game: reads the main line with set-up stones, and writes games. Variations and
comments are read and written by sgf_tree.py.

sgfmill parses the grammar; this file knows what the properties mean. Komi and other rules come from
the game that the caller asks for; `sgf_game` finds the game that a file asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from sgfmill import sgf_grammar

import uctlab
from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.families import FAMILIES
from uctlab.games.position import Position
from uctlab.games.registry import make_game
from uctlab.games.sgf_dialects import (
    SWAP,
    Properties,
    family_of,
    has_swap,
    komi_of,
    translated,
)

SET_UP = {"AB", "AW", "AE", "PL"}

STANDARD_SIZES = {"1": "19"}  # of boards by GM, where a file has no SZ and the standard has a size


def read_sgf(game: Game, data: bytes) -> Position:
    """The position at the end of the file's main line."""
    if not game.sgf_root:
        raise UsageError(f"{game.name} has no SGF files")
    try:
        nodes = list(sgf_grammar.main_sequence_iter(sgf_grammar.parse_sgf_game(data)))
    except ValueError as error:
        raise UsageError(f"this is not an SGF file: {error}") from None
    reader = SgfReader(game)
    reader.read(nodes)
    return reader.position


def sgf_game(data: bytes) -> Game:
    """The game that a file says it is, with the file's size and komi."""
    try:
        nodes = list(sgf_grammar.main_sequence_iter(sgf_grammar.parse_sgf_game(data)))
    except ValueError as error:
        raise UsageError(f"this is not an SGF file: {error}") from None
    values = {name: _text(found[0]) for name, found in nodes[0].items()}
    known = [game for game in map(make_game, FAMILIES) if game.sgf_root]
    games = {game.sgf_root["GM"].lower(): game for game in known}
    families = {game.family: kind for kind, game in games.items()}
    kind = values.get("GM", families.get(family_of(values), "1")).lower()
    if kind not in games:
        raise UsageError(f"the SGF file has GM[{kind[:20]}]; accepted: {', '.join(games)}")
    game = games[kind]
    size = values.get("SZ", STANDARD_SIZES.get(kind, game.sgf_root["SZ"])).partition(":")[0]
    if not size.isascii() or not size.isdigit() or len(size) > 3:
        raise UsageError(f"the SGF file has SZ[{size[:20]}]; accepted: a whole number")
    if game.options:
        game = game.resized(int(size))
    if "swap" in game.options and has_swap(nodes):
        game = game.with_options(swap=True)
    komi = komi_of(nodes[0]) if "komi" in game.options else None
    return game if komi is None else game.with_options(komi=komi)


def write_sgf(
    position: Position,
    *,
    players: tuple[str, str] | None = None,
    first_scores: float | None = None,
    resigned: bool = False,
    comment: str = "",
) -> bytes:
    """The whole game as an SGF file; a set-up position is written as set-up stones.

    `players` are the names of the first and the second player; `first_scores` is the first player's
    result if it does not follow from the position, as when the loser has `resigned`.
    """
    game = position.game
    first = position.first
    root = root_properties(first)
    if players is not None:
        for player, name in enumerate(players):
            root["P" + _colour(game, player)] = [_escaped(name)]
    if comment:
        root["GC"] = [_escaped(comment)]
    if first_scores is None and position.is_over:
        first_scores = position.result
    if first_scores is not None:
        root["RE"] = [result_text(game, first_scores, resigned=resigned)]
    sequence = [root]
    for before, after in pairwise(position.line):
        sequence.append(move_property(game, before.turn, after.last_move))
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence = sequence
    written: bytes = sgf_grammar.serialise_game_tree(tree)
    return written


def root_properties(first: Position) -> Properties:
    """Those that open the file of a game from that start: the game, and set-up stones if any."""
    game = first.game
    if not game.sgf_root:
        raise UsageError(f"{game.name} has no SGF files")
    root: Properties = {"FF": [b"4"], "CA": [b"UTF-8"]}
    root["AP"] = [f"uctlab:{uctlab.__version__}".encode()]
    root |= {name: [value.encode()] for name, value in game.sgf_root.items()}
    if not np.array_equal(first.stones, Position.start(game).stones) or first.turn != 0:
        for player in (0, 1):
            cells = np.flatnonzero(first.stones == player + 1)
            if len(cells):
                root["A" + _colour(game, player)] = [_point(game, int(cell)) for cell in cells]
        root["PL"] = [_colour(game, first.turn).encode()]
    return root


def move_property(game: Game, player: int, move: int) -> Properties:
    return {_colour(game, player): [_point(game, move)]}


def result_text(game: Game, first_scores: float, *, resigned: bool = False) -> bytes:
    """B+, W+ or 0, or B+Resign."""
    how = "+Resign" if resigned else "+"
    winner = {1.0: _colour(game, 0) + how, 0.0: _colour(game, 1) + how}
    return winner.get(first_scores, "0").encode()


class SgfReader:
    """Reads one line of moves, node by node."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.begin(Position.start(game))
        self._may_turn = True
        """Whether the next move decides whose turn it is: no move and no PL so far."""

    @property
    def position(self) -> Position:
        return self._position

    def begin(self, first: Position) -> None:
        """Begin at the start, or at a set-up."""
        self._position = first

    def play(self, player: int, move: int) -> None:
        if player != self.position.turn:
            if self.game.pass_move is None:
                who, name = self.game.players[player], self.game.move_name(move)
                raise UsageError(f"the SGF file has two moves of {who} in a row, with {name}")
            self._position = self.position.play("pass")  # files may leave passes out
        self._position = self.position.play(move)

    def read(self, nodes: list[Properties]) -> None:
        """Read the nodes, the root first."""
        nodes = translated(self.game, nodes)
        check_root(self.game, nodes[0])
        for node in nodes:
            self.read_node(node)

    def read_node(self, node: Properties) -> None:
        if SET_UP & set(node):
            self._set_up(node)
        for name, values in node.items():
            if name in ("B", "W"):
                self._read_move(_player(self.game, name), _text(values[0]))

    def _set_up(self, node: Properties) -> None:
        fresh = self.position.before is None and self.position.last_move < 0
        placing = {"AB", "AW", "AE"} & set(node)
        stones = self.position.stones
        if fresh and placing and np.array_equal(stones, Position.start(self.game).stones):
            stones[:] = 0  # a file that places stones places all of them
        for name, values in node.items():
            if name in ("AB", "AW", "AE"):
                owner = 0 if name == "AE" else 1 + _player(self.game, name[1])
                for value in values:
                    for cell in _cells(self.game, _text(value)):
                        stones[cell] = owner
        turn = self.position.turn
        if "PL" in node:
            colour = _text(node["PL"][0])[:1].upper()
            if colour not in ("B", "W"):
                raise UsageError(f"the SGF file has PL[{_text(node['PL'][0])}]; accepted: B, W")
            turn = _player(self.game, colour)
            self._may_turn = False
        elif "AB" in node and _text(node.get("HA", [b""])[0]) not in ("", "0", "1"):
            turn = _player(self.game, "W")  # after a handicap
        self.begin(Position.from_stones(self.game, stones, turn))

    def _read_move(self, player: int, text: str) -> None:
        if text in ("", "tt", "pass") and self.position.is_over and not self.game.gtp.reopens:
            return  # programs that referee a match wait for two passes
        move = _move(self.game, text)
        if self._may_turn and player != self.position.turn:
            self.begin(Position.from_stones(self.game, self.position.stones, player))
        self._may_turn = False
        self.play(player, move)


def check_root(game: Game, root: Properties) -> None:
    for name in ("GM", "SZ"):
        wanted = game.sgf_root[name]
        if name in root and _text(root[name][0]).lower() != wanted.lower():
            raise UsageError(
                f"the SGF file has {name}[{_text(root[name][0])}]; "
                f"for {game.name} it must be {name}[{wanted}]"
            )


def _escaped(text: str) -> bytes:
    return text.replace("\\", "\\\\").replace("]", "\\]").encode()


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace").strip()


def _colour(game: Game, player: int) -> str:
    return game.colours[player]


def _player(game: Game, colour: str) -> int:
    return game.colours.index(colour)


def _point(game: Game, code: int) -> bytes:
    return (game.sgf_points or game.move_names)[code].encode()


def _move(game: Game, text: str) -> int:
    names = game.sgf_points or game.move_names
    if text == "tt" and game.pass_move is not None and "tt" not in names:
        text = ""
    for code, name in enumerate(names):
        if name.lower() == text.lower() and (name or game.move_names[code]):
            return code
    if text == SWAP and "swap" in game.options:
        swapping = game.with_options(swap=True).name
        raise UsageError(f"the SGF file has a swap, which {game.name} has not; try {swapping}")
    raise UsageError(f"the SGF file has the point [{text}], which {game.name} does not have")


def _cells(game: Game, text: str) -> Iterator[int]:
    """The cell of a point, or the cells of a rectangle that is written as two corners."""
    rows = game.diagram.rows if game.diagram else ()
    first, _, last = text.partition(":")
    corners = [_move(game, first), _move(game, last or first)]
    places = [
        (y, row.index(corner)) for corner in corners for y, row in enumerate(rows) if corner in row
    ]
    if len(places) != 2:
        raise UsageError(f"the SGF file places a stone, but the point [{text}] is not a cell")
    (y0, x0), (y1, x1) = places
    for row in rows[min(y0, y1) : max(y0, y1) + 1]:
        yield from row[min(x0, x1) : max(x0, x1) + 1]
