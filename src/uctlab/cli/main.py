"""The program `uctlab`: registers the subcommands and reports errors."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import typer

import uctlab
from uctlab.cli.parser import Command, Group, told
from uctlab.code_limits import end_with_line, ended_by
from uctlab.errors import LabError, NoBudget, UsageError
from uctlab.stop_signals import exit_code, interrupted_code, stop_signals

COMMANDS = {
    "games": "List the games that can be played, or the matches of a store.",
    "agents": "List the agents with their parameters, defaults and equations.",
    "analyze": "Search a position and report the moves. Ctrl-C ends the search early and reports "
    "as usual.",
    "play": "Play against an agent. By default it thinks for one second per move.",
    "match": "Play a match between A and B, who take turns moving first.",
    "tournament": "Play a match for every pairing and print a cross table with Bradley-Terry "
    "ratings.",
    "tune": "Find good options of an agent by successive halving, with games as the budget.",
    "reproduce": "Repeat experiments of the papers and write reports, published figures beside "
    "ours.",
    "gtp": "Speak GTP on standard input and output.",
    "lab": "Play against agents and watch them search, in the browser. Ctrl-C closes the lab.",
    "new": "Write a commented Python file that works as it stands, for you to change.",
    "show": "Show a position: the board, whose turn it is, the legal moves, the result.",
    "perft": "Count the lines of play of DEPTH moves.",
    "check": "Check a game or, with --rule, a rule against everything that a search relies on.",
    "bench": "Measure speed; without a subcommand, playouts and search.",
    "warm": "Compile games and searches now, so that later commands start quickly.",
    "cache": "Show where compiled code is kept and how much there is, or remove it.",
}
"""In the order of the README; each begins its help so."""

MODULES = {"tournament": "match", "tune": "match", "perft": "show"}
"""Where commands are that share a module; any other is in the module of its name."""


class _AsInTheReadme(Group):
    def list_commands(self, ctx: object) -> list[str]:
        """In that order; Typer would list commands that have subcommands last."""
        return [name for name in COMMANDS if name in self.commands]


def _print_version(asked: bool) -> None:
    if asked:
        print(f"uctlab {uctlab.__version__}")
        raise typer.Exit()


def options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """A laboratory for Monte-Carlo tree search in two-player games."""


def load() -> typer.Typer:
    """The program for the present arguments: it loads the command that is meant, and no other."""
    return program(next((word for word in sys.argv[1:] if word in COMMANDS), ""))


def module_of(command: str) -> Any:
    return import_module(f"uctlab.cli.{MODULES.get(command, command)}")


@cache
def program(command: str) -> typer.Typer:
    """The program with that command; of the others it knows what a list of them needs."""
    made = typer.Typer(
        cls=_AsInTheReadme,
        help="A laboratory for Monte-Carlo tree search in two-player games.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    made.callback()(options)
    for name, about in COMMANDS.items():
        if name != command:
            made.command(name, cls=Command, help=about)(_not_loaded)
            continue
        module = module_of(name)
        if hasattr(module, "app"):
            made.add_typer(module.app, name=name)
        else:
            made.command(name, cls=Command)(getattr(module, name))
    return made


def _not_loaded() -> None:
    """Stands for a command that is only listed."""


def main() -> None:
    if isinstance(sys.stdout, TextIOWrapper):  # the name of a file need not be text
        sys.stdout.reconfigure(errors="backslashreplace")
    with stop_signals(), ended_by(end_with_line):
        code = exit_code(_run(load()))
    try:
        print(end="", flush=True)  # at exit Python would do this too, and print its own complaint
    except OSError as trouble:  # a closed pipe, a full disk
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        said = "" if isinstance(trouble, BrokenPipeError) else str(trouble)
        code = code or _complain(said, 1)
    sys.exit(code)


def _run(program: typer.Typer) -> int:
    """Run the command and return its exit code."""
    try:
        return program(standalone_mode=False) or 0
    except NoBudget:
        return _complain("a search needs a budget: give --playouts N, --seconds S or both", 2)
    except UsageError as mistake:
        return _complain(str(mistake), 2)
    except KeyboardInterrupt:
        return interrupted_code()
    except (LabError, OSError) as trouble:
        return _complain(str(trouble), 1)
    except Exception as mistake:
        if hasattr(mistake, "format_message"):  # an error of the command-line parser
            return _complain(told(mistake), 2)
        from uctlab.api.kernel_errors import users_kernel_error  # noqa: PLC0415 (loads Numba)

        message = users_kernel_error(mistake)
        if not message:
            raise
        return _complain(message, 2)


def _complain(message: str, code: int) -> int:
    """Print a user's mistake on one line; other errors keep their lines (a worker's traceback)."""
    if message:
        text = " ".join(message.split()) if code == 2 else message
        print(f"uctlab: {text}", file=sys.stderr)
    return code
