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
    Reuse,
    Seed,
    StoreFile,
    Workers,
    print_json,
)
from uctlab.cli.progress import game_progress
from uctlab.devices.registry import run_matches


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
    store: StoreFile = "",
    mix_versions: MixVersions = False,
    openings: Openings = 0,
    reuse: Reuse = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Play a match for every pairing and print a cross table with Bradley-Terry ratings."""
    plans = tournament_plans(
        kind,
        players,
        game,
        playouts=playouts,
        seconds=seconds,
        openings=openings,
        seed=seed,
        reuse=reuse,
    )
    with game_progress("games") as progress:
        matches = run_matches(
            plans,
            games=games,
            device=device,
            workers=workers,
            store=store,
            progress=progress,
            mix_versions=mix_versions,
        )
    result = rate(players, matches)
    print_json(result.as_json()) if json else _show(result)


def _show(result: TournamentResult) -> None:
    """Print the players by rating; the columns of the cross table have the same order."""
    order = [result.players.index(rating.name) for rating in result.ratings]
    points = result.points()
    table = Table(box=None, pad_edge=False)
    for heading in ("", "player", "Elo", "95 %", "games", "score"):
        justify: Literal["left", "right"] = "left" if heading == "player" else "right"
        table.add_column(heading, justify=justify, overflow="fold")
    for place in range(len(order)):
        table.add_column(str(place + 1), justify="right")
    for place, (player, rating) in enumerate(zip(order, result.ratings, strict=True)):
        half = (rating.high - rating.low) / 2
        cells = (points[player][other] for other in order)
        table.add_row(
            str(place + 1),
            rating.name,
            f"{rating.elo:+.0f}",
            f"+-{half:.0f}",
            str(rating.games),
            "" if rating.score is None else f"{100 * rating.score:.1f} %",
            *("" if cell is None else f"{cell:g}" for cell in cells),
        )
    Console().print(table)
    print("Columns 1, 2, ...: points against the player in that place.")
    for match in result.matches:
        if not match.complete:
            print(f"{match.plan}: {match.wanted - match.score.games} games are missing")
        if match.versions:
            print(f"{match.plan}: {match.versions}")
