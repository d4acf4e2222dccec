"""uctlab games: list the games that can be played, those of a store, and those of other files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from uctlab.cli.arguments import Json, Trust, print_json
from uctlab.cli.parser import Command, Group
from uctlab.games import FAMILIES

StorePath = Annotated[str, typer.Argument(metavar="STORE", help="A store written by uctlab match.")]

app = typer.Typer(cls=Group, help="List the games that can be played, or the matches of a store.")


@app.callback(invoke_without_command=True)
def games(context: typer.Context, json: Json = False) -> None:
    """List the games with their parameters and defaults."""
    if context.invoked_subcommand is not None:
        return
    if json:
        print_json({"games": [{"name": f.usage, "about": f.about} for f in FAMILIES.values()]})
        return
    table = Table("game with its defaults", "about", box=None, pad_edge=False)
    for family in FAMILIES.values():
        table.add_row(family.usage, family.about)
    table.add_row("my_game.py", "Your own game: `uctlab new game my_game` writes a start.")
    Console().print(table)


@app.command("stored", cls=Command)
def stored(store: StorePath, json: Json = False) -> None:
    """List the matches of a store."""
    from uctlab.cli.stored_games import list_matches  # noqa: PLC0415 (Numba is slow to load)

    list_matches(store, json)


@app.command("export", cls=Command)
def export(
    store: StorePath,
    out: Annotated[
        Path,
        typer.Option(
            "--out", metavar="DIR", help="Folder for the SGF files; made if it is missing."
        ),
    ] = Path("games"),
    match: Annotated[
        int | None, typer.Option("--match", metavar="ID", help="Export only this match.")
    ] = None,
    trust: Trust = False,
) -> None:
    """Write the games of a store as SGF files, one per game."""
    from uctlab.cli.stored_games import export_games  # noqa: PLC0415 (Numba is slow to load)

    export_games(store, out, match, trust)


@app.command("import", cls=Command)
def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Games: WTHOR (.wtb), GGF (.ggf) or SGF (.sgf).")
    ],
    moves: Annotated[
        int | None,
        typer.Option("--moves", min=1, metavar="N", help="Only the first N moves of each game."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write SGF files instead, one per game, to this folder; made if it is missing.",
        ),
    ] = None,
) -> None:
    """Read games of other programs and databases, and print them as lists of moves.

    The list is a file for --openings of uctlab match: one game per line.
    """
    from uctlab.cli.imported_games import import_games  # noqa: PLC0415 (NumPy is slow to load)

    import_games(file, moves, out)


@app.command("merge", cls=Command)
def merge(
    store: Annotated[
        str,
        typer.Argument(metavar="STORE", help="The store that gets the games; may be a new one."),
    ],
    sources: Annotated[
        list[str], typer.Argument(metavar="FROM", help="Stores whose games it gets.")
    ],
    json: Json = False,
) -> None:
    """Add the games of other stores to a store, such as those of a table played on two machines.

    A game that STORE already has stays as it is. The other stores are only read; what is damaged
    in them is left out.
    """
    from uctlab.cli.stored_games import merge_stores  # noqa: PLC0415 (Numba is slow to load)

    merge_stores(store, sources, json)


@app.command("pack", cls=Command)
def pack(
    stores: Annotated[list[str], typer.Argument(metavar="STORE", help="Stores to be packed.")],
) -> None:
    """Write STORE.xz beside each store, a quarter of its size, to be kept or sent.

    Where a store is not there, its packed form is read; a command that adds games unpacks it first.
    """
    from uctlab.cli.stored_games import pack_stores  # noqa: PLC0415 (Numba is slow to load)

    pack_stores(stores)


@app.command("judge", cls=Command)
def judge(
    store: StorePath,
    match: Annotated[
        int | None, typer.Option("--match", metavar="ID", help="Judge only this match.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Store the new verdicts; without it nothing changes.")
    ] = False,
    trust: Trust = False,
    json: Json = False,
) -> None:
    """Judge the games with external programs again, with the referee of this version.

    A game that was played on, since its end was disputed, keeps its score.
    """
    from uctlab.cli.stored_games import judge_games  # noqa: PLC0415 (Numba is slow to load)

    judge_games(store, match, write, trust, json)
