"""The program `uctlab`."""

from __future__ import annotations

import sys

import typer

import uctlab
from uctlab.cli import (
    agents,
    analyze,
    bench,
    check,
    games,
    gtp,
    lab,
    match,
    perft,
    play,
    reproduce,
    show,
    tournament,
    warm,
)
from uctlab.errors import LabError, UsageError

app = typer.Typer(
    help="A laboratory for Monte-Carlo tree search in two-player games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(games.app, name="games")
app.command("agents")(agents.agents)
app.command("analyze")(analyze.analyze)
app.command("play")(play.play)
app.command("gtp")(gtp.gtp)
app.command("lab")(lab.lab)
app.command("match")(match.match)
app.command("tournament")(tournament.tournament)
app.command("reproduce")(reproduce.reproduce_command)
app.command("show")(show.show)
app.command("perft")(perft.perft)
app.command("check")(check.check)
app.add_typer(bench.app, name="bench")
app.command("warm")(warm.warm)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"uctlab {uctlab.__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """A laboratory for Monte-Carlo tree search in two-player games."""


def main() -> None:
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except UsageError as mistake:
        _complain(str(mistake))
    except KeyboardInterrupt:
        sys.exit(130)
    except LabError as trouble:
        print(f"uctlab: {trouble}", file=sys.stderr)
        sys.exit(1)
    except Exception as mistake:
        if not hasattr(mistake, "format_message"):  # what the parser of the command line says
            raise
        _complain(mistake.format_message())  # empty where the help has been shown instead


def _complain(message: str) -> None:
    if message:
        print(f"uctlab: {' '.join(message.split())}", file=sys.stderr)
    sys.exit(2)
