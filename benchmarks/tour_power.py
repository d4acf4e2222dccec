"""How likely a run of the tour does not show an effect: python benchmarks/tour_power.py.

The rates are those of larger runs; benchmarks/README.md says which.
"""

from __future__ import annotations

from functools import cache
from math import comb

from uctlab.arena.statistics import Score
from uctlab.papers import tour, tour_othello
from uctlab.papers.measured import Difference, Percent

SIZE = tour.EXPERIMENTS[0].quick
SEARCHES, GAMES = SIZE.repeats, tour_othello.size_of(SIZE).repeats
# What is compared: the two shares in percent, and the number of searches or games of each.
EFFECTS = {
    "Hex: DUCT k=4 above UCT at 256,000 playouts": (96.0, 27.5, SEARCHES),
    "Hex: UCT_rh above UCT at 32,000 playouts": (100.0, 14.0, SEARCHES),
    "Hex: AUCT k=4 above UCT at 256,000 playouts": (50.5, 27.5, SEARCHES),
    "Othello: Accelerated 1 above Discounted 1": (41.8, 1.5, GAMES),
    "Othello: Accelerated 2 above Discounted 2": (50.8, 18.0, GAMES),
}


@cache
def share(wins: int, number: int) -> Percent:
    found = Percent.of(Score(wins, 0, number - wins))
    assert found
    return found


def chance(wins: int, number: int, percent: float) -> float:
    rate = percent / 100
    return comb(number, wins) * rate**wins * (1 - rate) ** (number - wins)


def missed(high: float, low: float, number: int) -> float:
    """The chance that the larger share is not told to be larger."""
    counts = range(number + 1)
    return sum(
        chance(i, number, high) * chance(j, number, low)
        for i in counts
        for j in counts
        if Difference.of(share(i, number), share(j, number)).sign != 1
    )


for name, (high, low, number) in EFFECTS.items():
    print(f"{name}, {number} each: missed with chance {missed(high, low, number):.1e}")
