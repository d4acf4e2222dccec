"""Successive halving: many settings play a few games, the better half plays more, and so on."""

from __future__ import annotations

from collections.abc import Sequence

from uctlab.errors import UsageError

HALVE = 2


class Halving:
    """Which settings are still in the race, and how many games each has to have played by now.

    Every rung has the same share of all games: with 8 settings and 96 games, 8 play 4 games, 4 play
    8 more and 2 play 16 more (K. Jamieson, A. Talwalkar, Non-stochastic Best Arm Identification and
    Hyperparameter Optimization, 2016). Scores count from the first game on.
    """

    def __init__(self, settings: int, games: int, step: int = 2) -> None:
        """`step` is what numbers of games are multiples of: pairs with swapped colours."""
        if settings < 1:
            raise UsageError("a search needs at least one setting")
        self.alive = list(range(settings))
        """The settings that are left, by number, best first."""
        self.reached = [0] * settings
        """How many rungs each setting has played."""
        self.games = 0
        """Games that each setting which is left has to have played by the end of this rung."""
        self._rungs = max(0, (settings - 1).bit_length())
        self._share = games / max(1, self._rungs)
        self._step = step
        least = self._least(settings)
        if games < least:
            raise UsageError(
                f"{settings} settings need at least {least} games, {step} for each on every rung; "
                "use fewer settings or more games"
            )
        self._begin_rung()

    @property
    def done(self) -> bool:
        return len(self.alive) == 1

    @property
    def best(self) -> int:
        return self.alive[0]

    def tell(self, scores: Sequence[float]) -> None:
        """The scores of the settings that are left, in the order of `alive`: the rung is over.

        Of equal settings the earlier one is better.
        """
        for setting in self.alive:
            self.reached[setting] += 1
        order = sorted(range(len(self.alive)), key=lambda i: (-scores[i], self.alive[i]))
        ranked = [self.alive[i] for i in order]
        self.alive = ranked[: -(-len(ranked) // HALVE)]
        self._begin_rung()

    def _begin_rung(self) -> None:
        if not self.done:
            each = self._share / len(self.alive)
            self.games += max(self._step, int(each / self._step) * self._step)

    def _least(self, settings: int) -> int:
        """Games if every setting plays one step on every rung that it is in."""
        total = 0
        while settings > 1:
            total += self._step * settings
            settings = -(-settings // HALVE)
        return total
