"""uctlab check: test whether a game or a rule fulfils the contract that a search relies on."""

from __future__ import annotations

from typing import Annotated

import typer

from uctlab.cli.arguments import GAMES, Seed, at_most
from uctlab.errors import UsageError
from uctlab.games import ConformanceError, make_game
from uctlab.games import check as check_game
from uctlab.games.conformance import SECONDS
from uctlab.mcts.rule_check import RuleError, check_rule

MAX_SECONDS = 7 * 86400


def check(
    name: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help=f"{GAMES}; with --rule the file of a selection rule or a backup operator.",
        ),
    ],
    rule: Annotated[
        bool, typer.Option("--rule", help="Check a rule of your own instead of a game.")
    ] = False,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help='With --rule: the agent whose rule it replaces, such as "uct(a=0.5)". '
            "Default: uct.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, metavar="N", help="Number of random games. Default: 20."),
    ] = None,
    seed: Seed = 0,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            metavar="S",
            help="Give up after this many seconds, compilation included, and say what was running.",
        ),
    ] = SECONDS,
) -> None:
    """Check a game or, with --rule, a rule against everything that a search relies on."""
    at_most("--timeout", timeout, MAX_SECONDS)
    if rule and games is not None:
        raise UsageError("--games is for games; leave it out with --rule")
    if agent is not None and not rule:
        raise UsageError("--agent needs --rule")
    try:
        if rule:
            print(check_rule(name, "uct" if agent is None else agent, seed=seed, seconds=timeout))
        else:
            print(
                check_game(make_game(name), 20 if games is None else games, seed, seconds=timeout)
            )
    except (ConformanceError, RuleError) as broken:
        raise UsageError(str(broken)) from None
