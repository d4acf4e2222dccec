"""uctlab bench: how fast the parts run on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from uctlab.bench.machine import machine_facts, machine_line
from uctlab.bench.playouts import TARGETS, PlayoutSpeed, measure_playouts
from uctlab.cli.arguments import Json, Seed, at_most, print_json
from uctlab.games import make_game

EXAMPLE = Path("examples/connect_four.py")

app = typer.Typer(help="Measure speed; without a subcommand, everything.")


@app.callback(invoke_without_command=True)
def everything(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        playouts(None)


@app.command("playouts")
def playouts(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME]...", help="Which games; by default those with a target."),
    ] = None,
    seconds: Annotated[float, typer.Option(help="CPU seconds a game.")] = 2.0,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Random games per CPU second from the start position, one thread."""
    at_most("--seconds", seconds, 3600)
    names = games or _games_with_target()
    for name in names:
        make_game(name)  # mistakes are told before the work begins
    speeds = []
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playouts", total=len(names))
        for name in names:
            progress.update(task, description=f"playouts of {name}")
            speeds.append(measure_playouts(name, seconds=seconds, seed=seed))
            progress.advance(task)
    if json:
        rows = [speed.as_json() for speed in speeds]
        print_json({"machine": machine_facts(), "seed": seed, "playouts": rows})
    else:
        Console().print(_table(speeds))
        print(machine_line())


def _games_with_target() -> list[str]:
    names = [name for name in TARGETS if name != EXAMPLE.stem]
    return [*names, str(EXAMPLE)] if EXAMPLE.is_file() else names


def _table(speeds: list[PlayoutSpeed]) -> Table:
    table = Table(title="Random games per CPU second, one thread", box=None, title_justify="left")
    table.add_column("game")
    for heading in ("games/s", "target", "ratio", "length", "first scores"):
        table.add_column(heading, justify="right")
    table.add_column("signature")
    for speed in speeds:
        table.add_row(
            speed.game,
            f"{speed.per_second:,.0f}",
            f"{speed.target:,}" if speed.target else "",
            f"{speed.per_second / speed.target:.2f}" if speed.target else "",
            f"{speed.length:.1f}",
            f"{100 * speed.result:.1f} %",
            speed.signature,
        )
    return table
