"""uctlab tune: find good options of an agent by playing."""

from __future__ import annotations

from typing import Annotated

import typer

from uctlab.agents import Agent
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.player import player_name
from uctlab.arena.tuning import Tuning
from uctlab.cli.arguments import GameName, Json, print_json
from uctlab.cli.match_options import play, with_match_options


@with_match_options(openings=2)
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
    number: Annotated[
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
    *,
    settings: MatchSettings,
    json: Json = False,
) -> None:
    """Find good options of an agent by successive halving, with games as the budget.

    The agent as it is and other settings, spread evenly over the ranges, play some games against
    one opponent; the better half plays more, until one is left. Its score is too high, being the
    best of several (the winner's curse). So it plays fresh games at the end, which count.
    """
    kinds = list(dict.fromkeys([game, *(also or [])]))
    opponent = player_name(against)
    tuning = Tuning(
        agent=agent,
        against=opponent,
        options=options,
        kinds=kinds,
        games=games,
        settings=number,
        confirm=confirm,
    )

    def plan(made: Agent, kind: str) -> MatchPlan:
        return settings.plan(kind, made.name, opponent)

    found = tuning.run(settings, plan, play)
    print_json(found.as_json()) if json else print(found)
