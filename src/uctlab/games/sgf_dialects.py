"""How programs and servers write SGF in games for which the standard says little.

| who | what is different |
| --- | --- |
| HexGui | moves `resign`, `forfeit`, `swap-sides`; up to 0.9 `swap-pieces` means the latter |
| Little Golem | cells are two letters, column and row; `swap`, `resign`; White may move first |
| GoGui | every game is Go on a grid: no GM, cells as in Go; twogtp puts programs' commands into C |
| Edax | cells of Othello by their names, as `f5`, and a pass as `pa` |
| Fox and others | komi in hundredths, as `KM[650]`; in stones of area, each two points: `KM[375]` |

After `swap-sides` stones stay where they are and the players change chairs, so that the board is
the same: it is left out. What comes behind a resignation is no part of the game.
"""

from __future__ import annotations

import re
from string import ascii_lowercase

from uctlab.errors import UsageError
from uctlab.games.api import Game

Properties = dict[str, list[bytes]]

SWAP = "swap-pieces"
_OTHER = {"B": "W", "W": "B"}
_OVER = ("resign", "forfeit")
_HUNDREDTHS = 100.0  # a komi from which on other programs mean hundredths
_OLD_HEXGUI = re.compile(r"HexGui:0\.[0-9](\D.*)?")


def translated(game: Game, nodes: list[Properties]) -> list[Properties]:
    """The same game as we would write it."""
    root = {name: _text(values[0]) for name, values in nodes[0].items()}
    told = []
    for node in nodes:
        moves = {name: _text(node[name][0]).lower() for name in ("B", "W") if name in node}
        if set(moves.values()) & set(_OVER):
            break
        told.append(dict(node))
        for colour, value in moves.items():
            told[-1][colour] = [_move(game, root, value).encode()]
            if value == "swap-sides" or (value == SWAP and _is_old_hexgui(root)):
                del told[-1][colour]
        for name in ("AB", "AW", "AE"):
            if name in node:
                points = [_text(value).lower() for value in node[name]]
                told[-1][name] = [_move(game, root, point).encode() for point in points]
    if root.get("AP", "").lower().startswith("gogui"):
        told[0].pop("SZ", None)  # that of the grid
        if root.get("GM") == "1":
            del told[0]["GM"]
    for name in ("AP", "SO"):
        told[0].pop(name, None)  # now it is a file of ours
    return _exchanged(told) if _is_little_golem(root) and _begins_late(game, told) else told


def family_of(root: dict[str, str]) -> str:
    """The game that a file of Little Golem is of, which has no GM; empty if it does not tell."""
    event = root.get("EV", "").lower()
    return event.partition(".")[0] if _is_little_golem(root) else ""


def komi_of(root: Properties) -> float | None:
    """The komi of a file in points; None if it tells none.

    KM[375] is 3.75 stones of area, which other programs also write as KM[3.75]: 7.5 points.
    """
    text = _text(root.get("KM", [b""])[0])
    if not text:
        return None
    try:
        komi = float(text)
    except ValueError:
        raise UsageError(f"the SGF file has KM[{text[:20]}]; accepted: a number") from None
    if _text(root.get("AP", [b""])[0]).startswith("uctlab:"):
        return komi
    if abs(komi) >= _HUNDREDTHS:
        komi /= _HUNDREDTHS
    in_stones = (4 * komi).is_integer() and not (2 * komi).is_integer()
    return 2 * komi if in_stones else komi


def has_swap(nodes: list[Properties]) -> bool:
    """Whether somebody takes over the first stone, mirrored."""
    root = {name: _text(values[0]) for name, values in nodes[0].items()}
    values = {_text(node[name][0]).lower() for node in nodes for name in ("B", "W") if name in node}
    return "swap" in values or (SWAP in values and not _is_old_hexgui(root))


def _move(game: Game, root: dict[str, str], value: str) -> str:
    """A move as our own files name it."""
    if value == "swap":
        return SWAP
    if value in ("pa", "pass") and game.pass_move is not None and value not in game.sgf_points:
        return (game.sgf_points or game.move_names)[game.pass_move]
    if game.sgf_points and value and value in game.move_names:
        return game.sgf_points[game.move_names.index(value)]
    if game.gtp.rules_known or not re.fullmatch("[a-z]{2}", value):
        return value
    column, row = value[0], ascii_lowercase.index(value[1]) + 1
    gogui = root.get("AP", "").lower().startswith("gogui")
    if game.sgf_points:
        # GoGui counts rows from the bottom and writes them from the top.
        height = 1 + max((ascii_lowercase.find(p[1:]) for p in game.sgf_points if p), default=0)
        return column + ascii_lowercase[height - row] if gogui else value
    if gogui and "--no-hexagons" in root.get("C", "") and root.get("SZ", "").isdecimal():
        row = int(root["SZ"]) + 1 - row  # rows were counted from the bottom there
    return f"{column}{row}"


def _begins_late(game: Game, nodes: list[Properties]) -> bool:
    """Whether the first move is of the colour that moves second in our game."""
    first = next((name for node in nodes for name in ("B", "W") if name in node), game.colours[0])
    return first != game.colours[0]


def _exchanged(nodes: list[Properties]) -> list[Properties]:
    """With the colours of moves exchanged; in these files PB, PW and RE are right as they are."""
    return [{_OTHER.get(name, name): values for name, values in node.items()} for node in nodes]


def _is_little_golem(root: dict[str, str]) -> bool:
    return "littlegolem" in root.get("SO", "").lower()


def _is_old_hexgui(root: dict[str, str]) -> bool:
    return _OLD_HEXGUI.fullmatch(root.get("AP", "")) is not None


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace").strip()
