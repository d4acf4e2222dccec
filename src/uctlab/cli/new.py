"""uctlab new: write a file to start from, for a game, a rule or an experiment of the user's own."""

from __future__ import annotations

import ast
import importlib.util
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from uctlab.errors import UsageError
from uctlab.example_files import example_file


class Kind(StrEnum):
    GAME = "game"
    RULE = "rule"
    BACKUP = "backup"
    EXPERIMENT = "experiment"


EXAMPLES = {
    Kind.GAME: "tic_tac_toe",
    Kind.RULE: "ucb_sqrt",
    Kind.BACKUP: "minimax_backup",
    Kind.EXPERIMENT: "exploration_constant",
}


def new(
    kind: Annotated[
        Kind,
        typer.Argument(
            metavar="KIND",
            help="game; rule, for how a search selects moves; backup, for what its nodes remember; "
            "or experiment.",
        ),
    ],
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Of the file, as my_game or folder/my_game.py; the folder has to be there.",
        ),
    ],
) -> None:
    """Write a commented Python file that works as it stands, for you to change.

    KIND is game, rule, backup or experiment. A file that is there already is left alone.
    """
    path = _path(name)
    text = _template(EXAMPLES[kind], path)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} is there already; choose another name") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    print(f"{path} is written and works as it stands. Try:")
    for command in _commands(text):
        print(f"    {command.replace(path.name, str(path))}")


def _commands(text: str) -> list[str]:
    """What the docstring of a file suggests to run."""
    about = ast.get_docstring(ast.parse(text)) or ""
    return [line.strip() for line in about.splitlines() if line.startswith("    uctlab ")]


def _path(name: str) -> Path:
    path = Path(name if name.endswith(".py") else f"{name}.py")
    given = Path(name)
    if given.exists() and not given.is_file() and not given.is_dir():
        raise UsageError(f"{name} is a device or a pipe; give the name of a new file, as my_game")
    if not path.stem.isascii() or not path.stem.isidentifier():
        raise UsageError(
            f"the name '{path.stem}' is not accepted; accepted: letters, digits and _, as my_game"
        )
    if not path.exists() and _is_module(path.stem):
        raise UsageError(f"Python has a module {path.stem} already; choose another name")
    return path


def _is_module(name: str) -> bool:
    """Whether `import` finds something else under that name; a mere folder does not count."""
    if name in sys.modules:
        return True
    found = importlib.util.find_spec(name)
    return found is not None and found.origin is not None


def _template(example: str, path: Path) -> str:
    """The example under the new name: in the commands of its docstring, and as its own name."""
    text = example_file(example).read_text(encoding="utf-8")
    return text.replace(f"examples/{example}.py", path.name).replace(example, path.stem)
