"""The options that match, tournament and tune share: declared once, and made into settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from uctlab.api.progress import game_progress, telling_stored
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.result import MatchResult
from uctlab.cli.arguments import (
    DeviceName,
    MixVersions,
    MovePlayouts,
    MoveSeconds,
    Openings,
    Resign,
    Reuse,
    Seed,
    StoreFile,
    Workers,
)
from uctlab.devices.registry import run_matches
from uctlab.mcts.resigning import check_limit


def match_settings(
    playouts: MovePlayouts = None,
    seconds: MoveSeconds = None,
    device: DeviceName = "cpu",
    workers: Workers = None,
    store: StoreFile = None,
    mix_versions: MixVersions = False,
    openings: Openings = 0,
    reuse: Reuse = False,
    resign: Resign = 0.0,
    seed: Seed = 0,
) -> MatchSettings:
    """The settings of these options; its parameters are their declaration."""
    given = locals()
    check_limit("--resign", resign)
    return MatchSettings(**given)


def with_match_options(**defaults: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command these options in place of its parameter `settings`.

    `defaults` are those that differ from the usual ones.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        declared = inspect.signature(match_settings, eval_str=True).parameters
        shared = [
            option.replace(default=defaults.get(name, option.default))
            for name, option in declared.items()
        ]
        given: list[inspect.Parameter] = []
        for name, own in inspect.signature(command, eval_str=True).parameters.items():
            given += shared if name == "settings" else [own]
        parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in given]

        def run(**given: Any) -> None:
            settings = match_settings(**{name: given.pop(name) for name in declared})
            command(**given, settings=settings)

        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorate


def play(
    heading: str,
    plans: list[MatchPlan],
    games: int,
    settings: MatchSettings,
    *,
    quiet: bool = True,
) -> list[MatchResult]:
    """Play so many games of each plan, with a progress bar.

    Unless it is to be quiet, it says how many games a store has.
    """
    with game_progress(heading) as progress:
        told = progress if quiet else telling_stored(progress, settings.store)
        return run_matches(plans, games, settings, told)
