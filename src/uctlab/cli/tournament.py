"""uctlab tournament: play a tournament and print a cross table with ratings."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from uctlab.arena.tournament import KINDS, TournamentResult, rate, tournament_plans
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


def tournament(
    game: GameName,
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER", help="Agents, or programs as gtp:COMMAND.")
    ],
    kind: Annotated[
        str,
        typer.Option(
            metavar="KIND", help="; ".join(f"{name}: {about}" for name, about in KINDS.items())
        ),
    ] = "round-robin",
    games: Games = 20,
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
    json: Json = False,
) -> None:
    """Play a match for every pairing and print a cross table with Bradley-Terry ratings."""
    check_limit("--resign", resign)
    plans = tournament_plans(
        kind,
        players,
        game,
        playouts=playouts,
        seconds=seconds,
        openings=openings,
        seed=seed,
        reuse=reuse,
        resign=resign,
    )
    with game_progress("games") as progress:
        matches = run_matches(
            plans,
            games=games,
            device=device,
            workers=workers,
            store=store,
            progress=progress if json else telling_stored(progress, store),
            mix_versions=mix_versions,
        )
    result = rate(matches)
    print_json(result.as_json()) if json else _show(result)


def _show(result: TournamentResult) -> None:
    """Print the cross table; players by rating."""
    columns, rows = result.cross_table()
    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(columns):
        justify: Literal["left", "right"] = "left" if heading == "player" else "right"
        wide = place < len(columns) - len(rows)
        table.add_column(heading, justify=justify, overflow="fold" if wide else "ellipsis")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    for line in result.remarks():
        print(line)
