"""uctlab tournament: play a tournament and print a cross table with ratings."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

from uctlab.arena.plan import MatchSettings
from uctlab.arena.tournament import KINDS, TournamentResult, pairings, rate
from uctlab.cli.arguments import GameName, Games, Json, print_json
from uctlab.cli.match_options import play, with_match_options


@with_match_options()
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
    *,
    settings: MatchSettings,
    json: Json = False,
) -> None:
    """Play a match for every pairing and print a cross table with Bradley-Terry ratings."""
    plans = [settings.plan(game, a, b) for a, b in pairings(kind, players)]
    result = rate(play("games", plans, games, settings, quiet=json))
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
