"""uctlab reproduce: repeat the papers' experiments and write reports."""

from __future__ import annotations

import shlex
import shutil
import sys
import textwrap
from pathlib import Path
from typing import Annotated

import typer

from uctlab.api.progress import game_progress
from uctlab.arena.plan import MatchSettings
from uctlab.cli.arguments import DeviceName, Json, MixVersions, Resign, Seed, Workers, print_json
from uctlab.errors import UsageError, name_hint
from uctlab.mcts.resigning import check_limit
from uctlab.papers.experiment import Experiment, checked_parts
from uctlab.papers.registry import EXPERIMENTS, find_experiments
from uctlab.papers.reproduce import INCOMPLETE, Reproduction
from uctlab.papers.reproduce import reproduce as reproduce_one
from uctlab.rules.fields import MAX_VISITS


def reproduce(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID",
            help="Experiments, or paths of .py files. Without any, list the experiments.",
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version that takes minutes. The default.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="The size that the paper used.")] = False,
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, metavar="N", help="Games or searches per cell."),
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts",
            min=1,
            max=MAX_VISITS,
            metavar="N",
            help="Playouts per move or search.",
        ),
    ] = None,
    cells: Annotated[
        list[str] | None,
        typer.Option(
            "--cell",
            metavar="CELL=N",
            help="Number of games for one cell, or for a group of cells that the experiment names; "
            "0: none.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="PART",
            help="Limit an experiment that has parts to this one; may be repeated. The league's "
            "parts are its games, budgets and agents; those of auto-decay are its rows.",
        ),
    ] = None,
    device: DeviceName = "cpu",
    workers: Workers = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Folder for the reports, with a subfolder each; made if it is missing.",
        ),
    ] = Path("results"),
    early: Annotated[
        bool,
        typer.Option("--early", help="Stop a match early when an SPRT has settled it."),
    ] = False,
    resign: Resign = 0.0,
    mix_versions: MixVersions = False,
    stored: Annotated[
        bool,
        typer.Option("--stored", help="Play nothing: report on the results that are stored."),
    ] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Repeat experiments of the papers and write reports, published figures beside ours.

    Ctrl-C stops with a report on what is finished; the same command continues from there.
    """
    if quick and full:
        raise UsageError("--quick and --full cannot be used together")
    check_limit("--resign", resign)
    if not ids:
        _list(json)
        return
    chosen = [experiment for name in ids for experiment in find_experiments(name)]
    settings = MatchSettings(seed=seed, device=device, workers=workers, mix_versions=mix_versions)
    done = []
    for experiment in chosen:
        size = (experiment.full if full else experiment.quick).with_changes(
            games,
            playouts,
            _cells(experiment, cells or []),
            resign,
            checked_parts(experiment, only or []),
        )
        folder = out / experiment.folder_name(size, seed)
        try:
            with game_progress(experiment.id) as progress:
                found = reproduce_one(
                    experiment,
                    size,
                    folder,
                    settings,
                    command=shlex.join(["uctlab", *sys.argv[1:]]),
                    early=early,
                    progress=progress,
                    stored=stored,
                )
        except KeyboardInterrupt:
            print("Stopped before the report; finished games are saved in", folder, file=sys.stderr)
            raise
        done.append(found)
        if not json:
            _show(found)
        if not found.complete:
            break
    if json:
        print_json({"experiments": [found.as_json() for found in done]})


def _cells(experiment: Experiment, texts: list[str]) -> dict[str, int]:
    """Read options such as "1.2=30": the number of games of each cell."""
    games = {}
    for text in texts:
        name, _, count = text.rpartition("=")
        if name not in experiment.cells or not count.isascii() or not count.isdigit():
            raise UsageError(
                f"--cell '{text}' is not accepted by {experiment.id}; write a cell and its number "
                f"of games, such as CELL=30; {name_hint(name, experiment.cells, 'cells')}"
            )
        games[name] = int(count)
    return games


def _list(json: bool) -> None:
    if json:
        rows = [
            {
                "id": e.id,
                "title": e.title,
                "quick_core_seconds": e.cost(e.quick),
                "full_core_seconds": e.cost(e.full),
            }
            for e in EXPERIMENTS.values()
        ]
        print_json({"experiments": rows})
        return
    for experiment in EXPERIMENTS.values():
        print(f"{experiment.id}: {experiment.title}")
        for option, size in (("--quick", experiment.quick), ("--full", experiment.full)):
            time = _duration(experiment.cost(size))
            print(f"    {option:8} {time:>11}  {experiment.describe(size)}")
    print("Times are estimates for one core of a 2.6 GHz EPYC; more cores take less.")


def _duration(seconds: float) -> str:
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _show(found: Reproduction) -> None:
    """Print the summary and where the report is."""
    width = min(shutil.get_terminal_size().columns, 100)
    told = [f"{part.title}. {text}" for part in found.findings.sections for text in part.seen[:1]]
    for paragraph in (found.experiment.title, *found.findings.summary, *told):
        print(textwrap.fill(paragraph, width))
    if found.kept:
        print(f"results kept from earlier: {found.kept:,}; new: {found.added:,}")
    if not found.complete:
        print(INCOMPLETE)
    print(f"report: {found.report}")
    for picture in found.pictures[:3]:
        print(f"picture: {picture}")
    print(f"page: {found.page}")
    print(f"in a browser: {found.page.resolve().as_uri()}")
