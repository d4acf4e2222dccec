"""uctlab play: play against an agent in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from uctlab.agents import make_agent, with_threads
from uctlab.cli.arguments import (
    GameName,
    Moves,
    PlayoutBudget,
    PositionFile,
    Seed,
    Threads,
    TimeBudget,
    position_of,
)
from uctlab.cli.show import outcome
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.budget import Budget
from uctlab.mcts.searcher import AnySearcher, make_searcher

HELP = "Type a move, or one of: moves, undo, hint, help, quit"


def play(
    game: GameName,
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="AGENT",
            help="Your opponent; see uctlab agents. Default: the game's own, as in the lab.",
        ),
    ] = None,
    moves: Moves = "",
    position: PositionFile = None,
    playouts: PlayoutBudget = None,
    seconds: TimeBudget = None,
    threads: Threads = None,
    second: Annotated[bool, typer.Option("--second", help="Let the agent move first.")] = False,
    seed: Seed = 0,
) -> None:
    """Play against an agent. By default it thinks for one second per move."""
    rules = make_game(game)
    opponent = make_agent(with_threads(agent or rules.agent, threads))
    searcher = make_searcher(rules, opponent, seed=seed, reuse=True)
    now = position_of(rules, moves, position)
    if playouts is None and seconds is None:
        seconds = 1.0
    Budget(playouts, seconds)  # reports a mistake at once
    person = 1 if second else 0
    print(f"You are {rules.players[person]} ({'XO'[person]}) against {opponent}. {HELP}")
    while not now.is_over:
        if now.turn == person:
            print(now)
            answer = _ask(now, person, searcher, playouts, seconds)
            if answer is None:
                print("The game ends here.")
                return
            now = answer
        else:
            report = searcher.search(now, playouts=playouts, seconds=seconds)
            chance = next(move.value for move in report.moves if move.move == report.best)
            hope = "" if chance is None else f" (it expects {100 * chance:.0f} %)"
            print(f"{rules.players[now.turn]} plays {report.best}{hope}")
            now = now.play(report.best)
    print(now)
    print(outcome(now))


def _ask(
    now: Position,
    person: int,
    searcher: AnySearcher,
    playouts: int | None,
    seconds: float | None,
) -> Position | None:
    """The position after the person's input; None if the person quits."""
    while True:
        try:
            word = input("your move: ").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        if word in ("quit", "exit"):
            return None
        if word in ("help", "?", ""):
            print(HELP)
        elif word == "moves":
            print(" ".join(now.legal_moves))
        elif word == "hint":
            print(searcher.search(now, playouts=playouts, seconds=seconds))
        elif word == "undo":
            back = now.before
            while back is not None and back.turn != person:
                back = back.before
            if back is not None:
                return back
            print("there is nothing to take back")
        else:
            try:
                return now.play(word)
            except UsageError as mistake:
                print(mistake)
