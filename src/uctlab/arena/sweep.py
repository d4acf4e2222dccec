"""Sweeps: every combination of some options of an agent plays against the same opponent."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from uctlab.agents import Agent, make_agent, value_text, with_rules
from uctlab.agents.notation import canonical, parse, written
from uctlab.arena.result import MatchResult
from uctlab.arena.text_table import text_table
from uctlab.drawing import html
from uctlab.errors import UsageError
from uctlab.frames import make_frame

if TYPE_CHECKING:  # it is slow to load, and not always installed
    from matplotlib.axes import Axes

Options = Mapping[str, Any]


@dataclass(frozen=True)
class SweepRow:
    """One combination and its match against the opponent."""

    options: Options
    result: MatchResult

    def label(self, name: str) -> str:
        """The value of an option as text; a rule by its name."""
        return label(self.options[name])


@dataclass(frozen=True)
class SweepResult:
    """The matches of all combinations; scores are those of the agent that is varied.

    Examples:
        >>> found = uctlab.sweep("hex:3", "mc", {"c": [0.5, 1]}, agent="uct", games=2,
        ...                      playouts=20, workers=1)
        >>> found.best in found.rows
        True
    """

    agent: str
    base: str
    """The opponent."""
    parameters: tuple[str, ...]
    """The options that are varied."""
    rows: tuple[SweepRow, ...]

    @property
    def game(self) -> str:
        return self.rows[0].result.plan.game

    @property
    def best(self) -> SweepRow:
        """The combination with the highest score; of equal ones the first."""
        return max(self.rows, key=lambda row: row.result.score.percent or 0.0)

    def to_frame(self) -> Any:
        """A pandas.DataFrame: a row for each combination, with its options and figures."""
        return make_frame(
            {name: _plain(row.options[name]) for name in self.parameters} | row.result.figures()
            for row in self.rows
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the score by the first option, a line for each combination of the others.

        Returns matplotlib's axes.
        """
        from uctlab.arena.pictures import plot_sweep  # noqa: PLC0415 (it needs this class)

        return plot_sweep(self, ax)

    def __str__(self) -> str:
        return "\n".join(
            [self._title(), text_table(*self._table(), texts=len(self.parameters)), *self._notes()]
        )

    def _repr_html_(self) -> str:
        table = html.table(*self._table(), caption=self._title(), texts=len(self.parameters))
        return table + html.paragraphs(self._notes())

    def _title(self) -> str:
        plan = self.rows[0].result.plan
        return f"{self.game}: {self.agent} against {self.base}, {plan.conditions}, seed {plan.seed}"

    def _table(self) -> tuple[list[str], list[list[str]]]:
        tested = self.rows[0].result.sprt is not None
        figures = ["games", "score", "95 %", "Elo", "95 %", "LOS", *(["SPRT"] if tested else [])]
        rows = []
        for row in self.rows:
            score, found = row.result.score, row.result.strength()
            cells = [row.label(name) for name in self.parameters] + [str(score.games)]
            cells += [score.percent_text, score.wilson_text]
            if found is None:
                cells += [""] * 3
            else:
                elo, low, high = found
                cells += [f"{elo:+.0f}", f"{low:+.0f} to {high:+.0f}"]
                cells.append(f"{100 * score.superiority:.1f} %")
            rows.append(cells + ([_verdict(row.result)] if tested else []))
        return [*self.parameters, *figures], rows

    def _notes(self) -> list[str]:
        notes = ["LOS: likelihood that the agent is stronger than its opponent."]
        if self.rows[0].result.sprt is not None:
            notes.append("Elo is adjusted for the SPRT; scores and LOS are not.")
        missing = sum(
            row.result.wanted - row.result.score.games
            for row in self.rows
            if not row.result.complete
        )
        return notes + ([f"games missing: {missing}"] if missing else [])


def combinations(grid: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """All combinations of a grid; the last option changes fastest."""
    if not isinstance(grid, Mapping) or not grid:
        raise UsageError('a grid maps options to lists of values, such as {"k": [1, 2, 3]}')
    columns = []
    for name, values in grid.items():
        if not isinstance(name, str):
            raise UsageError(f"an option's name is a text, not a {type(name).__name__}")
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise UsageError(f"the values of {name} must be a list, such as [1, 2, 3]")
        columns.append([v.item() if isinstance(v, np.generic) else v for v in values])
        if not columns[-1]:
            raise UsageError(f"{name} has no values")
    return [dict(zip(grid, values, strict=True)) for values in itertools.product(*columns)]


def vary(agent: str | Agent, options: Options) -> Agent:
    """The agent with these options; `select` and `backup` may also be rules as objects.

    A text need not be complete: "auct" becomes an agent with the option k=3.
    """
    rules = {
        name: value
        for name, value in options.items()
        if name in ("select", "backup") and not isinstance(value, str)
    }
    if isinstance(agent, Agent):
        text = agent.name.partition("*")[0]
        plain = make_agent(text)
        kept = {
            name: getattr(agent, name)
            for name in ("select", "backup")
            if getattr(agent, name) is not getattr(plain, name) and name not in options
        }
        rules = kept | rules
    else:
        text = agent
    kind, given = parse(text)
    changed = {n: _written(n, value) for n, value in options.items() if n not in rules}
    rest = {n: value for n, value in given.items() if not canonical({n: value}).keys() & options}
    varied = make_agent(written(kind, rest | changed))
    return with_rules(varied, **rules) if rules else varied


def label(value: Any) -> str:
    """The value of an option as text; a rule by its name."""
    return value_text(_written("", _plain(value)))


def _plain(value: Any) -> Any:
    """What a table contains: numbers and texts, and the names of rules."""
    if isinstance(value, bool | int | float | str):
        return value
    return str(getattr(value, "__name__", type(value).__name__))


def _written(name: str, value: Any) -> Any:
    """The value of an option as the text of an agent has it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if not isinstance(value, int | float | str):
        raise UsageError(
            f"{name} cannot be a {type(value).__name__}; accepted: numbers, texts and, for select "
            "and backup, rules"
        )
    return value


def _verdict(result: MatchResult) -> str:
    return {"elo1": "passes", "elo0": "fails"}.get(result.verdict, "no verdict")
