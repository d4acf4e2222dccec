"""How often would a side that resigns have won? Plays games to their end and counts.

    python benchmarks/resignation.py go:9 "auct(k=4,preset=fuego)" "uct(preset=fuego)" \
        --games 200 --playouts 1000

Nobody resigns in these games. For every limit in percent and number of searches in a row the table
says in how many games a side would have resigned, how many of those it won in the end, and what
share of all moves would have been saved. `--keep FILE` keeps the games as lines of JSON; the
same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from uctlab.arena.game import GameTask, opening
from uctlab.arena.plan import MatchPlan
from uctlab.games import Position
from uctlab.mcts.resigning import is_hopeless
from uctlab.mcts.searcher import make_searcher

LIMITS = (1, 2, 3, 5, 7, 10, 15, 20)
IN_A_ROW = (1, 2, 3)
Move = tuple[float, int]
"""The value of a move for the player who makes it, 1 if it wins at once, and its visits."""


def play(task: GameTask) -> dict[str, Any]:
    """One game of the match, with its result for the first player and its moves."""
    plan = task.plan
    game = plan.load_game()
    sides = "ab" if task.a_first else "ba"
    searchers = [make_searcher(game, plan.load_agent(side, game)) for side in sides]
    for side, searcher in enumerate(searchers):
        searcher.seed = plan.derive_seed(task.seed, side)
    position = opening(task, Position.start(game))
    moves: list[Move] = []
    while position.result is None:
        searcher = searchers[position.turn]
        report = searcher.search(position, playouts=plan.playouts)
        searcher.seed += 1
        best = next(move for move in report.moves if move.move == report.best)
        value = 1.0 if report.won or best.value is None else round(best.value, 5)
        moves.append((value, best.visits))
        position = position.play(report.best)
    return {"number": task.number, "result": position.result, "moves": moves}


def resigned(moves: list[Move], limit: float, in_a_row: int) -> int | None:
    """The number of the move instead of which a side resigns."""
    low = [0, 0]
    for ply, (value, visits) in enumerate(moves):
        low[ply % 2] = low[ply % 2] + 1 if is_hopeless(value, visits, limit / 100) else 0
        if low[ply % 2] == in_a_row:
            return ply
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("a")
    parser.add_argument("b")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    plan = MatchPlan(given.game, given.a, given.b, playouts=given.playouts)
    games = []
    if given.keep and given.keep.exists():
        games = [json.loads(line) for line in given.keep.read_text().splitlines()]
    for number in range(len(games), given.games):
        games.append(play(GameTask(plan, number)))
        if given.keep:
            with given.keep.open("a") as file:
                file.write(json.dumps(games[-1]) + "\n")
    total = sum(len(game["moves"]) for game in games)
    print(f"{len(games)} games, {total / len(games):.1f} moves per game")
    print("limit  in a row  resigned  would have won  moves saved  moves per game")
    for limit in LIMITS:
        for in_a_row in IN_A_ROW:
            ends = [(game, resigned(game["moves"], limit, in_a_row)) for game in games]
            given_up = [(game, ply) for game, ply in ends if ply is not None]
            wrong = sum(game["result"] == 1.0 - ply % 2 for game, ply in given_up)
            saved = sum(len(game["moves"]) - ply for game, ply in given_up)
            left = (total - saved) / len(games)
            print(
                f"{limit:3} %  {in_a_row:8}  {len(given_up):8}  {wrong:14}  "
                f"{100 * saved / total:9.1f} %  {left:14.1f}"
            )


if __name__ == "__main__":
    main()
