"""What the gallery offers: a game to play at once, and cases from the papers, each with two agents
and an explanation."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from uctlab.drawing import board_svg
from uctlab.drawing.colours import BLACK, INK, SLATE, WHITE, WOOD
from uctlab.drawing.trees import ENDS
from uctlab.games import make_game
from uctlab.games.named import letters_of
from uctlab.lab.positions import start_position
from uctlab.papers.browne2013 import LETTERS, PAPERS, WINNING
from uctlab.papers.browne2013_go import GAME as GO_GAME
from uctlab.papers.browne2013_go import POSITION as GO_POSITION
from uctlab.papers.browne2013_go import RIGHT as GO_RIGHT

HEX_PLAYOUTS = 16_000
GO_PLAYOUTS = 10_000
GO_PLAIN = "fuego(knowledge=rules,rave=off,c=0.7)"
GO_RAVE = "fuego(knowledge=rules)"
DECEPTIVE_RIGHT = "C"  # of the deceptive tree, at its root
PLAY: dict[str, Any] = {
    "game": "othello",
    "playouts": 20_000,
    "text": "You are Black in Othello, against Accelerated UCT.",
}
"""The game behind the gallery's first button: the one that the page opens with, which is compiled
first."""
# The card has one sentence. The view that opens tells the text, which has three: what the position
# is, what to watch, what it means. `right` is the right move in the position.
GALLERY: tuple[dict[str, Any], ...] = (
    {
        "id": "deceptive",
        "title": "The deceptive tree",
        "source": "hashimoto2012, Fig. 1",
        "card": (
            "B does better in random games but loses, and C wins: see at which playout UCT and "
            "Accelerated UCT turn from B to C."
        ),
        "right": DECEPTIVE_RIGHT,
        "text": (
            "Two of the three leaves below B are wins for the player to move and only one of two "
            "below C, but at B the opponent moves and picks the third leaf, F, while at C the "
            "opponent has no choice and H wins. "
            "Step playout by playout and watch the value of B: from 1 over 1/2 and 2/3 it comes to "
            "3/4 and then falls, as the search learns that every sensible opponent answers F; UCT "
            "changes from B to C at playout 18, Accelerated UCT at 16. "
            "Random games show what happens when nobody knows better, and only the tree search "
            "learns what happens when the opponent does; until then the search is deceived."
        ),
        "position": {"game": "deceptive:2", "start": None, "moves": []},
        "agents": ["uct", "auct(k=1)"],
        "names": ["UCT", "Accelerated UCT"],
        "playouts": 60,
        "seed": 3,
        "paused": True,
    },
    {
        "id": "deceptive-deep",
        "title": "The same tree, four times as deep",
        "source": "after hashimoto2012, Fig. 1",
        "card": (
            "The opponent must find the refutation of B four times in a row: UCT trusts B for "
            "about 400 playouts, Accelerated UCT for about 270."
        ),
        "right": DECEPTIVE_RIGHT,
        "text": (
            "Here the opponent must find F, and the player H, four times in a row before B is "
            "seen to lose and C to win. "
            "Watch the chart of values: plain UCT trusts B for about 400 playouts, because its "
            "value is a mean that includes all the early playouts in which the refutation was "
            "unknown, while Accelerated UCT switches to C after about 270. "
            "Accelerated UCT weights a move by how often it was chosen recently, its velocity, so "
            "that old mistakes are forgotten sooner."
        ),
        "position": {"game": "deceptive:2,depth=4", "start": None, "moves": []},
        "agents": ["uct", "auct(k=1)"],
        "names": ["UCT", "Accelerated UCT"],
        "playouts": 1000,
        "seed": 0,
        "paused": False,
    },
    {
        "id": "browne2013",
        "title": "A problem case in Hex",
        "source": "browne2013",
        "card": (
            "Only the cell e wins, but UCT mostly settles on b or d; with RAVE and with playouts "
            "that defend bridges it finds e."
        ),
        "right": next(cell for cell, letter in LETTERS.items() if letter == WINNING),
        "text": (
            "Black, who connects top and bottom, is to move, and only the cell e wins; b and d "
            "look natural but lose. Watch where the visits go: plain UCT mostly settles on b or d "
            "(in 158 of 200 searches) and still plays there after 16,000 playouts, while UCT with "
            "RAVE and with playouts that answer an attack on a bridge finds e. Random games cut "
            "connections that no player would allow to be cut, so that their results are "
            "misleading, and for a long time more playouts do not help; a little knowledge does."
        ),
        "position": {"game": "hex:5", "start": {"name": "browne2013"}, "moves": []},
        "agents": [PAPERS["UCT"][0], PAPERS["UCT_rh"][0]],
        "names": ["UCT", "UCT_rh"],
        "playouts": HEX_PLAYOUTS,
        "seed": 0,
        "paused": False,
    },
    {
        "id": "browne2013-go",
        "title": "Where RAVE fails in Go",
        "source": "browne2013, section IV",
        "card": (
            "White must play B2 at once: of 8 searches each, none with RAVE chose it, and all "
            "without RAVE did."
        ),
        "right": GO_RIGHT,
        "text": (
            "White is to move and must play B2 at once, which makes a second eye; after Black A5 "
            "neither side can play there, and the corner is a seki. "
            "The searches are Fuego's, with RAVE on the left and with exploration instead on the "
            "right: of 8 searches each, with different seeds, none on the left chose B2 and all on "
            "the right did, and the board shows the visits of the left search going elsewhere. "
            "RAVE judges a move by all games in which it was played at any later time, while B2 "
            "must be played now; with 50,000 playouts searches with RAVE begin to find it."
        ),
        "position": {
            "game": make_game(GO_GAME).name,
            "start": {"diagram": GO_POSITION.strip("\n")},
            "moves": [],
        },
        "agents": [GO_RAVE, GO_PLAIN],
        "names": ["Fuego with RAVE", "Fuego without RAVE"],
        "playouts": GO_PLAYOUTS,
        "seed": 0,
        "paused": False,
    },
)


NIGHT = {
    **{SLATE.panel: "#262c33", SLATE.panel_line: "#3a424b", SLATE.label: "#a3adb8"},
    **{SLATE.cell: "#39424b", SLATE.line: "#5d6874"},
    **{WOOD.panel: "#6b5a3a", WOOD.panel_line: "#4d4028", WOOD.label: "#e0d0a8"},
    WOOD.line: "#2f2818",
    **{BLACK.fill: "#0b0d0f", BLACK.line: "#6b747e"},
    **{WHITE.fill: "#e9ecef", WHITE.line: "#e9ecef"},
    **{ENDS["won"][0]: "#b5d9c3", ENDS["won"][1]: "#6cc796"},
    **{ENDS["lost"][0]: "#ecc0bc", ENDS["lost"][1]: "#f08b84"},
}
"""What replaces the colours of a board on a dark page."""


@lru_cache
def thumbnail(case: str, night: bool = False) -> str | None:
    """The board of a case as SVG, for a light or a dark page; None if there is no such case.

    Interpreted, since the server compiles nothing; a board takes at most a fifth of a second.
    """
    for shown in GALLERY:
        if shown["id"] == case:
            game = make_game(shown["position"]["game"]).interpreted()
            position = start_position(game, shown["position"]["start"]).play_all(
                " ".join(shown["position"]["moves"])
            )
            picture = board_svg(position, marks=letters_of(position))
            return _darkened(picture, game.family) if night else picture
    return None


def _darkened(picture: str, family: str) -> str:
    # The names in a tree are on light nodes, the letters of the other boards on dark cells.
    colours = NIGHT if family == "deceptive" else {**NIGHT, INK: "#f1f3f5"}
    return re.sub("#[0-9a-f]{6}", lambda found: colours.get(found[0], found[0]), picture)
