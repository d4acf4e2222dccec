"""Which games the league plays: entrants, games, budgets and pairings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from uctlab.agents import make_agent
from uctlab.arena.plan import MatchPlan
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.mcts.searcher import make_searcher
from uctlab.papers.experiment import Size, example_game
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
    """The part of the league that is played, and how much of it."""

    size: Size
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
        return cls(size, games, budgets, chosen)

    def players(self, game: str) -> list[str]:
        """The agents that can play that game."""
        return [e.agent for e in self.entrants if not reason_against(game, e.agent)]

    def playable(self, agent: str) -> list[str]:
        """The games that the agent can play."""
        return [game for game in self.games if not reason_against(game, agent)]

    def left_out(self) -> dict[str, dict[str, list[str]]]:
        """Agents, why they cannot play, and what."""
        found: dict[str, dict[str, list[str]]] = {}
        for entrant in self.entrants:
            for game in self.games:
                if reason := reason_against(game, entrant.agent):
                    found.setdefault(entrant.agent, {}).setdefault(reason, []).append(game)
        return found

    def games_of(self, budget: str) -> int:
        """Games of each pairing with that budget; for the search, of each agent in each game."""
        few = max(2, self.size.repeats // 2)
        usual = {
            **{SHORT: self.size.repeats, TIME: few, LONG: few},
            TUNED: max(28, 16 * self.size.repeats),
        }
        return dict(self.size.cells).get(budget, usual[budget])

    @property
    def confirmation_games(self) -> int:
        """Fresh games of each tuned setting in each game."""
        return 4 * self.size.repeats

    def plays(self, budget: str) -> bool:
        return budget in self.budgets and self.games_of(budget) > 0

    def planned(self, budget: str, game: str) -> int:
        """Games of that kind with that budget."""
        return len(pairings(self.players(game), budget)) * self.games_of(budget)

    @property
    def seconds(self) -> float:
        """Per move, where time is equal."""
        return self.size.playouts * SECONDS_PER_PLAYOUT

    def playouts(self, budget: str) -> int:
        return self.size.playouts if budget == LONG else max(1, self.size.playouts // SHORTER)

    def words(self, budget: str) -> str:
        if budget == TIME:
            return f"{1000 * self.seconds:g} ms per move"
        return f"{self.playouts(budget):,} playouts per move"

    def plans(self, budget: str, seed: int) -> list[MatchPlan]:
        """The matches with that budget; games take turns, so that a cut leaves some of each."""
        by_game = [
            [
                self.match_plan(game, a, b, budget, seed)
                for a, b in pairings(self.players(game), budget)
            ]
            for game in self.games
        ]
        rounds = itertools.zip_longest(*by_game)
        return [plan for several in rounds for plan in several if plan is not None]

    def match_plan(self, game: str, a: str, b: str, budget: str, seed: int) -> MatchPlan:
        return MatchPlan(
            *(game_text(game), a, b),
            playouts=None if budget == TIME else self.playouts(budget),
            seconds=self.seconds if budget == TIME else None,
            openings=OPENINGS[game],
            seed=seed,
        )


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


def game_text(game: str) -> str:
    """As plans have it."""
    return example_game(game) if game == "connect_four" else make_game(game).name


@cache
def reason_against(game: str, agent: str) -> str:
    """Why the agent cannot play the game; empty if it can."""
    try:
        make_searcher(make_game(game_text(game)), make_agent(agent))
    except UsageError as reason:
        text = str(reason).removeprefix(f"{agent}: ")
        return text.split(";")[0].replace(make_game(game_text(game)).name, "the game")
    return ""
