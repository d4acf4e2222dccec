"""uctlab games: list the games that can be played, and list or export the games of a store."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from uctlab.arena.result import summarise
from uctlab.arena.store import Store, StoredMatch
from uctlab.atomic_files import replace_file
from uctlab.cli.arguments import Json, Trust, print_json
from uctlab.errors import UsageError
from uctlab.games import FAMILIES, Position, make_game
from uctlab.games.registry import own_files, usage
from uctlab.protocol.sgf import write_sgf
from uctlab.user_modules import refuse_files

StorePath = Annotated[str, typer.Argument(metavar="STORE", help="A store written by uctlab match.")]

app = typer.Typer(help="List the games that can be played, or the matches of a store.")


@app.callback(invoke_without_command=True)
def games(context: typer.Context, json: Json = False) -> None:
    """List the games with their parameters and defaults."""
    if context.invoked_subcommand is not None:
        return
    rows = [(usage(name), inspect.getdoc(make) or "") for name, make in FAMILIES.items()]
    if json:
        print_json({"games": [{"name": name, "about": about} for name, about in rows]})
        return
    table = Table("game with its defaults", "about", box=None, pad_edge=False)
    for name, about in rows:
        table.add_row(name, about)
    table.add_row("my_game.py", "Your own game: a file with make(); see examples/connect_four.py.")
    Console().print(table)


@app.command("stored")
def stored(store: StorePath, json: Json = False) -> None:
    """List the matches of a store."""
    with Store(store, create=False) as opened:
        results = [
            (
                match,
                summarise(
                    match.plan,
                    opened.records(match.id),
                    wanted=match.games,
                    seconds=0,
                    shares=opened.shares(match.id),
                ),
            )
            for match in opened.matches()
        ]
    if json:
        print_json({"matches": [{"id": match.id, **result.as_json()} for match, result in results]})
        return
    if not results:
        print(f"{store} has no match yet")
    for match, result in results:
        score = result.score
        share = "" if score.percent is None else f"; A scores {score.percent:.1f} %"
        share += "" if score.interval is None else f" +- {score.interval:.1f}"
        print(f"{match.id:4}  {match.plan}")
        print(f"      {match.plan.conditions}, seed {match.plan.seed}; {score.games} games{share}")
        if result.versions:
            print(f"      {result.versions}")


@app.command("export")
def export(
    store: StorePath,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the SGF files.")
    ] = Path("games"),
    match: Annotated[
        int | None, typer.Option("--match", metavar="ID", help="Export only this match.")
    ] = None,
    trust: Trust = False,
) -> None:
    """Write the games of a store as SGF files, one per game."""
    with Store(store, create=False) as opened:
        matches = [found for found in opened.matches() if match in (None, found.id)]
        if not matches:
            known = ", ".join(str(found.id) for found in opened.matches()) or "no matches"
            raise UsageError(f"{store} has no such match; it has {known}")
        if not trust:
            for found in matches:
                refuse_files(f"match {found.id} of {store}", own_files(found.plan.game))
        total = 0
        for found in matches:
            game = make_game(found.plan.game)
            if not game.sgf_root:
                print(
                    f"match {found.id} is skipped: {game.name} has no SGF format", file=sys.stderr
                )
                continue
            total += _export(opened, found, Position.start(game), out)
    print(f"{total} games written to {out}")


def _export(store: Store, match: StoredMatch, start: Position, out: Path) -> int:
    """Write the games of one match and return their number."""
    plan = match.plan
    folder = out / re.sub(r"[^\w.=-]+", "_", f"{match.id}-{plan.game}-{plan.a}-{plan.b}")[:120]
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for record in store.records(match.id):
            first, second = (plan.a, plan.b) if record.number % 2 == 0 else (plan.b, plan.a)
            first_scores = record.score if record.number % 2 == 0 else 1 - record.score
            data = write_sgf(
                start.play_all(record.moves),
                players=(first, second),
                first_scores=first_scores,
                comment=f"{plan}, game {record.number}, seed {record.seed}: {record.ending}",
            )
            replace_file(folder / f"{record.number:05}.sgf", data)
            count += 1
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from None
    return count
