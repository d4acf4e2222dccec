"""uctlab match, tournament and tune: play matches between agents and other programs.

The three share their options, which are declared once and made into settings.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

import typer
from rich.console import Console
from rich.table import Table

from uctlab.agents import Agent
from uctlab.api.progress import game_progress, telling_stored
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.player import player_name
from uctlab.arena.result import MatchResult
from uctlab.arena.sprt import Sprt
from uctlab.arena.tournament import KINDS, TournamentResult, pairings, rate
from uctlab.arena.tuning import Tuning
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
from uctlab.devices.registry import run_matches
from uctlab.mcts.resigning import check_limit

PLAYER = 'An agent such as "auct(k=3)", or a program: gtp:"gnugo --mode gtp --level 10".'


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

        # Typer reads the options from the signature.
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
    print_json(result.as_json()) if json else _show_table(result)


def _show_table(result: TournamentResult) -> None:
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
