"""uctlab match: play a match between two players and report the score with its statistics."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from uctlab.arena.plan import MatchSettings
from uctlab.arena.sprt import Sprt
from uctlab.cli.arguments import GameName, Games, Json, print_json
from uctlab.cli.match_options import play, with_match_options

PLAYER = 'An agent such as "auct(k=3)", or a program: gtp:"gnugo --mode gtp --level 10".'


@with_match_options()
def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    b: Annotated[str, typer.Argument(metavar="B", help="The other player, likewise.")],
    games: Games = 100,
    *,
    settings: MatchSettings,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1",
            help="Stop early, by an SPRT between two differences in normalized Elo, such as 0,20.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Play a match between A and B, who take turns moving first.

    Ctrl-C ends the match early and reports the finished games.
    """
    test = None if sprt is None else Sprt.read(sprt)
    plan = settings.plan(game, a, b)
    (result,) = play("games", [plan], games, replace(settings, sprt=test), quiet=json)
    print_json(result.as_json()) if json else print(result)
