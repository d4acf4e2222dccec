"""Tuning: a race of an agent's settings against one opponent, and fresh games of the winner."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uctlab.agents import Agent
from uctlab.arena.halving import Halving
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.result import MatchResult
from uctlab.arena.statistics import Score, total
from uctlab.arena.sweep import label
from uctlab.arena.text_table import text_table
from uctlab.arena.tune_space import Setting, read_space, sample
from uctlab.drawing import html
from uctlab.errors import UsageError
from uctlab.frames import make_frame
from uctlab.seeds import derive_seed

if TYPE_CHECKING:  # it is slow to load, and not always installed
    from matplotlib.axes import Axes

CONFIRMATION = 4  # fresh games are one in so many of the search's
CURSE = (
    "The best of several scores is too high on average (the winner's curse), the more so the fewer "
    "games there were; the fresh games are free of that."
)
Play = Callable[[str, list[MatchPlan], int, MatchSettings], list[MatchResult]]
"""Plays so many games of each plan, those of earlier calls included; with a heading in words."""


class Race:
    """The settings of one agent in a race by successive halving, over one or several games."""

    def __init__(
        self,
        agents: Sequence[Agent],
        games: Sequence[str],
        plan: Callable[[Agent, str], MatchPlan],
        budget: int,
    ) -> None:
        """`budget` is the number of games of each kind for all settings together."""
        self.agents = list(agents)
        self.halving = Halving(len(self.agents), budget)
        self.results: list[list[MatchResult]] = [[] for _ in self.agents]
        """Of each setting, a match for each game."""
        self._games = list(games)
        self._plan = plan

    def plans(self) -> list[MatchPlan]:
        """The matches of the settings that are left, one setting after the other."""
        left = (self.agents[number] for number in self.halving.alive)
        return [self._plan(agent, game) for agent in left for game in self._games]

    def tell(self, results: Sequence[MatchResult]) -> None:
        """The results of those matches. Unless games are missing, the rung is over."""
        width = len(self._games)
        for place, number in enumerate(self.halving.alive):
            self.results[number] = list(results[place * width : (place + 1) * width])
        if all(result.complete for result in results):
            self.halving.tell([self.score(number).percent or 0.0 for number in self.halving.alive])

    def score(self, number: int) -> Score:
        """Over all games."""
        return total(result.score for result in self.results[number])

    @property
    def best(self) -> Agent:
        return self.agents[self.halving.best]

    @property
    def best_score(self) -> Score:
        return self.score(self.halving.best)


@dataclass(frozen=True)
class TuneRow:
    """One setting, its games in the search, and how far it came."""

    options: Setting
    """What differs from the agent as it was given; empty for that one itself."""
    agent: str
    results: tuple[MatchResult, ...]
    """A match for each game."""
    rungs: int
    """How many rungs it has played."""

    @property
    def score(self) -> Score:
        return total(result.score for result in self.results)


@dataclass(frozen=True)
class TuneResult:
    """The settings that a tuner tried, and fresh games of the best one.

    Examples:
        >>> found = uctlab.tune("hex:3", "uct", {"c": (0.2, 2.0)}, settings=2, games=4, playouts=20,
        ...                     workers=1, against="mc")
        >>> found.best in found.rows
        True
    """

    agent: str
    base: str
    """The opponent."""
    parameters: tuple[str, ...]
    rows: tuple[TuneRow, ...]
    """The furthest first, then by score."""
    confirmation: tuple[MatchResult, ...]
    """Fresh games of the best setting, a match for each game; empty if it was stopped before."""
    complete: bool

    @property
    def best(self) -> TuneRow:
        """The setting that won the race or, if it was stopped, leads it."""
        return self.rows[0]

    @property
    def confirmed(self) -> Score:
        """The best setting's score in the fresh games."""
        return total(result.score for result in self.confirmation)

    def to_frame(self) -> Any:
        """A pandas.DataFrame: a row for each setting, with its options and figures."""
        return make_frame(
            {name: row.options.get(name) for name in self.parameters}
            | {"agent": row.agent}
            | _figures(row)
            for row in self.rows
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the settings' scores with their intervals, and the fresh one of the best.

        Returns matplotlib's axes.
        """
        from uctlab.arena.pictures import plot_tuning  # noqa: PLC0415 (it needs this class)

        return plot_tuning(self, ax)

    def as_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "against": self.base,
            "best": self.best.agent,
            "complete": self.complete,
            "settings": [
                {"options": row.options, "agent": row.agent, **_figures(row)} for row in self.rows
            ],
            "confirmation": [result.as_json() for result in self.confirmation],
        }

    def __str__(self) -> str:
        return "\n".join([self._title(), text_table(*self._table(), texts=1), *self._notes()])

    def _repr_html_(self) -> str:
        table = html.table(*self._table(), caption=self._title(), texts=1)
        return table + html.paragraphs(self._notes())

    def _title(self) -> str:
        results = self.rows[0].results
        games = ", ".join(result.plan.game for result in results)
        plan = results[0].plan
        return f"{games}: {self.agent} against {self.base}, {plan.conditions}, seed {plan.seed}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [row.agent, str(score.games), score.percent_text, score.wilson_text, str(row.rungs)]
            for row in self.rows
            for score in [row.score]
        ]
        return ["setting", "games", "score", "95 %", "rungs"], rows

    def _notes(self) -> list[str]:
        if not self.complete:
            return ["Stopped early; with a store the same command goes on."]
        fresh, found = self.confirmed, self.best.score
        if not fresh.games:
            return [f"best: {self.best.agent}; no fresh games were played. {CURSE}"]
        return [
            f"best: {self.best.agent}, {found.percent_text} in the search; "
            f"{fresh.percent_text} ({fresh.wilson_text}) in {fresh.games} fresh games",
            CURSE,
        ]


@dataclass(frozen=True)
class Tuning:
    """What is tuned, against whom, and with how many games."""

    agent: str | Agent
    against: str
    options: Sequence[str]
    """Options with ranges or choices, as `read_space` reads them."""
    kinds: Sequence[str]
    """The games that the options are tuned to."""
    games: int
    """Games of the whole search, without the fresh ones."""
    settings: int
    """How many settings begin the race."""
    confirm: int | None
    """Fresh games of the best setting; None for a quarter of `games`."""

    def run(
        self, matches: MatchSettings, plan: Callable[[Agent, str], MatchPlan], play: Play
    ) -> TuneResult:
        """Play the race rung by rung, and then the fresh games; `plan` makes an agent's match."""
        candidates = sample(
            self.agent, read_space(self.agent, self.options), self.settings, matches.seed
        )
        if len(candidates) < 2:
            raise UsageError("these options leave only one setting, so there is nothing to tune")
        width = len(self.kinds)
        race = Race([made for _, made in candidates], self.kinds, plan, self.games // width)
        fresh = self.games // CONFIRMATION if self.confirm is None else self.confirm
        with _with_store(matches) as stored:
            confirmation = _play_race(race, stored, play, max(1, fresh // width) if fresh else 0)
        rows = [
            TuneRow(setting, made.name, tuple(race.results[number]), race.halving.reached[number])
            for number, (setting, made) in enumerate(candidates)
            if race.results[number]
        ]
        rows.sort(key=lambda row: (-row.rungs, -(row.score.percent or 0.0)))
        if race.halving.done:
            rows.sort(key=lambda row: row.agent != race.best.name)
        return TuneResult(
            str(self.agent),
            self.against,
            tuple(dict.fromkeys(name for setting, _ in candidates for name in setting)),
            tuple(rows),
            tuple(confirmation),
            complete=race.halving.done and all(result.complete for result in confirmation),
        )


@contextmanager
def _with_store(settings: MatchSettings) -> Iterator[MatchSettings]:
    """The same with a store, since a rung goes on with the games of the one before."""
    if settings.store is not None:
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="uctlab-") as folder:
        yield replace(settings, store=str(Path(folder) / "games.sqlite"))


def _play_race(
    race: Race, settings: MatchSettings, play: Play, fresh_games: int
) -> list[MatchResult]:
    """Play until one setting is left, and return its fresh games; none if it was stopped."""
    rung = 0
    while not race.halving.done:
        rung += 1
        heading = f"rung {rung}: {len(race.halving.alive)} settings"
        results = play(heading, race.plans(), race.halving.games, settings)
        race.tell(results)
        if not all(result.complete for result in results):
            return []
    if not fresh_games:
        return []
    plans = [replace(plan, seed=derive_seed(plan.seed, "confirmation")) for plan in race.plans()]
    return play("fresh games", plans, fresh_games, settings)


def _figures(row: TuneRow) -> dict[str, Any]:
    low, high = row.score.wilson or (None, None)
    return {
        "games": row.score.games,
        "score": row.score.percent,
        "low": low,
        "high": high,
        "rungs": row.rungs,
    }


def setting_text(row: TuneRow) -> str:
    """The options that were changed, in words."""
    return ", ".join(f"{name}={label(value)}" for name, value in row.options.items()) or row.agent
