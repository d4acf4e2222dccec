"""Games of Othello from databases: WTHOR of the French federation, GGF of the Generic Game Server.

A game is the list of its moves. Forced passes are left out in WTHOR and put in here; GGF has them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from uctlab.errors import UsageError
from uctlab.games.position import Position
from uctlab.games.registry import make_game

HEADER = struct.Struct("<4BIHHBBBB")  # date, games, players, year, size, kind, depth, nothing
RECORD = struct.Struct("<HHHBB60s")  # tournament, players, score, best score, moves
START = "---------------------------O*------*O---------------------------"
PROPERTY = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")


@dataclass(frozen=True)
class FileGame:
    """One game of a file."""

    moves: tuple[str, ...]
    black: str = ""
    white: str = ""
    result: str = ""
    """Discs of Black and of White, or what the file says: B+12, W+Resign, +12:r."""

    @property
    def resigned(self) -> bool:
        return bool(re.search(r"[+:]R(esign)?$", self.result, re.IGNORECASE))

    def score_of(self, colour: str) -> float | None:
        """The result for B or W: 1, 0.5 or 0; None if the file has none."""
        black = self._black_ahead()
        if black is None:
            return None
        return 0.5 + (black if colour == "B" else -black) / 2

    def _black_ahead(self) -> int | None:
        """1 if Black has won, -1 if White has, 0 for a draw."""
        text = self.result.strip().upper()
        if text in ("0", "DRAW", "B", "W"):
            return {"B": 1, "W": -1}.get(text, 0)
        if match := re.match(r"([BW])\+", text):
            return 1 if match[1] == "B" else -1
        if match := re.fullmatch(r"(\d+)-(\d+)", text):
            ahead = float(match[1]) - float(match[2])
        elif match := re.match(r"[+-]\d+(\.\d+)?", text):
            ahead = float(match[0])
        else:
            return None
        return (ahead > 0) - (ahead < 0)


def read_wthor(data: bytes) -> list[FileGame]:
    """The games of a .wtb file; players are numbers, since their names are in another file."""
    if len(data) < HEADER.size:
        raise UsageError("this is not a WTHOR file: it is too short")
    _, _, _, _, games, _, _, size, *_ = HEADER.unpack_from(data)
    if len(data) < HEADER.size + games * RECORD.size or size not in (0, 8):
        raise UsageError(f"this is not a WTHOR file of {games:,} games on 8x8")
    found = []
    for number in range(games):
        _, black, white, discs, _, codes = RECORD.unpack_from(
            data, HEADER.size + number * RECORD.size
        )
        cells = [_wthor_cell(code, number) for code in codes.rstrip(b"\0")]
        moves = _with_passes(cells, f"game {number + 1} of the WTHOR file")
        found.append(FileGame(moves, f"#{black}", f"#{white}", f"{discs}-{64 - discs}"))
    return found


def _wthor_cell(code: int, number: int) -> str:
    """56 is f5: ten times the row, and the column."""
    row, column = divmod(code, 10)
    if not (1 <= row <= 8 and 1 <= column <= 8):
        raise UsageError(f"game {number + 1} of the WTHOR file has the move {code}")
    return f"{'abcdefgh'[column - 1]}{row}"


def read_ggf(text: str) -> tuple[list[FileGame], int]:
    """The games of Othello on 8x8 that begin at the usual start, and how many others there are.

    The server marks games in which fewer discs win by an `a` in their type.
    """
    found: list[FileGame] = []
    others = 0
    for game in _ggf_games(text):
        facts = dict(game[::-1])  # of several values the first one counts
        board = "".join(facts.get("BO", "").split())  # rows may be apart
        othello = facts.get("GM", "").lower() == "othello" and "a" not in facts.get("TY", "")
        if not othello or board not in ("", f"8{START}*"):
            others += 1
            continue
        names = [value.partition("/")[0].lower() for key, value in game if key in ("B", "W")]
        cells = [name for name in names if not name.startswith("pa")]
        moves = _with_passes(cells, f"game {len(found) + others + 1} of the GGF file")
        found.append(FileGame(moves, facts.get("PB", ""), facts.get("PW", ""), facts.get("RE", "")))
    if not found and not others:
        raise UsageError("this is not a GGF file: no game begins with (;GM[")
    return found, others


def _ggf_games(text: str) -> Iterator[list[tuple[str, str]]]:
    for part in re.findall(r"\(;(.*?);\)", text, re.DOTALL):
        yield PROPERTY.findall(part)


def _with_passes(cells: list[str], what: str) -> tuple[str, ...]:
    """The moves, with the passes that the rules force."""
    position = Position.start(make_game("othello").interpreted())
    try:
        for cell in cells:
            if position.legal_moves == ["pass"]:
                position = position.play("pass")
            position = position.play(cell)
    except UsageError as mistake:
        raise UsageError(f"{what}: {mistake}") from None
    return tuple(position.game.move_name(move) for move in position.moves)
