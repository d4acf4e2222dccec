"""The program `uctlab`: registers the subcommands and reports errors."""

from __future__ import annotations

import os
import sys

import typer
from typer.core import TyperGroup

import uctlab
from uctlab.cli import (
    agents,
    analyze,
    bench,
    cache,
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
from uctlab.cli.kernel_errors import users_kernel_error
from uctlab.errors import LabError, UsageError


class _AsInTheReadme(TyperGroup):
    def list_commands(self, ctx: object) -> list[str]:
        """In the order of the README; Typer would list commands that have subcommands last."""
        first = ["games", "agents", "analyze", "play", "match", "tournament", "reproduce"]
        return [*first, *(name for name in self.commands if name not in first)]


app = typer.Typer(
    cls=_AsInTheReadme,
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
app.add_typer(cache.app, name="cache")


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
    code = _run()
    try:
        print(end="", flush=True)  # at exit Python would do this too, and print its own complaint
    except OSError as trouble:  # a closed pipe, a full disk
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        said = "" if isinstance(trouble, BrokenPipeError) else str(trouble)
        code = code or _complain(said, 1)
    sys.exit(code)


def _run() -> int:
    """Run the command and return its exit code."""
    try:
        return app(standalone_mode=False) or 0
    except UsageError as mistake:
        return _complain(str(mistake), 2)
    except KeyboardInterrupt:
        return 130
    except (LabError, OSError) as trouble:
        return _complain(str(trouble), 1)
    except Exception as mistake:
        if hasattr(mistake, "format_message"):  # an error of the command-line parser
            return _complain(mistake.format_message(), 2)  # empty if the help has been shown
        told = users_kernel_error(mistake)
        if not told:
            raise
        return _complain(told, 2)


def _complain(message: str, code: int) -> int:
    """Print a user's mistake on one line; other errors keep their lines (a worker's traceback)."""
    if message:
        text = " ".join(message.split()) if code == 2 else message
        print(f"uctlab: {text}", file=sys.stderr)
    return code
