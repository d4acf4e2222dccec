"""uctlab check: test whether a game fulfils the contract that a search relies on."""

from __future__ import annotations

from typing import Annotated

import typer

from uctlab.cli.arguments import GameName, Seed, at_most
from uctlab.errors import UsageError
from uctlab.games import ConformanceError, make_game
from uctlab.games import check as check_game
from uctlab.games.check import SECONDS

MAX_SECONDS = 7 * 86400


def check(
    game: GameName,
    games: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="Number of random games to play.")
    ] = 20,
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
    """Check a game, for example your own, against everything that a search relies on."""
    at_most("--timeout", timeout, MAX_SECONDS)
    try:
        print(check_game(make_game(game), games, seed, seconds=timeout))
    except ConformanceError as broken:
        raise UsageError(str(broken)) from None
