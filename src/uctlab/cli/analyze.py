"""uctlab analyze: one search, and what it found."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from uctlab.agents import make_agent
from uctlab.cli.arguments import (
    GameName,
    Json,
    Moves,
    OptionalAgent,
    PlayoutBudget,
    PositionFile,
    Seed,
    TimeBudget,
    position_of,
    print_json,
)
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.report import SearchReport
from uctlab.mcts.searcher import Searcher, check_budget
from uctlab.mcts.storage import load_tree, save_tree


def analyze(
    game: GameName,
    agent: OptionalAgent = None,
    moves: Moves = "",
    position: PositionFile = "",
    playouts: PlayoutBudget = None,
    seconds: TimeBudget = None,
    seed: Seed = 0,
    memory: Annotated[int, typer.Option(help="Most MiB of nodes.", min=1)] = 1024,
    save: Annotated[Path | None, typer.Option(help="Write the tree to this file.")] = None,
    load: Annotated[
        Path | None, typer.Option(help="Go on with a saved tree, its position and its agent.")
    ] = None,
    export: Annotated[Path | None, typer.Option(help="Write the tree as JSON.")] = None,
    depth: Annotated[int, typer.Option(help="Depth of --export.", min=0)] = 3,
    json: Json = False,
) -> None:
    """Search a position and report the moves; Ctrl-C ends the search with what is known."""
    check_budget(playouts, seconds)
    if load is not None:
        if agent or moves or position:
            raise UsageError("--load brings its agent and position; leave out the others")
        searcher = load_tree(load, game)
        assert searcher.position is not None
        root = searcher.position
    else:
        rules = make_game(game)
        searcher = Searcher(rules, make_agent(agent or "uct"), seed=seed, memory=memory * 2**20)
        root = position_of(rules, moves, position)
    for path in filter(None, (save, export)):
        _check_writable(path)  # told before the search, not after it
    report = _search(searcher, root, playouts, seconds)
    if save is not None:
        save_tree(searcher, save)
    if export is not None:
        export.write_text(json_module.dumps(searcher.export(depth)), encoding="utf-8")
    if json:
        print_json(report.as_json())
    else:
        print(root)
        print(report)


def _check_writable(path: Path) -> None:
    try:
        path.open("ab").close()
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _search(
    searcher: Searcher, root: Position, playouts: int | None, seconds: float | None
) -> SearchReport:
    console = Console(stderr=True)
    if not console.is_terminal:
        return searcher.search(root, playouts=playouts, seconds=seconds)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("searching", total=1.0)

        def show(made: int, spent: float) -> None:
            parts = [made / playouts] if playouts else []
            parts += [spent / seconds] if seconds else []
            text = f"{made:,} playouts"
            bar.update(task, completed=max(parts), description=text)

        return searcher.search(root, playouts=playouts, seconds=seconds, progress=show)
