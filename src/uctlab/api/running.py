"""What match, tournament, sweep and tune have in common: players, settings, where games run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from uctlab.agents import Agent
from uctlab.api import arguments
from uctlab.api.progress import shown_progress
from uctlab.arena.objects import Given, given_agent, given_game
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.player import player_name
from uctlab.arena.result import MatchResult
from uctlab.arena.sprt import Sprt
from uctlab.arena.tasks import Progress
from uctlab.devices.cpu import cores
from uctlab.devices.registry import run_matches
from uctlab.errors import UsageError
from uctlab.games import Game, make_game

Bounds = Sprt | tuple[float, float]
Openings = int | str | Path | Sequence[str]
Player = tuple[str, Given | None]
"""The canonical name, and the object where the name does not say all."""


class Field:
    """The game, and how its players are written in a plan."""

    def __init__(self, game: object, function: str) -> None:
        if not isinstance(game, str | Game):
            raise UsageError(
                f"{function}: the game must be a name such as 'hex:7' or a Game, not a "
                f"{type(game).__name__}"
            )
        self._function = function
        if isinstance(game, Game):
            self.name, self.own = given_game(game)
        else:
            self.name, self.own = game, None
        self._game = game if isinstance(game, Game) else make_game(game)

    def player(self, player: object) -> Player:
        """A player as `MatchPlan` takes it: its name, and the object if it is the user's own."""
        if isinstance(player, str):
            return player_name(player), None
        if isinstance(player, Agent):
            return given_agent(player, self._game)
        raise UsageError(
            f"{self._function}: a player must be a name such as 'auct(k=3)' or an Agent, not a "
            f"{type(player).__name__}"
        )

    def plan(self, a: Player, b: Player, settings: MatchSettings) -> MatchPlan:
        """The plan of a match between these two players, with those settings."""
        own = {"own_game": self.own, "own_a": a[1], "own_b": b[1]}
        return settings.plan(self.name, a[0], b[0], **own)


def settings_of(given: Mapping[str, Any]) -> MatchSettings:
    """The settings among the arguments of a public function, which are checked."""
    settings = MatchSettings(
        playouts=arguments.whole_or_none("playouts", given["playouts"], 1),
        seconds=arguments.seconds_or_none(given["seconds"]),
        openings=arguments.openings(given["openings"]),
        reuse=arguments.yes_or_no("reuse", given["reuse"]),
        resign=arguments.percentage("resign", given["resign"]),
        seed=arguments.whole("seed", given["seed"], 0),
        sprt=arguments.sprt_or_none(given.get("sprt")),
        store=arguments.path_or_none("store", given["store"]),
        mix_versions=arguments.yes_or_no("mix_versions", given["mix_versions"]),
        device=arguments.text("device", given["device"]),
        workers=arguments.whole_or_none("workers", given["workers"], 1),
    )
    if settings.playouts is None and settings.seconds is None:
        raise UsageError("a match needs a budget per move: playouts=, seconds=, or both")
    return settings


def play(
    function: str,
    plans: list[MatchPlan],
    games: int,
    settings: MatchSettings,
    progress: bool | Progress,
) -> list[MatchResult]:
    """Play so many games of each plan, for the public function of that name."""
    count = arguments.whole("games", games, 1)
    workers = _workers_for(function, plans, settings)
    with shown_progress(progress, "games") as shown:
        return run_matches(plans, count, replace(settings, workers=workers), shown)


def _workers_for(function: str, plans: list[MatchPlan], settings: MatchSettings) -> int | None:
    """The number of workers; 1 if the user leaves it open and an object cannot travel."""
    kind = settings.device.partition(":")[0]
    here = kind == "cuda" or (kind == "cpu" and (settings.workers or cores()) == 1)
    if here:
        return settings.workers
    objects = dict.fromkeys(given for plan in plans for given in plan.given().values())
    for given in objects:
        try:
            _ = given.data
        except UsageError as mistake:
            if kind != "cpu" or settings.workers is not None:
                raise UsageError(
                    f"uctlab.{function}: {mistake}; device='cpu' with workers=1 plays in this "
                    "process"
                ) from None
            warnings.warn(
                f"uctlab.{function}: {mistake}: playing in this process; workers=1 makes this "
                "explicit",
                RuntimeWarning,
                stacklevel=4,
            )
            return 1
    return settings.workers
