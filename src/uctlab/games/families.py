"""The games that ship with uctlab, as data: what a listing needs without loading them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """A game of any size; tests compare this with the function `make` of its module."""

    module: str
    usage: str
    """How it is written with all its defaults."""
    about: str


FAMILIES = {
    "othello": Family("uctlab.games.othello", "othello", "Othello on 8x8."),
    "hex": Family(
        "uctlab.games.hex",
        "hex:11,swap=off",
        "Hex; with swap=on the second player may take over the first stone, mirrored.",
    ),
    "havannah": Family(
        "uctlab.games.havannah",
        "havannah:8,swap=off",
        "Havannah, cells per side; with swap=on the second player may take over the first stone.",
    ),
    "go": Family(
        "uctlab.games.go",
        "go:9,komi=7.5",
        "Go, area scoring; komi is what White gets for moving second.",
    ),
    "kalah": Family(
        "uctlab.games.kalah",
        "kalah:6,seeds=4",
        "Kalah, a mancala game, with that many houses on each side and seeds in each house.",
    ),
    "deceptive": Family(
        "uctlab.games.deceptive",
        "deceptive:2,depth=1",
        "A tiny tree in which one move looks better, by that many winning leaves, and loses.",
    ),
}
