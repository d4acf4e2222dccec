"""uctlab: a laboratory for Monte-Carlo tree search in two-player games.

    import uctlab

    report = uctlab.search("hex:7", "auct(k=3)", playouts=20_000, seed=1)
    print(report)                                         # the moves, their visits and values
    result = uctlab.match("hex:7", "auct(k=3)", "uct", games=100, playouts=1000)
    print(result)                                         # the score with its interval

Games and positions
    make_game, Game, Position, Diagram, board_svg, solve, Solution, perft, check
Agents and searches
    make_agent, Agent, search, SearchReport, MoveReport, Searcher, LiveSearch, History, GrownTree,
    Node
Matches and experiments
    match, tournament, sweep, tune, reproduce, MatchResult, TournamentResult, SweepResult,
    TuneResult, Score, Report, Sprt
Games and rules of your own
    kernel, hole, and for playouts below, next_u64, scaled; for bits popcount, low_bit, nth_bit,
    leading_zeros
Mistakes
    UsageError, with one line that says what is accepted

Everything is given by name ("hex:7", "auct(k=3)") or as an object. `uctlab.integrations` has
bridges to other libraries.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uctlab.agents import Agent, make_agent
    from uctlab.api.matches import match, sweep, tournament
    from uctlab.api.reproductions import reproduce
    from uctlab.api.searching import check, perft, search
    from uctlab.api.tuning import tune
    from uctlab.arena.result import MatchResult
    from uctlab.arena.sprt import Sprt
    from uctlab.arena.statistics import Score
    from uctlab.arena.sweep import SweepResult
    from uctlab.arena.tournament import TournamentResult
    from uctlab.arena.tuning import TuneResult
    from uctlab.drawing import board_svg
    from uctlab.errors import UsageError
    from uctlab.games import Diagram, Game, Position, make_game
    from uctlab.games.solve import Solution, solve
    from uctlab.kernels import (
        below,
        hole,
        kernel,
        leading_zeros,
        low_bit,
        next_u64,
        nth_bit,
        popcount,
        scaled,
    )
    from uctlab.mcts.grown import GrownTree, Node
    from uctlab.mcts.history import History
    from uctlab.mcts.live import LiveSearch
    from uctlab.mcts.report import MoveReport, SearchReport
    from uctlab.mcts.searcher import Searcher
    from uctlab.papers.report import Report

__version__ = "0.2.0"

__all__ = [
    "Agent",
    "Diagram",
    "Game",
    "GrownTree",
    "History",
    "LiveSearch",
    "MatchResult",
    "MoveReport",
    "Node",
    "Position",
    "Report",
    "Score",
    "SearchReport",
    "Searcher",
    "Solution",
    "Sprt",
    "SweepResult",
    "TournamentResult",
    "TuneResult",
    "UsageError",
    "below",
    "board_svg",
    "check",
    "hole",
    "kernel",
    "leading_zeros",
    "low_bit",
    "make_agent",
    "make_game",
    "match",
    "next_u64",
    "nth_bit",
    "perft",
    "popcount",
    "reproduce",
    "scaled",
    "search",
    "solve",
    "sweep",
    "tournament",
    "tune",
]

# Where each name lives. They are loaded when they are first used: Numba takes a second to load.
_PLACES = {
    "uctlab.agents": ("Agent", "make_agent"),
    "uctlab.api.matches": ("match", "sweep", "tournament"),
    "uctlab.api.reproductions": ("reproduce",),
    "uctlab.api.searching": ("check", "perft", "search"),
    "uctlab.api.tuning": ("tune",),
    "uctlab.arena.result": ("MatchResult",),
    "uctlab.arena.sweep": ("SweepResult",),
    "uctlab.arena.tournament": ("TournamentResult",),
    "uctlab.arena.tuning": ("TuneResult",),
    "uctlab.arena.sprt": ("Sprt",),
    "uctlab.arena.statistics": ("Score",),
    "uctlab.drawing": ("board_svg",),
    "uctlab.errors": ("UsageError",),
    "uctlab.games": ("Diagram", "Game", "Position", "make_game"),
    "uctlab.games.solve": ("Solution", "solve"),
    "uctlab.kernels": (
        *("below", "hole", "kernel", "leading_zeros", "low_bit"),
        *("next_u64", "nth_bit", "popcount", "scaled"),
    ),
    "uctlab.mcts.grown": ("GrownTree", "Node"),
    "uctlab.mcts.history": ("History",),
    "uctlab.mcts.live": ("LiveSearch",),
    "uctlab.mcts.report": ("MoveReport", "SearchReport"),
    "uctlab.mcts.searcher": ("Searcher",),
    "uctlab.papers.report": ("Report",),
}
_PLACE = {name: place for place, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _PLACE:
        raise AttributeError(f"module 'uctlab' has no attribute '{name}'")
    module = importlib.import_module(_PLACE[name])
    globals()[name] = found = getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
