"""uctlab tune: find good options of an agent by playing."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from uctlab.agents import Agent
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import player_name
from uctlab.arena.result import MatchResult
from uctlab.arena.tune_space import read_space, sample
from uctlab.arena.tuning import CONFIRMATION, Race, run_tuning
from uctlab.cli.arguments import (
    DeviceName,
    GameName,
    Json,
    MixVersions,
    MovePlayouts,
    MoveSeconds,
    Openings,
    Resign,
    Reuse,
    Seed,
    StoreFile,
    Workers,
    print_json,
)
from uctlab.cli.progress import game_progress
from uctlab.devices.registry import run_matches
from uctlab.errors import UsageError
from uctlab.mcts.resigning import check_limit


def tune(
    game: GameName,
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help='The agent, such as uct or "uct(expand=5)".')
    ],
    options: Annotated[
        list[str],
        typer.Option(
            "--option",
            metavar="NAME=VALUES",
            help='What to tune: a range, "c=0.3..2" (whole numbers where both ends are written '
            'without a point: "levels=0..3"), or a choice, "final=visits|value". May be repeated.',
        ),
    ],
    games: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="Games of the whole search.")
    ] = 400,
    settings: Annotated[
        int,
        typer.Option(
            "--settings", min=2, max=1024, metavar="N", help="Settings that begin the race."
        ),
    ] = 8,
    against: Annotated[
        str, typer.Option("--against", metavar="PLAYER", help="The opponent of all settings.")
    ] = "uct",
    also: Annotated[
        list[str] | None,
        typer.Option(
            "--also",
            metavar="GAME",
            help="Tune to this game too: what counts is the score over all games.",
        ),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            "--confirm",
            min=0,
            metavar="N",
            help="Fresh games of the best setting. Default: a quarter of --games.",
        ),
    ] = None,
    playouts: MovePlayouts = None,
    seconds: MoveSeconds = None,
    device: DeviceName = "cpu",
    workers: Workers = None,
    store: StoreFile = None,
    mix_versions: MixVersions = False,
    openings: Openings = 2,
    reuse: Reuse = False,
    resign: Resign = 0.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Find good options of an agent by successive halving, with games as the budget.

    The agent as it is and other settings, spread evenly over the ranges, play some games against
    one opponent; the better half plays more, until one is left. Its score is too high, being the
    best of several (the winner's curse). So it plays fresh games at the end, which count.
    """
    check_limit("--resign", resign)
    kinds = list(dict.fromkeys([game, *(also or [])]))
    candidates = sample(agent, read_space(agent, options), settings, seed)
    if len(candidates) < 2:
        raise UsageError("these options leave only one setting, so there is nothing to tune")
    opponent = player_name(against)

    def plan(made: Agent, kind: str) -> MatchPlan:
        return MatchPlan(
            kind,
            made.name,
            opponent,
            playouts=playouts,
            seconds=seconds,
            openings=openings,
            seed=seed,
            reuse=reuse,
            resign=resign,
        )

    race = Race([made for _, made in candidates], kinds, plan, games // len(kinds))
    fresh = games // CONFIRMATION if confirm is None else confirm
    # A rung goes on with the games of the one before, so a store there must be.
    with (
        tempfile.TemporaryDirectory(prefix="uctlab-") if store is None else nullcontext() as folder
    ):
        path = str(Path(str(folder)) / "games.sqlite") if store is None else store

        def play(heading: str, plans: list[MatchPlan], count: int) -> list[MatchResult]:
            with game_progress(heading) as progress:
                return run_matches(
                    plans,
                    games=count,
                    device=device,
                    workers=workers,
                    store=path,
                    progress=progress,
                    mix_versions=mix_versions,
                )

        found = run_tuning(
            agent, opponent, candidates, race, play, max(1, fresh // len(kinds)) if fresh else 0
        )
    print_json(found.as_json()) if json else print(found)
