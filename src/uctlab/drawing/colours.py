"""Colours of the boards. Each board has its own ground, so that it looks right on any page."""

from __future__ import annotations

from dataclasses import dataclass

from uctlab.games.api import Game

INK, PAPER = "#16191c", "#ffffff"
AMBER = "#e8901a"
"""Marks the shape that won."""


@dataclass(frozen=True, kw_only=True)
class Colours:
    panel: str
    """The ground around the cells."""
    panel_line: str
    label: str
    """Coordinates and the line below the board."""
    cell: str
    line: str
    heat: str
    ink: str = INK
    """Text on a cell."""
    ink_on_heat: str = PAPER
    """Text on the strongest heat."""


FELT = Colours(
    panel="#24473a",
    panel_line="#1a352b",
    label="#d3e4da",
    cell="#57a07b",
    line="#2f6d50",
    heat="#ffd23f",
    ink_on_heat=INK,
)
WOOD = Colours(
    panel="#e6c487",
    panel_line="#c49f5f",
    label="#5b4522",
    cell="#e6c487",
    line="#6f5730",
    heat="#7326b8",
)
SLATE = Colours(
    panel="#c6cfd9",
    panel_line="#aab5c1",
    label="#39434d",
    cell="#e2e8ee",
    line="#a3afbb",
    heat="#2459c8",
)


@dataclass(frozen=True)
class StoneColour:
    fill: str
    line: str
    ink: str
    """Text on a stone."""


BLACK = StoneColour("#22262b", "#0d0f12", PAPER)
WHITE = StoneColour("#fdfdfb", "#7d858e", INK)


def stone_colour(game: Game, player: int) -> StoneColour:
    """Of a player's stones, 0 or 1: as the player is named, so that Havannah's first is white."""
    name = game.players[player].lower()
    return {"black": BLACK, "white": WHITE}.get(name, (BLACK, WHITE)[player])
