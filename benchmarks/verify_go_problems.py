"""Checks the Go problems by long searches, and shows what GNU Go plays.

    python benchmarks/verify_go_problems.py [--playouts 200000] [--seeds 3] [word ...]

After every legal move the opponent searches: its best move must be worth more than 0.9 after a
wrong move and less than 0.1 after a right one. Unclear moves get five times the playouts. Then
searches from the problem itself, with several seeds, must choose a right move. GNU Go's move is
shown for comparison and decides nothing. With words, only problems whose kind and name contain one
of them are checked. This takes about an hour on one core; the exit code is 1 if a problem fails.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher
from uctlab.papers.go_problems import problems
from uctlab.papers.problems import Problem
from uctlab.protocol.gtp_client import GAME_FOLDERS

AGENT = "uct(c=0.6)"
CLEAR = 0.9
LONGER = 5
COLORS = ("black", "white")


def value_after(position: Position, playouts: int, seed: int) -> float:
    """The value of the last move for the player who made it, from a search by the opponent."""
    if position.is_over:
        return position.result if position.turn == 1 else 1.0 - position.result
    report = Searcher(position.game, make_agent(AGENT), seed=seed).search(
        position, playouts=playouts
    )
    return 0.0 if report.won else 1.0 - (report.moves[0].value or 0.0)


def verdicts(position: Position, playouts: int) -> dict[str, float]:
    """The value of each legal move."""
    values = {}
    for name in position.legal_moves:
        after = position.play(name)
        value = value_after(after, playouts, 1)
        if 1 - CLEAR < value < CLEAR:
            value = value_after(after, LONGER * playouts, 2)
        values[name] = value
    return values


def gnu_go_move(position: Position) -> str:
    """The move that GNU Go plays; "-" if it is not installed, "?" if it fails."""
    game = position.game
    size, _, komi = game.name.removeprefix("go:").partition(",komi=")
    lines = [f"boardsize {size}", f"komi {komi or 7.5}"]
    lines += [
        f"play {COLORS[owner - 1]} {game.move_name(point)}"
        for point, owner in enumerate(position.stones.tolist())
        if owner
    ]
    lines += [f"reg_genmove {COLORS[position.turn]}", "quit"]
    program = shutil.which("gnugo") or shutil.which("gnugo", path=GAME_FOLDERS)
    if program is None:
        return "-"
    done = subprocess.run(
        [program, "--mode", "gtp", "--level", "10", "--chinese-rules"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    answers = [line[1:].strip() for line in done.stdout.splitlines() if line.startswith("=")]
    return answers[-2] if len(answers) == len(lines) else "?"


def check(problem: Problem, playouts: int, seeds: int) -> bool:
    """Whether a problem holds; prints what was found."""
    game = make_game(problem.game)
    position = Position.from_diagram(game, problem.diagram)
    values = verdicts(position, playouts)
    right = [value for name, value in values.items() if name in problem.right]
    wrong = [value for name, value in values.items() if name not in problem.right]
    chosen = [
        Searcher(game, make_agent(AGENT), seed=seed).search(position, playouts=playouts).best
        for seed in range(seeds)
    ]
    solved = sum(move in problem.right for move in chosen)
    holds = min(right) > CLEAR and max(wrong) < 1 - CLEAR and solved == seeds
    gnu = gnu_go_move(position)
    verdict = "right" if gnu.upper() in {move.upper() for move in problem.right} else "other"
    print(
        f"{'holds' if holds else 'FAILS'}  {problem.kind}: {problem.name}  "
        f"{problem.game}  right {' '.join(sorted(problem.right))} at least {min(right):.2f}, "
        f"wrong at most {max(wrong):.2f}, chosen {solved}/{seeds}, GNU Go {gnu} ({verdict})",
        flush=True,
    )
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--playouts", type=int, default=200_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    chosen = [
        problem
        for problem in problems()
        if not options.words
        or any(word in f"{problem.kind}: {problem.name}" for word in options.words)
    ]
    held = [check(problem, options.playouts, options.seeds) for problem in chosen]
    print(f"{sum(held)} of {len(held)} problems hold")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
