"""What the moves of several players lose against the best of them, as a long search sees it.

    python benchmarks/move_quality.py fuego "fuego(prior=0.5)" 'gtp:fuego --quiet --nobook ...'

Matches say who is stronger, but a difference of two percent takes thousands of games. Here all
players choose moves in the same 180 positions of 9x9 Go (tests/data), several times each, and a
longer search by the first player values every move that anybody has chosen. What a move loses is
the difference to the best of these. The longer search has the habits of the first player, and so
favours it a little.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys

from go_facts import MEANS, read_facts

from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import make_player
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="the first one is an agent")
    parser.add_argument("--playouts", type=int, default=1000, help="of our agents, per move")
    parser.add_argument("--searches", type=int, default=8, help="of each player in each position")
    parser.add_argument("--reference", type=int, default=6000, help="playouts that value a move")
    options = parser.parse_args()
    game = make_game("go:9")
    start = Position.start(game)
    plans = [MatchPlan("go:9", name, "mc", playouts=options.playouts) for name in options.players]
    players = [make_player(game, plan, "a") for plan in plans]
    judge = Searcher(game, options.players[0], seed=1)
    lost: list[list[float]] = [[] for _ in players]
    positions = [start.play_all(str(fact["moves"]).lower()) for fact in read_facts(MEANS)]
    for number, position in enumerate(positions):
        chosen = []
        for player in players:
            moves = []
            for search in range(options.searches):
                player.begin(start, 1000 * number + search)
                moves.append(player.choose(position))
            chosen.append(moves)
        worth = {
            move: _value(judge, position, move, options.reference)
            for move in {move for moves in chosen for move in moves}
        }
        best = max(worth.values())
        for losses, moves in zip(lost, chosen, strict=True):
            losses.append(statistics.mean(best - worth[move] for move in moves))
        print(f"\r{number + 1} of {len(positions)} positions", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for player in players:
        player.close()
    for name, losses in zip(options.players, lost, strict=True):
        apart = [own - first for own, first in zip(losses, lost[0], strict=True)]
        error = statistics.stdev(apart) / math.sqrt(len(apart))
        print(
            f"{name}: loses {100 * statistics.mean(losses):.2f} % per move, "
            f"{100 * statistics.mean(apart):+.2f} ± {100 * error:.2f} of the first"
        )


def _value(judge: Searcher, position: Position, move: int | None, playouts: int) -> float:
    """The chance of winning of the player who makes the move, 0 to resign."""
    if move is None:
        return 0.0
    after = position.play(move)
    if after.result is not None:
        return after.result if position.turn == 0 else 1.0 - after.result
    report = judge.search(after, playouts=playouts)
    value = next(one.value for one in report.moves if one.move == report.best)
    return 1.0 - (value or 0.0)


if __name__ == "__main__":
    main()
