"""Simulations per CPU second of the agent fuego and of Fuego 1.1, in turns on the same positions.

    python benchmarks/beside_fuego.py 'fuego --quiet --nobook --config fuego.gtp' [--playouts 3000]

fuego.gtp is that of results/go-against-fuego-1.1, with as many max_games as --playouts; Fuego
itself says how many it has played. The positions are the 180 of tests/data. CPU time is that of
all threads of each program, so it needs Linux. Both share a processor's caches with whatever else
runs, so the ratio is lower on a busy machine; a round is one pass over all positions.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from go_facts import MEANS, read_facts

from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher
from uctlab.protocol.gtp_client import GtpEngine


class Fuego:
    """Fuego 1.1, asked for moves."""

    def __init__(self, command: str) -> None:
        self._engine = GtpEngine(command)
        self.seconds, self.playouts = 0.0, 0

    def search(self, moves: str) -> None:
        send = self._engine.send
        send("clear_board")
        names = moves.split()
        for number, name in enumerate(names):
            send("play", "bw"[number % 2], name)
        begin = self._cpu()
        send("reg_genmove", "bw"[len(names) % 2])
        self.seconds += self._cpu() - begin
        told = send("uct_stat_search").split()
        self.playouts += int(told[told.index("GamesPlayed") + 1])

    def close(self) -> None:
        self._engine.close()

    def _cpu(self) -> float:
        """Seconds of all threads."""
        tasks = Path(f"/proc/{self._engine.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", help="starts Fuego with its configuration")
    parser.add_argument("--agent", default="fuego", help="ours")
    parser.add_argument("--playouts", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    game = make_game("go:9")
    start = Position.start(game)
    lines = [str(fact["moves"]) for fact in read_facts(MEANS)]
    searcher = Searcher(game, options.agent, seed=1)
    searcher.search(start, playouts=500)
    ratios = []
    for _ in range(options.rounds):
        fuego, seconds, playouts = Fuego(options.command), 0.0, 0
        for line in lines:
            position = start.play_all(line.lower())
            begin = time.process_time()
            playouts += searcher.search(position, playouts=options.playouts).playouts
            seconds += time.process_time() - begin
            fuego.search(line)
        fuego.close()
        ours, theirs = playouts / seconds, fuego.playouts / fuego.seconds
        ratios.append(ours / theirs)
        print(f"ours {ours:,.0f}, Fuego {theirs:,.0f} per CPU second: {ratios[-1]:.2f} times")
    middle = statistics.median(ratios)
    print(f"median {middle:.2f} times, {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
