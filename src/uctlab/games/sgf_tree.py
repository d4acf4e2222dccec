"""SGF files with their variations, names and comments, as a list of nodes; read and written.

A node is a move. What a file says besides moves and set-up stones is kept as text and written back.
What cannot be kept, such as a variation that places stones, is told.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from sgfmill import sgf_grammar

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.position import Position
from uctlab.games.sgf import (
    SET_UP,
    SgfReader,
    check_root,
    move_property,
    result_text,
    root_properties,
)
from uctlab.games.sgf_dialects import Properties, translated

Texts = dict[str, list[str]]
PLACED = SET_UP - {"PL"}
# Written anew, from the game and its moves.
OURS = SET_UP | {"B", "W", "FF", "GM", "SZ", "CA", "AP", "KM"}


@dataclass(frozen=True)
class SgfNode:
    """A position of a game: the move that leads to it and what the file says about it."""

    parent: int
    """Index of the node before; -1 for the root, which is the first."""
    move: str
    """Empty at the root."""
    properties: Texts = field(default_factory=dict)


@dataclass
class SgfTree:
    """A whole file."""

    end: Position
    """The last position of the main line."""
    nodes: list[SgfNode]
    left_out: list[str]
    """What could not be kept, in words."""


@dataclass
class _Branch:
    """A part of the file that waits to be read."""

    tree: sgf_grammar.Coarse_game_tree
    reader: SgfReader
    at: int
    """The node after which it goes on."""
    main: bool
    start: int
    """How often stones had been placed anew on the main line."""


def read_sgf_tree(game: Game, data: bytes, *, most: int) -> SgfTree:
    """All variations of a file, with at most that many moves in total."""
    if not game.sgf_root:
        raise UsageError(f"{game.name} has no SGF files")
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise UsageError(f"this is not an SGF file: {error}") from None
    check_root(game, translated(game, tree.sequence)[0])
    return _Walk(game, most).read(tree)


class _Walk:
    def __init__(self, game: Game, most: int) -> None:
        self.game = game
        self.most = most
        self.nodes = [SgfNode(-1, "")]
        self.left_out: list[str] = []
        self.starts = 0
        self.end = Position.start(game)
        self.root: Properties = {}

    def read(self, tree: sgf_grammar.Coarse_game_tree) -> SgfTree:
        self.root = tree.sequence[0]
        waiting = [_Branch(tree, SgfReader(self.game), 0, True, 0)]
        while waiting:
            branch = waiting.pop()
            if branch.start != self.starts:
                self._leave_out("a variation from before stones are placed anew")
                continue
            at = self._read_branch(branch)
            if at is None:
                continue
            if branch.main:
                self.end = branch.reader.position
            for i, child in reversed(list(enumerate(branch.tree.children))):
                main = branch.main and i == 0
                waiting.append(_Branch(child, copy.copy(branch.reader), at, main, self.starts))
        return SgfTree(self.end, self.nodes, self.left_out)

    def _read_branch(self, branch: _Branch) -> int | None:
        """The last node of a branch up to its fork; None if it had to be cut off."""
        at = branch.at
        for properties in self._translated(branch.tree.sequence):
            before = branch.reader.position
            if PLACED & set(properties) and not branch.main:
                self._leave_out("a variation that places stones")
                return None
            try:
                branch.reader.read_node(properties)
            except UsageError as mistake:
                if branch.main:
                    raise
                self._leave_out(f"a variation: {mistake}")
                return None
            after = branch.reader.position
            if not _same_start(before.first, after.first):
                if not branch.main:
                    self._leave_out("a variation that begins with the other player")
                    return None
                if before.moves:
                    self._leave_out("the moves before stones are placed anew")
                self.starts += 1
                branch.start = self.starts
                self.nodes = [SgfNode(-1, "", self.nodes[0].properties)]
                at, before = 0, after.first
            for move in after.moves[len(before.moves) :]:
                at = self._node_after(at, self.game.move_name(move))
            _add(self.nodes[at].properties, properties)
        return at

    def _translated(self, line: list[Properties]) -> list[Properties]:
        """A branch as we would write it; the root says whose way of writing it is."""
        if line[0] is self.root:
            return translated(self.game, line)
        return translated(self.game, [self.root, *line])[1:]

    def _node_after(self, parent: int, move: str) -> int:
        for number in range(parent + 1, len(self.nodes)):
            if (self.nodes[number].parent, self.nodes[number].move) == (parent, move):
                return number
        if len(self.nodes) > self.most:
            raise UsageError(f"the file has more than {self.most:,} moves")
        self.nodes.append(SgfNode(parent, move))
        return len(self.nodes) - 1

    def _leave_out(self, what: str) -> None:
        if what not in self.left_out:
            self.left_out.append(what)


def write_sgf_tree(first: Position, nodes: Iterable[SgfNode]) -> bytes:
    """A file with all variations; every move is checked."""
    game = first.game
    positions: list[Position] = []
    trees: list[sgf_grammar.Coarse_game_tree] = []
    main_end = first
    for number, node in enumerate(nodes):
        tree = sgf_grammar.Coarse_game_tree()
        texts = {k: [_raw(v) for v in vs] for k, vs in node.properties.items() if k not in OURS}
        if number == 0:
            tree.sequence = [{**root_properties(first), **texts}]
            positions.append(first)
        else:
            before = positions[node.parent]
            after = before.play(node.move)
            positions.append(after)
            tree.sequence = [{**move_property(game, before.turn, after.last_move), **texts}]
            if not trees[node.parent].children and before is main_end:
                main_end = after
            trees[node.parent].children.append(tree)
        trees.append(tree)
    if main_end.is_over and main_end.result is not None:
        trees[0].sequence[0].setdefault("RE", [result_text(game, main_end.result)])
    for tree in reversed(trees):  # a fork begins a new part, a line does not
        if len(tree.children) == 1:
            tree.sequence += tree.children[0].sequence
            tree.children = tree.children[0].children
    written: bytes = sgf_grammar.serialise_game_tree(trees[0])
    return written


def _add(texts: Texts, properties: Properties) -> None:
    for name, values in properties.items():
        if name not in OURS:
            found = [sgf_grammar.text_value(value).decode("utf-8", "replace") for value in values]
            if name == "C" and name in texts:
                texts[name] = ["\n".join([*texts[name], *found])]
            else:
                texts[name] = found


def _raw(text: str) -> bytes:
    raw: bytes = sgf_grammar.escape_text(text.encode())
    return raw


def _same_start(one: Position, other: Position) -> bool:
    return one is other or (
        one.turn == other.turn and bool(np.array_equal(one.stones, other.stones))
    )
