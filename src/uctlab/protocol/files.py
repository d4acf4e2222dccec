"""Positions and openings from files: diagrams, real games and lines of play.

A position is in a text diagram or, by the ending, in SGF. Openings, from which the games of a match
go on, are in:

| file | what it is |
| --- | --- |
| `.sgf` | one game or several, the main line of each |
| `.wtb`, `.ggf` | databases of Othello |
| any other | text, one line of moves per line; what follows # is a comment |

`games.wtb:8` are the first 8 moves of each game. Lines that come twice count once.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from sgfmill import sgf_grammar

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.named import NAMED, named_position
from uctlab.games.othello_files import FileGame, read_ggf, read_wthor
from uctlab.games.registry import make_game
from uctlab.games.sgf import SgfReader, check_root, read_sgf, sgf_game
from uctlab.games.sgf_dialects import Properties, has_swap, translated
from uctlab.user_files import (
    GAMES,
    POSITION,
    SGF_GAMES,
    decoded,
    read_file,
    read_standard_input,
)


@dataclass(frozen=True)
class GamesFile:
    """The games of a file, all under the same rules."""

    game: Game
    games: list[FileGame]
    left_out: int = 0
    """Games that do not begin at the usual start, or on a board of another size."""


def read_openings(game: Game, name: str) -> tuple[str, ...]:
    """Lines of play, each as the names of its moves, after which the game is not over."""
    path, plies = _split(name)
    lines = []
    for number, found in enumerate(read_games(path, game).games, 1):
        moves = found.moves[:plies]
        position = Position.from_moves(game.interpreted(), moves)
        if position.is_over:
            raise UsageError(
                f"{path}: game {number} is over after {len(moves)} moves; "
                f"for the first 8 moves of each game write {path}:8"
            )
        lines.append(" ".join(moves))
    if not lines:
        raise UsageError(f"{path} has no openings of {game.name}")
    return tuple(dict.fromkeys(lines))


def read_games(path: str, game: Game | None = None) -> GamesFile:
    """The games of a file; `game` is needed for a list of moves, and must be that of the file."""
    kind = Path(path).suffix.lower()
    data = read_file(path, SGF_GAMES if kind == ".sgf" else GAMES)
    if kind in (".wtb", ".ggf") and game is not None and game.family != "othello":
        raise UsageError(f"{path} has games of Othello, not of {game.name}")
    if kind == ".wtb":
        return GamesFile(make_game("othello"), read_wthor(data))
    if kind == ".ggf":  # names of players may be in any encoding
        return GamesFile(make_game("othello"), *read_ggf(data.decode("utf-8-sig", "replace")))
    if kind == ".sgf":
        return _sgf_games(path, data, game)
    if game is None:
        raise UsageError(f"{path}: games are read from .sgf, .wtb and .ggf files")
    return GamesFile(game, _listed(path, decoded(data, path), game))


def _sgf_games(path: str, data: bytes, game: Game | None) -> GamesFile:
    """Collections have games with and without a swap, and on boards of several sizes."""
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
    except ValueError as error:
        raise UsageError(f"{path} is not an SGF file: {error}") from None
    lines = [list(sgf_grammar.main_sequence_iter(tree)) for tree in trees]
    if game is None:
        game = sgf_game(data)
        if "swap" in game.options and any(map(has_swap, lines)):
            game = game.with_options(swap=True)
    rules = game.interpreted()
    found, left_out = [], 0
    for nodes in lines:
        root = translated(rules, nodes)[0]
        if not _fits(rules, root):
            left_out += 1
            continue
        reader = SgfReader(rules)
        reader.read(nodes)
        end, start = reader.position, Position.start(rules)
        if end.first.turn != start.turn or (end.first.stones != start.stones).any():
            left_out += 1
            continue
        facts = [(root.get(key) or [b""])[0].decode("utf-8", "replace") for key in _FACTS]
        moves = tuple(rules.move_name(move) for move in end.moves)
        found.append(FileGame(moves, *facts))
    return GamesFile(game, found, left_out)


def _fits(rules: Game, root: Properties) -> bool:
    """Whether a game was played on such a board."""
    try:
        check_root(rules, root)
    except UsageError:
        return False
    return True


_FACTS = ("PB", "PW", "RE")


def _listed(path: str, text: str, game: Game) -> list[FileGame]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        names = line.partition("#")[0].replace(",", " ").split()
        if not names:
            continue
        try:
            position = Position.from_moves(game.interpreted(), names)
        except UsageError as mistake:
            raise UsageError(f"{path}, line {number}: {mistake}") from None
        moves = tuple(game.move_name(move) for move in position.moves)
        found.append(FileGame(moves))
    return found


def _split(name: str) -> tuple[str, int | None]:
    """The path, and how many moves of each game are wanted."""
    match = re.fullmatch(r"(.+):([0-9]{1,4})", name)
    if match is None or os.path.exists(name):
        return name, None
    return match[1], int(match[2])


def read_position(game: Game, name: str) -> Position:
    """`name` is a named position, a path, or - for a diagram from standard input."""
    if name in NAMED:
        return named_position(game, name)
    if name == "-":
        return Position.from_diagram(game, read_standard_input(POSITION))
    try:
        data = read_file(name, POSITION, "the position")
    except UsageError as mistake:
        if os.path.exists(name):
            raise
        raise UsageError(f"{mistake}; named positions: {', '.join(NAMED)}") from None
    if name.lower().endswith(".sgf"):
        return read_sgf(game, data)
    try:
        text = decoded(data, name)
    except UsageError as mistake:
        raise UsageError(f"{mistake}; SGF files end in .sgf") from None
    return Position.from_diagram(game, text)
