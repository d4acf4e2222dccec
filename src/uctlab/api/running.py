"""What match, tournament, sweep and tune have in common: players, conditions, where games run."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from uctlab.agents import Agent
from uctlab.api import arguments
from uctlab.api.progress import shown_progress
from uctlab.arena.objects import Given, given_agent, given_game
from uctlab.arena.plan import MatchPlan
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

    def player(self, player: object) -> tuple[str, Given | None]:
        """The canonical name, and the object where the name does not say all."""
        if isinstance(player, str):
            return player_name(player), None
        if isinstance(player, Agent):
            return given_agent(player, self._game)
        raise UsageError(
            f"{self._function}: a player must be a name such as 'auct(k=3)' or an Agent, not a "
            f"{type(player).__name__}"
        )


class Running:
    """How the games of some matches are played."""

    def __init__(
        self,
        games: int,
        sprt: Bounds | None,
        store: Path | str | None,
        mix_versions: bool,
        device: str,
        workers: int | None,
        progress: bool | Progress,
    ) -> None:
        self._games = arguments.whole("games", games, 1)
        self._sprt = arguments.sprt_or_none(sprt)
        self._store = arguments.path_or_none("store", store)
        self._mix_versions = arguments.yes_or_no("mix_versions", mix_versions)
        self._device = arguments.text("device", device)
        self._workers = arguments.whole_or_none("workers", workers, 1)
        self._progress = progress

    def play(self, plans: list[MatchPlan], function: str) -> list[MatchResult]:
        workers = self._workers_for(plans, function)
        with shown_progress(self._progress, "games") as progress:
            return run_matches(
                plans,
                games=self._games,
                device=self._device,
                workers=workers,
                store=None if self._store is None else str(self._store),
                sprt=self._sprt,
                progress=progress,
                mix_versions=self._mix_versions,
            )

    def _workers_for(self, plans: list[MatchPlan], function: str) -> int | None:
        """The number of workers; 1 if the user leaves it open and an object cannot travel."""
        kind = self._device.partition(":")[0]
        here = kind == "cuda" or (kind == "cpu" and (self._workers or cores()) == 1)
        if here:
            return self._workers
        objects = dict.fromkeys(given for plan in plans for given in plan.given().values())
        for given in objects:
            try:
                _ = given.data
            except UsageError as mistake:
                if kind != "cpu" or self._workers is not None:
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
        return self._workers


def conditions_of(
    playouts: int | None,
    seconds: float | None,
    openings: Openings,
    reuse: bool,
    resign: float,
    seed: int,
) -> dict[str, Any]:
    """The fields of a plan that say how is played."""
    facts = {
        "playouts": arguments.whole_or_none("playouts", playouts, 1),
        "seconds": arguments.seconds_or_none(seconds),
        "openings": arguments.openings(openings),
        "reuse": arguments.yes_or_no("reuse", reuse),
        "resign": arguments.percentage("resign", resign),
        "seed": arguments.whole("seed", seed, 0),
    }
    if facts["playouts"] is None and facts["seconds"] is None:
        raise UsageError("a match needs a budget per move: playouts=, seconds=, or both")
    return facts
