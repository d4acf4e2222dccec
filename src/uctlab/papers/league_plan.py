"""Which games the league plays: entrants, games, budgets and pairings."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from uctlab.agents import make_agent
from uctlab.arena.plan import MatchPlan
from uctlab.errors import UsageError
from uctlab.example_files import example_file
from uctlab.games import make_game
from uctlab.mcts.searcher import make_searcher
from uctlab.papers.experiment import Size
from uctlab.papers.league_agents import ANCHOR, ENTRANTS, Entrant

OPENINGS = {
    "othello": 4,
    "hex:7": 2,
    "hex:11": 2,
    "havannah:5": 2,
    "go:9": 2,
    "connect_four": 2,
    "kalah": 2,
}
"""The games of the league, and how many random moves each begins with."""
SHORT, TIME, LONG, TUNED = "short", "time", "long", "tuning"
BUDGETS = {
    SHORT: "a tenth of the playouts per move",
    TIME: "equal time per move",
    LONG: "all playouts per move",
    TUNED: "the best settings of an equal search for each agent",
}
SHORTER = 10
SECONDS_PER_PLAYOUT = 1e-6  # equal time: 10 ms per move where the longest searches have 10,000
DISTANCES = (1, 3, 9)
"""With all playouts an entrant meets uct, and those that are so far from it in the list."""
PARTS = (*OPENINGS, *BUDGETS, *(entrant.agent for entrant in ENTRANTS))


@dataclass(frozen=True)
class Selection:
    """The part of the league that is played."""

    games: tuple[str, ...]
    budgets: tuple[str, ...]
    entrants: tuple[Entrant, ...]

    @classmethod
    def of(cls, size: Size) -> Selection:
        """Names of games, budgets and agents limit the league each in their own way."""
        games = tuple(name for name in OPENINGS if name in size.only) or tuple(OPENINGS)
        budgets = tuple(name for name in BUDGETS if name in size.only) or tuple(BUDGETS)
        chosen = tuple(e for e in ENTRANTS if e.agent in size.only) or ENTRANTS
        if ANCHOR not in (entrant.agent for entrant in chosen):
            chosen = (ENTRANTS[0], *chosen)  # ratings are differences from it
        if len(chosen) < 2:
            raise UsageError(f"a league needs an agent besides {ANCHOR}")
        return cls(games, budgets, chosen)

    def players(self, game: str) -> list[str]:
        """The agents that can play that game."""
        return [e.agent for e in self.entrants if not reason_against(game, e.agent)]

    def left_out(self) -> dict[str, dict[str, list[str]]]:
        """Agents, why they cannot play, and what."""
        found: dict[str, dict[str, list[str]]] = {}
        for entrant in self.entrants:
            for game in self.games:
                if reason := reason_against(game, entrant.agent):
                    found.setdefault(entrant.agent, {}).setdefault(reason, []).append(game)
        return found


def games_of(size: Size, budget: str) -> int:
    """Games of each pairing with that budget; for the search, of each agent in each game."""
    usual = {
        SHORT: size.repeats,
        TIME: max(2, size.repeats // 2),
        LONG: max(2, size.repeats // 2),
        TUNED: max(28, 16 * size.repeats),
    }
    return dict(size.cells).get(budget, usual[budget])


def seconds_of(size: Size) -> float:
    """Per move, where time is equal."""
    return size.playouts * SECONDS_PER_PLAYOUT


def short_playouts(size: Size) -> int:
    return max(1, size.playouts // SHORTER)


def pairings(players: Sequence[str], budget: str) -> list[tuple[str, str]]:
    """Every pair, or with all playouts some of them."""
    if budget != LONG:
        return list(itertools.combinations(players, 2))
    count = len(players)
    met = {
        frozenset((i, (i + distance) % count)) for i in range(count) for distance in DISTANCES
    } | {frozenset((0, i)) for i in range(1, count)}
    pairs = sorted(tuple(sorted(pair)) for pair in met if len(pair) == 2)
    return [(players[i], players[j]) for i, j in pairs]


def plans(selection: Selection, size: Size, budget: str, seed: int) -> list[MatchPlan]:
    """The matches with that budget; games take turns, so that a cut leaves some of each."""
    by_game = [
        [
            match_plan(game, a, b, size, budget, seed)
            for a, b in pairings(selection.players(game), budget)
        ]
        for game in selection.games
    ]
    rounds = itertools.zip_longest(*by_game)
    return [plan for several in rounds for plan in several if plan is not None]


def match_plan(game: str, a: str, b: str, size: Size, budget: str, seed: int) -> MatchPlan:
    playouts = size.playouts if budget == LONG else short_playouts(size)
    return MatchPlan(
        game_text(game),
        a,
        b,
        playouts=None if budget == TIME else playouts,
        seconds=seconds_of(size) if budget == TIME else None,
        openings=OPENINGS[game],
        seed=seed,
    )


def game_text(game: str) -> str:
    """As plans have it. The path of the example is short where it can be, so that a store serves
    every checkout."""
    if game != "connect_four":
        return make_game(game).name
    path = example_file(game)
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)


@cache
def reason_against(game: str, agent: str) -> str:
    """Why the agent cannot play the game; empty if it can."""
    try:
        make_searcher(make_game(game_text(game)), make_agent(agent))
    except UsageError as reason:
        text = str(reason).removeprefix(f"{agent}: ")
        return text.split(";")[0].replace(make_game(game_text(game)).name, "the game")
    return ""
