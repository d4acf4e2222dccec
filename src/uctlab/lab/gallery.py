"""The papers' cases, each as a duel with what to look at and what it means."""

from __future__ import annotations

from typing import Any

from uctlab.games import make_game
from uctlab.papers.browne2013 import PAPERS
from uctlab.papers.browne2013_go import GAME as GO_GAME
from uctlab.papers.browne2013_go import POSITION as GO_POSITION

HEX_PLAYOUTS = 16_000
GO_PLAYOUTS = 10_000
# One difference, RAVE. The paper's pair, the agent `fuego` with RAVE and without, is no example:
# both of ours play B2 at every budget that was tried, from 300 to 10,000.
GO_PLAIN = "uct(c=0,fpu=1,playout=heavy)"
GO_RAVE = "uct(c=0,fpu=1,playout=heavy,rave=k,rave_k=3000)"
# Text is three sentences: what is there, what to look at, what it means.
GALLERY: tuple[dict[str, Any], ...] = (
    {
        "id": "deceptive",
        "title": "The tree that deceives",
        "source": "hashimoto2012, Fig. 1",
        "text": (
            "Two of the three leaves below B are won for the player to move and only one of two "
            "below C, but the opponent moves at B and has the third leaf, F, while at C there is "
            "no choice and H wins. "
            "Step playout by playout and watch the value of B: it starts near 2/3 and falls as "
            "the search sees that every sensible opponent answers F, and after a dozen playouts "
            "the choice goes over from B to C. "
            "Random games say what happens when nobody knows better, and a tree search is needed "
            "to learn what happens when the opponent does; the time until it turns is the time "
            "that it is deceived."
        ),
        "position": {"game": "deceptive:2", "start": None, "moves": []},
        "agents": ["uct", "auct(k=1)"],
        "names": ["UCT", "Accelerated UCT"],
        "playouts": 60,
        "paused": True,
    },
    {
        "id": "deceptive-deep",
        "title": "The same tree, four times as deep",
        "source": "after hashimoto2012, Fig. 1",
        "text": (
            "Here the opponent must find F, and the player H, four times in a row before B is "
            "seen to lose and C to win. "
            "Watch the chart of values: plain UCT trusts B for some 400 playouts, because its "
            "value is a mean over all the early ones in which the refutation was not known yet, "
            "while Accelerated UCT goes over to C after some 270. "
            "Accelerated UCT weighs an answer by how often it is tried lately, its velocity, so "
            "that an old mistake is outweighed sooner."
        ),
        "position": {"game": "deceptive:2,depth=4", "start": None, "moves": []},
        "agents": ["uct", "auct(k=1)"],
        "names": ["UCT", "Accelerated UCT"],
        "playouts": 1000,
        "paused": False,
    },
    {
        "id": "browne2013",
        "title": "A problem case in Hex",
        "source": "browne2013",
        "text": (
            "Black is to move, joins the top with the bottom, and only the cell e wins; b and d "
            "look natural and lose. "
            "Watch where the visits gather: plain UCT mostly settles on b or d (in 50 of 60 "
            "searches) and still plays there after 16,000 playouts, while UCT with RAVE, and with "
            "playouts that answer an attack on a bridge, goes to e. "
            "A random game does not keep two cells joined that a player would never let be cut, "
            "so that its results point the wrong way, and more of them do not help for a long "
            "time; a little knowledge does."
        ),
        "position": {"game": "hex:5", "start": {"name": "browne2013"}, "moves": []},
        "agents": [PAPERS["UCT"][0], PAPERS["UCT_rh"][0]],
        "names": ["UCT", "UCT_rh"],
        "playouts": HEX_PLAYOUTS,
        "paused": False,
    },
    {
        "id": "browne2013-go",
        "title": "Where RAVE fails in Go",
        "source": "browne2013, section IV",
        "text": (
            "White is to move and must play B2 at once, which makes a second eye; after Black A5 "
            "nobody can play there any more and the corner is a seki. "
            "Neither search explores (c = 0), and they differ in RAVE alone: of 12 searches each "
            "with other seeds, those with RAVE, on the left, chose B2 in 5 and those without in "
            "11, and on the board one sees the visits of the left one gather elsewhere. "
            "RAVE judges a move by the games in which it came at any later time, while B2 must "
            "come now; it is not lost for good, since with some exploration (c = 0.3), or with "
            "Fuego's weights and priors, our searches with RAVE found B2 as well."
        ),
        "position": {
            "game": make_game(GO_GAME).name,
            "start": {"diagram": GO_POSITION.strip("\n")},
            "moves": [],
        },
        "agents": [GO_RAVE, GO_PLAIN],
        "names": ["with RAVE", "without RAVE"],
        "playouts": GO_PLAYOUTS,
        "paused": False,
    },
)
