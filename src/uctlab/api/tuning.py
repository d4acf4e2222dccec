"""Tuning an agent's options by playing, for programs and notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

from uctlab.agents import Agent
from uctlab.api import arguments
from uctlab.api.kernel_errors import tells_kernel_errors
from uctlab.api.running import Field, Openings, play, settings_of
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.result import MatchResult
from uctlab.arena.tasks import Progress
from uctlab.arena.tuning import TuneResult, Tuning
from uctlab.errors import UsageError
from uctlab.games import Game


@tells_kernel_errors
def tune(
    game: Game | str,
    agent: Agent | str,
    options: Mapping[str, Any],
    *,
    games: int = 400,
    settings: int = 8,
    against: Agent | str = "uct",
    also: Sequence[Game | str] = (),
    confirm: int | None = None,
    playouts: int | None = None,
    seconds: float | None = None,
    openings: Openings = 2,
    reuse: bool = False,
    resign: float = 0.0,
    seed: int = 0,
    store: Path | str | None = None,
    mix_versions: bool = False,
    device: str = "cpu",
    workers: int | None = None,
    progress: bool | Progress = True,
) -> TuneResult:
    """Find good options of an agent by successive halving, with games as the budget.

    The agent as it is and other settings, spread evenly over the ranges, play some games against
    one opponent; the better half plays more, until one is left. The winner's score is too high,
    being the best of several, so it plays fresh games at the end.

    Args:
        game: A name or a `Game`, as for `match`.
        agent: The agent, such as "uct" or "auct"; a text need not be complete.
        options: What to tune: a range such as {"c": (0.3, 2.0)}, of whole numbers if both ends are,
            or a list of values, {"final": ["visits", "value"]}.
        games: How many games the whole search plays, without the fresh ones.
        settings: How many settings begin the race.
        against: The opponent of all settings: a name, an `Agent` or a program.
        also: More games to tune to: what counts is the score over all of them.
        confirm: Fresh games of the best setting; by default a quarter of `games`.
        playouts: Budget per move.
        seconds: Budget per move; the first one that is spent ends a search.
        openings: As for `match`.
        reuse: Whether agents keep their trees from move to move.
        resign: As for `match`.
        seed: The same seed gives the same settings and games, unless the budget is in seconds.
        store: An SQLite file that keeps every game, as for `match`.
        mix_versions: As for `match`.
        device: "cpu", "cuda", "ray" or "ray:ADDRESS".
        workers: How many games run at once.
        progress: False for no bar, or a function, as for `match`.

    Returns:
        The settings with their scores, the best first, and the fresh games; it prints as text,
        shows itself in notebooks, and has `best`, `confirmed`, `to_frame()` and `plot()`.

    Examples:
        >>> found = uctlab.tune("hex:3", "uct", {"c": (0.2, 2.0)}, settings=2, games=4, playouts=20,
        ...                     workers=1, against="mc")
        >>> len(found.rows), found.confirmed.games
        (2, 1)
    """
    fields = {one.name: one for one in (Field(one, "tune") for one in (game, *also))}
    if not isinstance(agent, str | Agent):
        raise UsageError(
            f"tune: the agent must be a name or an Agent, not a {type(agent).__name__}"
        )
    matches = settings_of(locals())
    opponents = {name: field.player(against) for name, field in fields.items()}
    tuning = Tuning(
        agent=agent,
        against=str(against),
        options=_texts(options),
        kinds=list(fields),
        games=arguments.whole("games", games, 1),
        settings=arguments.whole("settings", settings, 2),
        confirm=arguments.whole_or_none("confirm", confirm, 0),
    )

    def plan(made: Agent, kind: str) -> MatchPlan:
        field = fields[kind]
        return field.plan(field.player(made), opponents[kind], matches)

    def play_rung(
        heading: str, plans: list[MatchPlan], count: int, stored: MatchSettings
    ) -> list[MatchResult]:
        return play("tune", plans, count, stored, progress)

    return tuning.run(matches, plan, play_rung)


def _texts(options: Any) -> list[str]:
    """Ranges and choices as the command line has them."""
    if not isinstance(options, Mapping):
        raise UsageError('options maps names to ranges or lists, such as {"c": (0.3, 2.0)}')
    texts = []
    for name, values in options.items():
        if isinstance(values, str):
            texts.append(f"{name}={values}")
        elif isinstance(values, tuple) and len(values) == 2 and all(map(_is_number, values)):
            texts.append(f"{name}={_number(values[0])}..{_number(values[1])}")
        elif isinstance(values, list):
            texts.append(f"{name}={'|'.join(map(_number, values))}")
        else:
            raise UsageError(
                f"{name}: a range is a pair of numbers such as (0.3, 2.0), a choice a list"
            )
    return texts


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _number(value: Any) -> str:
    """Whole numbers without a point, others with one, as `read_space` tells them apart."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return repr(float(value)) if isinstance(value, float) else str(value)
