"""What many trees of one position are worth, whose roots are added up.

    python benchmarks/root_parallel.py othello hex:11 --games 100 --seconds 0.5 --threads 16
    python benchmarks/root_parallel.py othello --on-cpu --trees 32 --playouts 6400 --against 1600

The first needs a GPU, which plays against threads that share one tree on the CPU, in about the same
wall time per move. A GPU has no clock to stop at, so its playouts are set at the start of the game
such that one search takes --seconds; the table says what the moves of both sides took on average.
The second needs none (root= of an agent), and plays against one tree with so many playouts. Games
come in pairs with one random opening and colours changed. Every finished game is a line, and there
is a table of those also when the program is stopped, by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

from uctlab.agents import make_agent
from uctlab.arena.statistics import Score
from uctlab.devices.cuda_roots import TREES, CudaRoots
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher

OPENING = 4  # random moves
SEED = 1_000_000  # of the other side: not the random numbers of the trees
STEPS = 3  # of the search for the number of playouts, once it is known up to a factor of 2


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

    def spent(playouts: int) -> float:
        """The shorter of two times: the first search of its size may not know the room it needs."""
        times = []
        for _ in range(2):
            begin = time.perf_counter()
            searcher.search(start, playouts=playouts)
            times.append(time.perf_counter() - begin)
        return min(times)

    searcher.warm_up(start)
    return playouts_within(seconds, searcher.trees, spent)


def playouts_within(seconds: float, fewest: int, spent: Callable[[int], float]) -> int:
    """How many playouts take so long, at least `fewest`, if `spent` measures how long some take.

    Nothing is assumed but that more take longer: a search may have a fixed cost.
    """
    low, high = fewest, 2 * fewest
    below = spent(low)
    if below >= seconds:
        return low
    while (above := spent(high)) < seconds:
        low, below, high = high, above, 2 * high
    for _ in range(STEPS):
        middle = low + int((high - low) * (seconds - below) / (above - below))
        if (measured := spent(middle)) < seconds:
            low, below = middle, measured
        else:
            high, above = middle, measured
    return low + int((high - low) * (seconds - below) / (above - below))


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
    """Play the games; the table is printed even if something stops them."""
    try:
        for number in range(games):
            sides = (trees, other) if number % 2 == 0 else (other, trees)
            result = play(*sides, opening(start, number // 2))
            trees.points.append(result if number % 2 == 0 else 1.0 - result)
            print(f"  {sum(trees.points):g} of {number + 1} points", flush=True)
    finally:
        show(trees, other)


def show(trees: Side, other: Side) -> None:
    games, wins, draws = len(trees.points), trees.points.count(1.0), trees.points.count(0.5)
    score = Score(wins, draws, games - wins - draws)
    if games == 0:
        print("  no game was finished")
    else:
        low, high = score.wilson
        print(
            f"  the trees score {score.percent:.1f} % of {games} games ({low:.1f} to {high:.1f} %)"
        )
    for name, side in (("trees", trees), ("other", other)):
        if side.moves:
            print(
                f"  {name}: {side.seconds / side.moves:.3f} s and "
                f"{side.playouts / side.moves:,.0f} playouts per move, "
                f"{side.playouts / side.seconds:,.0f} per second"
            )
    sys.stdout.flush()


def stop(number: int, frame: FrameType | None) -> None:
    """Not by a KeyboardInterrupt, which a search takes as a wish for its report so far."""
    sys.exit(128 + number)


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
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
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
            what = f"one tree, {options.against:,} playouts"
            other = Side(Searcher(game, options.agent, seed=SEED), {"playouts": options.against})
        else:
            what = f"{options.threads} threads, equal time"
            threads = _with(options.agent, f"threads={options.threads}")
            other = Side(Searcher(game, threads), {"seconds": options.seconds})
        print(f"{name}: {options.trees:,} trees, {made:,} playouts, against {what}", flush=True)
        other.searcher.warm_up(start, timed=True)
        match(Side(trees, {"playouts": made}), other, start, options.games)


def _with(agent: str, option: str) -> str:
    """The agent's text with one more option."""
    return f"{agent.rstrip(')')}{',' if '(' in agent else '('}{option})"


if __name__ == "__main__":
    main()
