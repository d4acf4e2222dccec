"""uctlab match: play a match between two players and report the score with its statistics."""

from __future__ import annotations

from typing import Annotated

import typer

from uctlab.arena.plan import MatchPlan
from uctlab.arena.sprt import Sprt
from uctlab.cli.arguments import (
    DeviceName,
    GameName,
    Games,
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
from uctlab.cli.progress import game_progress, telling_stored
from uctlab.devices.registry import run_matches
from uctlab.mcts.resigning import check_limit

PLAYER = 'An agent such as "auct(k=3)", or a program: gtp:"gnugo --mode gtp --level 10".'


def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player, likewise.")],
    games: Games = 100,
    playouts: MovePlayouts = None,
    seconds: MoveSeconds = None,
    device: DeviceName = "cpu",
    workers: Workers = None,
    store: StoreFile = None,
    mix_versions: MixVersions = False,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop early, by an SPRT between two differences in normalized Elo, such as 0,20.",
        ),
    ] = None,
    openings: Openings = 0,
    reuse: Reuse = False,
    resign: Resign = 0.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Play a match between A and B, who take turns moving first.

    Ctrl-C ends the match early and reports the finished games.
    """
    check_limit("--resign", resign)
    plan = MatchPlan(
        *(game, a, b),
        playouts=playouts,
        seconds=seconds,
        openings=openings,
        seed=seed,
        reuse=reuse,
        resign=resign,
    )
    test = None if sprt is None else Sprt.read(sprt)
    with game_progress("games") as progress:
        (result,) = run_matches(
            [plan],
            games=games,
            device=device,
            workers=workers,
            store=store,
            sprt=test,
            progress=progress if json else telling_stored(progress, store),
            mix_versions=mix_versions,
        )
    print_json(result.as_json()) if json else print(result)
