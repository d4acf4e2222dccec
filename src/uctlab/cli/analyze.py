"""uctlab analyze: search a position and report the moves, or solve it exactly if it is small."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

from uctlab.agents import make_agent, with_threads
from uctlab.api.progress import progress_bar
from uctlab.atomic_files import check_replaceable, replace_file
from uctlab.cli.arguments import (
    GameName,
    Json,
    Memory,
    Moves,
    OptionalAgent,
    PlayoutBudget,
    PositionFile,
    Seed,
    Threads,
    TimeBudget,
    Trust,
    position_of,
    print_json,
)
from uctlab.errors import LabError, UsageError
from uctlab.games import Position, make_game
from uctlab.games.named import letters_of
from uctlab.games.solve import Solution, solve
from uctlab.mcts.budget import Budget
from uctlab.mcts.report import SearchReport
from uctlab.mcts.searcher import AnySearcher, Searcher, make_searcher
from uctlab.mcts.storage import load_tree, save_tree

TRUTHS = {1.0: "wins", 0.5: "draws", 0.0: "loses"}


def analyze(
    game: GameName,
    agent: OptionalAgent = None,
    moves: Moves = "",
    position: PositionFile = None,
    playouts: PlayoutBudget = None,
    seconds: TimeBudget = None,
    threads: Threads = None,
    seed: Seed = 0,
    memory: Memory = 1024,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the tree to this file.")
    ] = None,
    load: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Continue a saved tree, with its position and agent."),
    ] = None,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the top of the tree as JSON.")
    ] = None,
    depth: Annotated[int, typer.Option(metavar="N", help="Depth of the exported tree.", min=0)] = 3,
    solved: Annotated[
        bool,
        typer.Option("--solve", help="Solve the position: which moves win. For small games."),
    ] = False,
    limit: Annotated[
        int, typer.Option(help="Maximum number of positions for --solve.", metavar="N", min=1)
    ] = 50_000_000,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Search a position and report the moves. Ctrl-C ends the search early and reports as usual.

    A search needs --playouts, --seconds or both. With --solve the position is solved first;
    without a budget it is solved and not searched.
    """
    if solved and playouts is None and seconds is None:
        if any(option is not None for option in (agent, load, save, export)):
            raise UsageError("--agent, --load, --save and --export need --playouts or --seconds")
        _only_solve(position_of(make_game(game), moves, position), limit, json)
        return
    Budget(playouts, seconds)  # reports a mistake at once
    if load is not None:
        if moves or any(option is not None for option in (agent, position, threads)):
            raise UsageError(
                "--load brings its own agent and position; it cannot be used with --agent, "
                "--moves, --position or --threads"
            )
        loaded = load_tree(load, game, memory=memory * 2**20, trust=trust)
        assert loaded.position is not None
        searcher: AnySearcher = loaded
        root = loaded.position
    else:
        rules = make_game(game)
        who = make_agent(with_threads("uct" if agent is None else agent, threads))
        searcher = make_searcher(rules, who, seed=seed, memory=memory * 2**20)
        root = position_of(rules, moves, position)
    for path in filter(None, (save, export)):
        _ = searcher.tree  # an agent with several is refused before the search, not after it
        _check_writable(path, only_file=path is save)
    solution = _solve(root, limit) if solved else None
    report = _search(searcher, root, playouts, seconds)
    report = _annotated(report, letters_of(root), solution)
    _show(root, report, solution, json)
    if save is not None:
        assert isinstance(searcher, Searcher)  # others were refused above
        save_tree(searcher, save)
    if export is not None:
        _export(searcher, export, depth)


def _show(root: Position, report: SearchReport, solution: Solution | None, json: bool) -> None:
    """Print the report at once: what follows may fail, or be killed."""
    if json:
        facts = report.as_json()
        if solution is not None:
            facts["truth"] = TRUTHS[solution.value]
            facts["positions"] = solution.positions
        print_json(facts)
    else:
        print(root)
        print(report)
        if solution is not None:
            print(_verdict(root, solution, letters_of(root)))
    sys.stdout.flush()


def _export(searcher: AnySearcher, path: Path, depth: int) -> None:
    text = json_module.dumps(searcher.tree.view().export(depth))
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise LabError(f"cannot write {path}: {error.strerror}") from None


def _check_writable(path: Path, *, only_file: bool) -> None:
    try:
        check_replaceable(path, only_file=only_file)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _search(
    searcher: AnySearcher, root: Position, playouts: int | None, seconds: float | None
) -> SearchReport:
    searcher.warm_up(root, timed=seconds is not None)  # before the bar: it has a line of its own
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with progress_bar(*columns) as bar:
        task = bar.add_task("searching", total=1.0)

        def show(made: int, spent: float) -> None:
            parts = [made / playouts] if playouts else []
            parts += [spent / seconds] if seconds else []
            text = f"{made:,} playouts"
            bar.update(task, completed=max(parts), description=text)

        return searcher.search(root, playouts=playouts, seconds=seconds, progress=show)


def _annotated(
    report: SearchReport, letters: Mapping[str, str], solution: Solution | None
) -> SearchReport:
    """The report, with a paper's letters and the exact results added to the moves."""
    truths = {name: TRUTHS[value] for name, value in solution.moves.items()} if solution else {}
    moves = tuple(
        replace(move, letter=letters.get(move.move), truth=truths.get(move.move))
        for move in report.moves
    )
    return replace(report, moves=moves)


def _solve(root: Position, limit: int) -> Solution:
    if root.is_over:
        raise UsageError(f"{root.game.name}: the game is over, there is nothing to solve")
    with progress_bar(TextColumn("{task.description}"), BarColumn()) as bar:
        task = bar.add_task("solving", total=len(root.legal))

        def show(moves: int, positions: int) -> None:
            bar.update(task, completed=moves, description=f"{positions:,} positions")

        return solve(root, limit, show)


def _only_solve(root: Position, limit: int, json: bool) -> None:
    solution = _solve(root, limit)
    letters = letters_of(root)
    if json:
        print_json(_solution_facts(root, solution, letters))
        return
    print(root)
    columns = ["move", "letter", "truth"] if letters else ["move", "truth"]
    print("  ".join(f"{title:>12}" for title in columns))
    for name, value in solution.moves.items():
        cells = {"move": name, "letter": letters.get(name, ""), "truth": TRUTHS[value]}
        print("  ".join(f"{cells[title]:>12}" for title in columns))
    print(_verdict(root, solution, letters))


def _solution_facts(
    root: Position, solution: Solution, letters: Mapping[str, str]
) -> dict[str, Any]:
    moves = [
        {
            "move": name,
            **({"letter": letters[name]} if name in letters else {}),
            "truth": TRUTHS[value],
        }
        for name, value in solution.moves.items()
    ]
    return {
        "game": root.game.name,
        "to_move": root.game.players[root.turn],
        "truth": TRUTHS[solution.value],
        "best": list(solution.best),
        "moves": moves,
        "positions": solution.positions,
    }


def _verdict(root: Position, solution: Solution, letters: Mapping[str, str]) -> str:
    player, truth = root.game.players[root.turn], TRUTHS[solution.value]
    named = [f"{n} ({letters[n]})" if n in letters else n for n in solution.best]
    moves = "" if truth == "loses" else " with " + " ".join(named)
    return f"solved: {player} {truth}{moves}; {solution.positions:,} positions"
