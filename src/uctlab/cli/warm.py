"""uctlab warm: compile ahead of time."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler


def warm(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="By default the usual ones.")
    ] = None,
) -> None:
    """Compile the kernels of some games now, so that later commands start at once."""
    for name in games or ["othello", "hex:11", "havannah:8", "go:9"]:
        begin = time.perf_counter()
        game = make_game(name)
        position = Position.start(game)
        position.play(position.legal[0]).perft(1)
        float(position.result)
        if game.diagram is not None:
            Position.from_stones(game, position.stones, position.turn)
        for policy in game.playouts:
            for trace in (False, True):
                PlayoutSampler(position, seed=0, policy=policy, trace=trace).run(1)
        print(f"{game.name}: ready after {time.perf_counter() - begin:.1f} s")
