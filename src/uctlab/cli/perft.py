"""uctlab perft: count the lines of play from a position, to test a move generator."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from uctlab.cli.arguments import GameName, Json, Moves, PositionFile, position_of, print_json
from uctlab.games import make_game
from uctlab.games.position import MAX_PERFT
from uctlab.stop_signals import end_at_once


def perft(
    game: GameName,
    depth: Annotated[
        int,
        typer.Argument(
            min=0, max=MAX_PERFT, metavar="DEPTH", help="Length of the lines, in moves."
        ),
    ],
    moves: Moves = "",
    position: PositionFile = None,
    json: Json = False,
) -> None:
    """Count the lines of play of DEPTH moves.

    A pass is a move, a game that ends earlier counts as one line, and superko applies.
    """
    start = position_of(make_game(game), moves, position)
    end_at_once()  # one count is one call of machine code, and there is nothing to save
    if json:
        print_json({"game": start.game.name, "depth": depth, "nodes": start.perft(depth)})
        return
    # Each depth takes many times as long as the one before, so the smaller ones show progress.
    for shorter in [*range(1, depth), depth]:
        begin = time.perf_counter()
        nodes = start.perft(shorter)
        print(f"{shorter:3} {nodes:18,} {time.perf_counter() - begin:9.2f} s")
