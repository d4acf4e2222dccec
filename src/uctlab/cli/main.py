"""The program `uctlab`: registers the subcommands and reports errors."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module

import typer
from typer.core import TyperGroup

import uctlab
from uctlab.errors import LabError, UsageError

COMMANDS = (
    *("games", "agents", "analyze", "play", "match", "tournament", "reproduce", "gtp", "lab"),
    *("new", "show", "perft", "check", "bench", "warm", "cache"),
)
"""In the order of the README; each is the module of that name here."""


class _AsInTheReadme(TyperGroup):
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
    first = "".join(sys.argv[1:2])
    if first == "--version":
        return _program()
    return _program(first) if first in COMMANDS else _program(*COMMANDS)


@cache
def _program(*commands: str) -> typer.Typer:
    program = typer.Typer(
        cls=_AsInTheReadme,
        help="A laboratory for Monte-Carlo tree search in two-player games.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    program.callback()(options)
    for name in commands:
        module = import_module(f"uctlab.cli.{name}")
        if hasattr(module, "app"):
            program.add_typer(module.app, name=name)
        else:
            program.command(name)(getattr(module, name))
    return program


def main() -> None:
    code = _run(load())
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
    except UsageError as mistake:
        return _complain(str(mistake), 2)
    except KeyboardInterrupt:
        return 130
    except (LabError, OSError) as trouble:
        return _complain(str(trouble), 1)
    except Exception as mistake:
        if hasattr(mistake, "format_message"):  # an error of the command-line parser
            return _complain(mistake.format_message(), 2)  # empty if the help has been shown
        from uctlab.cli.kernel_errors import users_kernel_error  # noqa: PLC0415 (loads Numba)

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
