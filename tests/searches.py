"""Searches as several test files make them, and what is looked at in their trees."""

from pathlib import Path

import numpy as np
import pytest

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts import binding
from uctlab.mcts.searcher import Searcher
from uctlab.parts import layout
from uctlab.parts.listing import active_parts
from uctlab.parts.part import Part, Setting

CONNECT_FOUR = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
GAMES = ["othello", "hex:4", "havannah:3", "go:4", CONNECT_FOUR]
RAVE_AGENTS = ["uct(rave=fuego)", "uct(rave=k)"]
AGENTS = ["uct", "auct(k=3)", "duct(k=5)", "tuned", *RAVE_AGENTS, "dfuct", "mc", "ucb"]
FLAT = ("mc", "ucb")
# What is true of any tree is looked at in these. Each pair is compiled: all agents play Hex, and
# each of them one more game at most.
SOME = {
    "othello": ("uct", "auct(k=3)", "duct(k=5)", "dfuct", "mc"),
    "havannah:3": ("uct", "uct(rave=fuego)"),
    "go:4": ("uct", "tuned", "uct(rave=fuego)", "uct(rave=k)", "dfuct", "mc"),
    CONNECT_FOUR: ("uct", "uct(rave=fuego)"),
}
PAIRS = [(spec, agent) for spec in GAMES for agent in SOME.get(spec, AGENTS)]


def start(spec):
    return Position.start(make_game(spec))


def searcher_of(spec, agent="uct", **options):
    return Searcher(make_game(spec), make_agent(agent), **options)


def grown(spec, agent, playouts, seed=0, **options):
    """A searcher and its report after one search from the start."""
    searcher = searcher_of(spec, agent, seed=seed, **options)
    return searcher, searcher.search(start(spec), playouts=playouts)


def searched(agent, playouts=300, spec=CONNECT_FOUR, seed=1):
    game = make_game(spec)
    agent = make_agent(agent) if isinstance(agent, str) else agent
    searcher = Searcher(game, agent, seed=seed)
    return searcher, searcher.search(Position.start(game), playouts=playouts)


def used_nodes(searcher):
    return np.asarray(searcher.tree.nodes[: searcher.tree.counters[layout.USED]]).view(
        searcher.tree.node_type
    )


def same_tree(one, other):
    return np.array_equal(used_nodes(one), used_nodes(other))


def root_moves(searcher):
    first, count = int(searcher.tree.nodes[0].first), int(searcher.tree.nodes[0].count)
    return [int(move) for move in searcher.tree.nodes[first : first + count].move]


def by_name(report):
    return {move.move: move for move in report.moves}


def leave_out(patch: pytest.MonkeyPatch, *names: str) -> None:
    """Let searches do without parts that only change their speed."""

    def others(setting: Setting) -> tuple[Part, ...]:
        return tuple(part for part in active_parts(setting) if part.name not in names)

    patch.setattr(binding, "active_parts", others)
