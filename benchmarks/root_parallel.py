"""What many trees of one position are worth, whose roots are added up.

    python benchmarks/root_parallel.py othello hex:11 --games 100 --seconds 0.5 --threads 16
    python benchmarks/root_parallel.py othello --on-cpu --trees 32 --playouts 6400 --against 1600

The first needs a GPU, which plays against threads that share one tree on the CPU, in about the same
wall time per move. A GPU has no clock to stop at, so its playouts are set at the start of the game
such that one search takes --seconds; the table says what the moves of both sides took on average.
The second needs none (root= of an agent), and plays against one tree with so many playouts. Games
come in pairs with one random opening and colours changed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import dataclass, field

from uctlab.agents import make_agent
from uctlab.arena.statistics import Score
from uctlab.devices.cuda_roots import TREES, CudaRoots
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher

OPENING = 4  # random moves
SEED = 1_000_000  # of the other side: not the random numbers of the trees


@dataclass
class Side:
    """A searcher, its budget, and what its moves have taken."""

    searcher: CudaRoots | Searcher
    budget: dict[str, float | int]
    moves: int = 0
    seconds: float = 0.0
    playouts: int = 0
    points: list[float] = field(default_factory=list)

    def choose(self, position: Position) -> str:
        begin = time.perf_counter()
        report = self.searcher.search(position, **self.budget)
        self.seconds += time.perf_counter() - begin
        self.moves += 1
        self.playouts += report.playouts
        self.searcher.seed += 1
        return report.best


def calibrated(searcher: CudaRoots, start: Position, seconds: float) -> int:
    """How many playouts take so long, from the start of the game."""
    playouts = searcher.trees
    searcher.warm_up(start)
    while True:
        begin = time.perf_counter()
        searcher.search(start, playouts=playouts)
        spent = time.perf_counter() - begin
        if spent >= seconds / 2:
            return max(searcher.trees, int(playouts * seconds / spent))
        playouts *= 2


def opening(start: Position, seed: int) -> Position:
    rng = random.Random(seed)
    position = start
    for _ in range(OPENING):
        position = position.play(rng.choice(position.legal))
    return position


def play(first: Side, second: Side, position: Position) -> float:
    """The result for the first side."""
    turn = position.turn
    while position.result is None:
        side = first if position.turn == turn else second
        position = position.play(side.choose(position))
    return position.result if turn == 0 else 1.0 - position.result


def match(trees: Side, other: Side, start: Position, games: int) -> None:
    for number in range(games):
        sides = (trees, other) if number % 2 == 0 else (other, trees)
        result = play(*sides, opening(start, number // 2))
        trees.points.append(result if number % 2 == 0 else 1.0 - result)
        done = f"{sum(trees.points):g} of {number + 1} points"
        print(f"\r  {done}", end="\n" if number + 1 == games else "", file=sys.stderr, flush=True)
    wins, draws = trees.points.count(1.0), trees.points.count(0.5)
    score = Score(wins, draws, games - wins - draws)
    low, high = score.wilson or (0.0, 100.0)
    print(f"  the trees score {score.percent:.1f} % of {games} games ({low:.1f} to {high:.1f} %)")
    for name, side in (("trees", trees), ("other", other)):
        print(
            f"  {name}: {side.seconds / side.moves:.3f} s and "
            f"{side.playouts / side.moves:,.0f} playouts per move, "
            f"{side.playouts / side.seconds:,.0f} per second"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games_to_play", nargs="+", metavar="GAME")
    parser.add_argument("--agent", default="uct")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--trees", type=int, default=TREES)
    parser.add_argument("--playouts", type=int, help="of all trees; without it they are measured")
    parser.add_argument("--against", type=int, help="playouts of one tree of one thread")
    parser.add_argument("--on-cpu", action="store_true", help="the trees too; give --playouts")
    options = parser.parse_args()
    for name in options.games_to_play:
        game = make_game(name)
        start = Position.start(game)
        trees: CudaRoots | Searcher
        if options.on_cpu:
            trees = Searcher(game, _with(options.agent, f"root={options.trees}"))
            made = options.playouts
        else:
            trees = CudaRoots(game, make_agent(options.agent), trees=options.trees)
            made = options.playouts or calibrated(trees, start, options.seconds)
        if options.against:
            print(f"{name}: {options.trees:,} trees, {made:,} playouts, one: {options.against:,}")
            other = Side(Searcher(game, options.agent, seed=SEED), {"playouts": options.against})
        else:
            print(f"{name}: {options.trees:,} trees against {options.threads} threads, equal time")
            threads = _with(options.agent, f"threads={options.threads}")
            other = Side(Searcher(game, threads), {"seconds": options.seconds})
        other.searcher.warm_up(start, timed=True)
        match(Side(trees, {"playouts": made}), other, start, options.games)


def _with(agent: str, option: str) -> str:
    """The agent's text with one more option."""
    return f"{agent.rstrip(')')}{',' if '(' in agent else '('}{option})"


if __name__ == "__main__":
    main()
