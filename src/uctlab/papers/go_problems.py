"""Reads the Go problems that come with uctlab and measures which agents solve them.

The problems are in `go_problems.txt`: diagrams with a komi for which the right moves win the game
and all others lose it. `benchmarks/verify_go_problems.py` checks them by long searches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from uctlab.errors import UsageError
from uctlab.games.registry import game_spec
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.problems import DIVISORS, Problem, Solved, solve_all

FILE = Path(__file__).with_suffix(".txt")
KINDS = {
    "ladder": "stones run, and only one direction is right",
    "snapback": "a stone is sacrificed to capture more",
    "life": "make two eyes, or prevent them",
    "seki": "live together instead of dying",
    "race": "two chains, one of which dies first",
    "cut": "cut or connect",
}
LIGHT = ("uct", "tuned", "dfuct", "uct(rave=fuego)", "auct(k=3)")
HEAVY = ("fuego(knowledge=rules)", "auct(k=4,preset=fuego)")
PLAYOUTS_PER_SECOND = {LIGHT: 130_000, HEAVY: 25_000}


def read_problems(path: Path) -> tuple[Problem, ...]:
    """All problems of a file, in its order."""
    blocks: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            blocks.append([])
        if blocks and line.strip():
            blocks[-1].append(line)
    return tuple(_read(path, block) for block in blocks)


def _read(path: Path, lines: Sequence[str]) -> Problem:
    """'= kind: name', the board, 'X to play', 'komi 0.5', 'right A1 B2'."""
    try:
        title, *board, turn, komi, right = lines
        kind, name = title.removeprefix("= ").split(": ")
        komi_word, points = komi.split()
        right_word, *moves = right.split()
    except ValueError:
        raise UsageError(f"{path}: '{lines[0]}' is not a complete problem") from None
    if kind not in KINDS or (komi_word, right_word) != ("komi", "right") or not moves:
        raise UsageError(
            f"{path}: '{lines[0]}' needs a kind ({', '.join(KINDS)}), a komi and right moves"
        )
    game = game_spec("go", size=len(board), komi=points)
    return Problem(kind, name, game, frozenset(moves), "\n".join((*board, turn)))


@cache
def problems() -> tuple[Problem, ...]:
    """Those that come with uctlab."""
    return read_problems(FILE)


def run(context: ExperimentContext) -> Findings:
    tries = [(problem, number) for problem in problems() for number in range(context.size.repeats)]
    solved = solve_all(context, LIGHT + HEAVY, tries)
    counts = {kind: sum(problem.kind == kind for problem in problems()) for kind in solved.kinds}
    contents = ", ".join(f"{count} {kind} ({KINDS[kind]})" for kind, count in counts.items())
    return Findings(
        summary=(_answer(solved),),
        tables=(solved.solving_table("Problems solved, overall and by kind"),),
        figures=solved.figures(),
        notes=(
            f"{len(problems())} problems made for uctlab: {contents}. Area scoring; komi is such "
            "that the right moves win and all others lose.",
            "Every problem was checked: after each wrong move a long search by the opponent wins, "
            "after each right one it loses.",
            "All agents search a problem with the same random numbers, so that agents that build "
            "nearly the same tree, such as uct and dfuct, choose the same moves.",
        ),
    )


def _answer(solved: Solved) -> str:
    most = solved.budgets[-1]
    shares = {agent: solved.scores[agent, most].percent for agent in solved.players}
    known = {agent: share for agent, share in shares.items() if share is not None}
    if not known:
        return "No search was finished."
    parts = []
    for agent, share in sorted(known.items(), key=lambda item: -item[1]):
        kinds = {k: part for k, part in solved.percents(agent, most).items() if part is not None}
        worst = min(kinds, key=lambda kind: kinds[kind])
        weakness = f" (weakest: {worst}, {kinds[worst]:.0f} %)" if share < 100 else ""
        parts.append(f"{agent} {share:.1f} %{weakness}")
    return f"Share of the problems solved with {most:,} playouts: {'; '.join(parts)}."


def cost(size: Size) -> float:
    playouts = size.repeats * len(problems()) * sum(size.playouts / d for d in DIVISORS)
    return sum(len(agents) * playouts / speed for agents, speed in PLAYOUTS_PER_SECOND.items())


EXPERIMENTS = (
    Experiment(
        id="go-problems",
        title="Go problems: ladders, snapbacks, life and death, seki, races, cuts",
        source="Problems made for uctlab; they are from no paper.",
        quick=Size(repeats=2, playouts=1_600),
        full=Size(repeats=100, playouts=6_400),
        run=run,
        cost=cost,
        unit="searches",
    ),
)
