"""uctlab check: does a game keep the contract?"""

from __future__ import annotations

from typing import Annotated

import typer

from uctlab.cli.arguments import GameName, Seed
from uctlab.errors import UsageError
from uctlab.games import ConformanceError, make_game
from uctlab.games import check as check_game


def check(
    game: GameName,
    games: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="Random games to play.")
    ] = 20,
    seed: Seed = 0,
) -> None:
    """Check any game, also one of your own, against everything that a search relies on."""
    try:
        print(check_game(make_game(game), games, seed))
    except ConformanceError as broken:
        raise UsageError(str(broken)) from None
