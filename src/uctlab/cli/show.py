"""uctlab show and perft: print a position, and count the lines of play from it."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from uctlab.cli.arguments import GameName, Json, Moves, PositionFile, position_of, print_json
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.position import MAX_PERFT
from uctlab.games.sgf import write_sgf
from uctlab.stop_signals import end_at_once


def show(
    game: GameName,
    moves: Moves = "",
    position: PositionFile = None,
    sgf: Annotated[bool, typer.Option("--sgf", help="Print it as SGF.")] = False,
    json: Json = False,
) -> None:
    """Show a position: the board, whose turn it is, the legal moves, the result."""
    if sgf and json:
        raise UsageError("--sgf and --json cannot be used together")
    shown = position_of(make_game(game), moves, position)
    if sgf:
        print(write_sgf(shown).decode())
    elif json:
        print_json(
            {
                "game": shown.game.name,
                "board": str(shown),
                "to_move": None if shown.is_over else shown.game.players[shown.turn],
                "moves": [shown.game.move_name(move) for move in shown.moves],
                "legal": shown.legal_moves,
                "over": shown.is_over,
                "result": shown.result if shown.is_over else None,
            }
        )
    else:
        print(shown)
        print(outcome(shown) if shown.is_over else "legal: " + " ".join(shown.legal_moves))


def outcome(position: Position) -> str:
    """The result of a finished game, in words."""
    first, second = position.game.players
    words: dict[float | None, str] = {1.0: f"{first} (X) has won", 0.0: f"{second} (O) has won"}
    return words.get(position.result, "a draw")


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
