"""Yoshimoto, Kishimoto, Kaneko, Yoshizoe: Depth-First UCT and Its Application to Go.

The abstract's two claims: 3 % less running time than UCT, and comparable solving ability.
"""

from __future__ import annotations

import random
import statistics
from dataclasses import replace

from uctlab.arena.search_task import SearchTask
from uctlab.arena.statistics import Score
from uctlab.bench.search import measure_rounds
from uctlab.games import Position, make_game
from uctlab.games.solve import solve
from uctlab.papers import go_problems
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.problems import DIVISORS, Problem, Solved, solve_all
from uctlab.papers.report import Percent, Table

PAPER = (
    "H. Yoshimoto, A. Kishimoto, T. Kaneko, K. Yoshizoe: Depth-First UCT and Its Application to "
    "Go. Game Programming Workshop, 2007"
)
TIMED = ("go:9", "othello", "hex:11", "havannah:5")
PUBLISHED_TIME = 0.97  # of UCT's
TIMED_PLAYOUTS = 50_000
AGENTS = ("uct", "dfuct", "dfuct(rivals=all)")
AGREE_ON = ("go:9", "othello")  # middle-game positions
DEPTHS = (10, 40)  # how many moves they are from the start, at least and at most
# Positions near the end of random games, solved exactly; the number of random moves.
PROBLEMS = {"othello": 50, "hex:4": 4, "hex:5": 14, "havannah:3": 8}
GO_SIZE = 9  # of the problems of Go
SECONDS_PER_PLAYOUT = 1 / 250_000
SECONDS_PER_PROBLEM = 0.1  # to find and solve it


def make_problems(game: str, plies: int, number: int, seed: int) -> list[Problem]:
    """Positions after that many random moves in which the choice of the next move matters."""
    chance = random.Random(f"{game} {plies} {seed}")
    start = Position.start(make_game(game))
    problems: list[Problem] = []
    while len(problems) < number:
        position = _random_game(start, plies, chance)
        if position.is_over:
            continue
        solution = solve(position)
        if len(solution.best) < len(position.legal):
            names = " ".join(position.game.move_name(move) for move in position.moves)
            problems.append(Problem(game, names, game, frozenset(solution.best), moves=names))
    return problems


def _random_game(start: Position, plies: int, chance: random.Random) -> Position:
    position = start
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(chance.choice(position.legal))
    return position


def run(context: ExperimentContext) -> Findings:
    timing, ratios = _timing(context)
    solved = _solving(context)
    agreeing, agreement = _agreement(context)
    time_text = ", ".join(f"{game} {ratio:.3f}" for game, ratio in ratios.items())
    notes = (
        "dfuct compares the chosen move only with the second-best one, as the paper does; "
        "dfuct(rivals=all) compares it with all moves and builds the same tree as UCT.",
        "The Go problems are the 9x9 ones of go-problems; the paper does not print its own. The "
        "others are positions from random games, solved exactly, in which some moves keep the "
        "best result and some do not.",
        "Times are CPU times of searches from the opening position: agents take turns, and the "
        "median over the rounds counts.",
    )
    return Findings(
        summary=(
            f"Depth-first UCT's time per playout, as a fraction of UCT's: {time_text} (published: "
            f"{PUBLISHED_TIME}). {_compare(solved)} {agreement}",
        ),
        tables=(timing, solved.solving_table("Problems solved, overall and by game"), agreeing),
        figures=solved.figures(),
        notes=notes,
    )


def _timing(context: ExperimentContext) -> tuple[Table, dict[str, float]]:
    playouts = min(TIMED_PLAYOUTS, context.size.playouts)
    ratios: dict[str, float] = {}
    rows = []
    for spec in TIMED:
        position = Position.start(make_game(spec))
        times = measure_rounds(position, AGENTS[:2], playouts=playouts, seed=context.seed)
        ratios[spec] = statistics.median(
            own / plain for own, plain in zip(times["dfuct"], times["uct"], strict=True)
        )
        micros = [1e6 * statistics.median(times[agent]) / playouts for agent in AGENTS[:2]]
        published = PUBLISHED_TIME if position.game.family == "go" else None
        rows.append((spec, *micros, ratios[spec], published))
    columns = ("game", "uct, microseconds", "dfuct, microseconds", "dfuct / uct", "published")
    return Table("time", "Time per playout", columns, tuple(rows)), ratios


def _solving(context: ExperimentContext) -> Solved:
    """As many Go problems as problems of each other game, repeated if there are too few."""
    tries = [
        (problem, 0)
        for game, plies in PROBLEMS.items()
        for problem in make_problems(game, plies, context.size.repeats, context.seed)
    ]
    of_go = [
        replace(problem, kind="go")
        for problem in go_problems.problems()
        if make_game(problem.game).options["size"] == GO_SIZE
    ]
    random.Random(context.seed).shuffle(of_go)
    numbers = range(context.size.repeats)
    return solve_all(
        context, AGENTS, [(of_go[i % len(of_go)], i // len(of_go)) for i in numbers] + tries
    )


def _agreement(context: ExperimentContext) -> tuple[Table, str]:
    """How often dfuct chooses uct's move, and how often uct does with different random numbers."""
    chance = random.Random(context.seed)
    pairs: dict[tuple[str, str], list[tuple[SearchTask, SearchTask]]] = {}
    for game in AGREE_ON:
        start = Position.start(make_game(game))
        for number in range(context.size.repeats):
            position = start
            while position is start or position.is_over:
                position = _random_game(start, chance.randint(*DEPTHS), chance)
            moves = " ".join(position.game.move_name(move) for move in position.moves)
            plain, again, depth_first = (
                SearchTask(game, agent, context.size.playouts, seed, moves=moves)
                for agent, seed in (
                    ("uct", context.derive_seed("one", number)),
                    ("uct", context.derive_seed("two", number)),
                    ("dfuct", context.derive_seed("three", number)),
                )
            )
            pairs.setdefault((game, "uct"), []).append((plain, again))
            pairs.setdefault((game, "dfuct"), []).append((plain, depth_first))
    outcomes = context.tasks(
        list(dict.fromkeys(task for group in pairs.values() for pair in group for task in pair))
    )
    rows = []
    agree: dict[tuple[str, str], Percent | None] = {}
    for (game, agent), group in pairs.items():
        known = [pair for pair in group if all(task in outcomes for task in pair)]
        same = sum(outcomes[first] == outcomes[second] for first, second in known)
        agree[game, agent] = Percent.of(Score(same, 0, len(known) - same))
        rows.append((game, agent, len(known), agree[game, agent]))
    texts = [
        f"{game} {d.value:.0f} % (uct with itself {u.value:.0f} %)"
        for game in AGREE_ON
        if (d := agree[game, "dfuct"]) and (u := agree[game, "uct"])
    ]
    columns = ("game", "agent", "positions", "same move as uct")
    table = Table(
        "agreement",
        "How often another search, with different random numbers, chooses the move of a uct search",
        columns,
        tuple(rows),
    )
    return table, f"It chooses UCT's move in: {', '.join(texts)}."


def _compare(solved: Solved) -> str:
    most = solved.budgets[-1]
    texts = []
    for kind, what in (("go", "the Go problems"), ("", "all problems")):
        some = solved.by_kind[kind] if kind else solved
        plain, own = (some.share(agent, most) for agent in AGENTS[:2])
        if plain is None or own is None:
            return ""
        verdict = "comparable, as published" if own.overlaps(plain) else "not comparable"
        texts.append(f"{own.value:.1f} % of {what}, UCT {plain.value:.1f} % ({verdict})")
    return f"With {most:,} playouts it solves {' and '.join(texts)}."


def cost(size: Size) -> float:
    searches = len(AGENTS) * (1 + len(PROBLEMS)) * sum(1 / d for d in DIVISORS) + 3 * len(AGREE_ON)
    timing = 7 * 2 * len(TIMED) * min(TIMED_PLAYOUTS, size.playouts)
    solving = size.repeats * len(PROBLEMS) * SECONDS_PER_PROBLEM
    return (size.repeats * searches * size.playouts + timing) * SECONDS_PER_PLAYOUT + solving


EXPERIMENTS = (
    Experiment(
        id="yoshimoto2007",
        title="Depth-first UCT against plain UCT: time, agreement, solving ability",
        source=f"{PAPER} (abstract).",
        quick=Size(repeats=20, playouts=6_400),
        full=Size(repeats=500, playouts=51_200),
        run=run,
        cost=cost,
        unit="searches",
    ),
)
