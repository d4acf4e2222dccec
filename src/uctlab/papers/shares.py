"""The share of searches that choose a right move, by player and playouts: `Shares`.

From how many playouts on it is at least a half, and how surely that is known, says `TurningPoint`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from uctlab.arena.statistics import Score
from uctlab.papers import search_figures
from uctlab.papers.measured import Percent, quantile
from uctlab.papers.report import Figure

RESAMPLED = 1000

Curves = Mapping[str, Mapping[int, Percent]]
"""Shares by player and playouts."""


@dataclass(frozen=True)
class TurningPoint:
    """The playouts from which on half of the searches choose the winning move, or more."""

    playouts: float
    low: float
    high: float
    """The 95 % interval, by bootstrap; infinite if the largest budget may be too small."""

    def __str__(self) -> str:
        end = f" to {_rounded(self.high)}" if self.high < math.inf else " or more"
        return f"{_rounded(self.playouts)} ({_rounded(self.low)}{end})"


@dataclass(frozen=True)
class Shares:
    """How many searches chose a right move."""

    scores: Mapping[tuple[str, int], Score]
    """By player and playouts; a search that chose a right move is a win."""

    @property
    def players(self) -> list[str]:
        return list(dict.fromkeys(player for player, _ in self.scores))

    @property
    def budgets(self) -> list[int]:
        return list(dict.fromkeys(playouts for _, playouts in self.scores))

    @property
    def searches(self) -> list[int]:
        """How many there are for a point, each number once, the smallest first."""
        return sorted({score.games for score in self.scores.values()})

    def share(self, player: str, playouts: int) -> Percent | None:
        score = self.scores.get((player, playouts))
        return Percent.of(score) if score else None

    def curves(self, players: Iterable[str] = ()) -> dict[str, dict[int, Percent]]:
        """The shares of these players, or of all; points without searches are left out."""
        return {
            player: {b: share for b in self.budgets if (share := self.share(player, b))}
            for player in players or self.players
        }

    def tallies(self, player: str) -> dict[int, Score]:
        return {b: self.scores[player, b] for b in self.budgets if (player, b) in self.scores}

    def turn(self, player: str) -> TurningPoint | None:
        return turn_of(self.tallies(player))

    def figure(
        self,
        name: str,
        caption: str,
        title: str,
        *,
        players: Collection[str] = (),
        size: tuple[float, float] = search_figures.TALL,
    ) -> Figure:
        """The curves of these players, or of all."""
        curves = self.curves(players)
        return Figure(
            name,
            caption,
            lambda canvas: search_figures.success_by_epoch(canvas, curves, title=title),
            size=size,
        )

    def searches_told(self) -> str:
        """How many searches there are per point, with the playouts at which there are others."""
        made: dict[str, list[str]] = {}
        for playouts in self.budgets:
            at = Shares({key: one for key, one in self.scores.items() if key[1] == playouts})
            made.setdefault(ends_told(at.searches), []).append(f"{playouts:,}")
        usual = max(made, key=lambda told: len(made[told]))
        parts = [f"{usual} searches per point"]
        for told, budgets in made.items():
            if told != usual:
                parts.append(f"{told} with {' and '.join(budgets)} playouts")
        return ", ".join(parts)


def ends_told(numbers: list[int]) -> str:
    """The first and the last number, once if they are the same."""
    return " to ".join(f"{number:,}" for number in dict.fromkeys((numbers[0], numbers[-1])))


def turning_point(percent: Mapping[int, float]) -> float | None:
    """Playouts from which the winning move is chosen in at least half of the searches, or None.

    Interpolated linearly between two budgets, over the logarithm of playouts.
    """
    known = list(percent.items())
    below = [i for i, (_, value) in enumerate(known) if value < 50]
    if not known or (below and below[-1] == len(known) - 1):
        return None
    if not below:
        return float(known[0][0])
    (left, low), (right, high) = known[below[-1]], known[below[-1] + 1]
    return float(left * (right / left) ** ((50 - low) / (high - low)))


def turn_of(tallies: Mapping[int, Score]) -> TurningPoint | None:
    """From the searches by playouts; those that chose the winning move are wins."""
    playouts = turning_point(
        {b: score.percent for b, score in tallies.items() if score.percent is not None}
    )
    if playouts is None:
        return None
    drawn = sorted(turn or math.inf for turn in _drawn(tallies, np.random.default_rng(0)))
    return TurningPoint(playouts, quantile(drawn, 0.025), quantile(drawn, 0.975))


def quotient_interval(
    slower: Mapping[int, Score], sooner: Mapping[int, Score]
) -> tuple[float, float] | None:
    """95 % interval of how many times sooner a player turns than a slower one, by bootstrap.

    A slower one that never turns counts as infinitely slow; None if nothing can be said.
    """
    numbers = np.random.default_rng(0)
    drawn = [_drawn(tallies, numbers) for tallies in (slower, sooner)]
    known = sorted((a or math.inf) / b if b else 0.0 for a, b in zip(*drawn, strict=True) if a or b)
    if len(known) < RESAMPLED / 2:
        return None
    return quantile(known, 0.025), quantile(known, 0.975)


def _drawn(tallies: Mapping[int, Score], numbers: np.random.Generator) -> list[float | None]:
    """Turning points of choices that are drawn again, as many as were made, by the shares seen."""
    found = np.array([score.wins for score in tallies.values()])
    searches = np.array([score.games for score in tallies.values()])
    draws = numbers.binomial(searches, found / np.maximum(1, searches), (RESAMPLED, len(found)))
    percents = 100 * draws / np.maximum(1, searches)
    made = searches > 0
    budgets = np.array(list(tallies))[made].tolist()
    return [
        turning_point(dict(zip(budgets, row, strict=True))) for row in percents[:, made].tolist()
    ]


def _rounded(playouts: float) -> str:
    """Three digits: more would be noise."""
    return f"{float(f'{playouts:.3g}'):,.0f}"
