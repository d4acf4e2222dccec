"""uctlab cache: show where compiled code is kept and how much there is, or remove it."""

from __future__ import annotations

from pathlib import Path

import typer

from uctlab.cli.arguments import Json, print_json
from uctlab.cli.parser import Command, Group
from uctlab.errors import LabError
from uctlab.kernels.cache_folder import (
    Entry,
    cache_folder,
    clear,
    entries,
    limit_in_bytes,
)

app = typer.Typer(cls=Group)


@app.callback(invoke_without_command=True)
def cache(context: typer.Context, json: Json = False) -> None:
    """Show where compiled code is kept and how much there is, or remove it.

    What a game or a search needs is compiled once and kept in the folder UCTLAB_CACHE, in
    NUMBA_CACHE_DIR/uctlab, or in the user's cache folder: the first of them that is set and
    writable. UCTLAB_CACHE_LIMIT is its largest size in MiB, 1024 by default; what was not used for
    the longest time is removed first.
    """
    if context.invoked_subcommand is not None:
        return
    folder = _folder()
    found = entries(folder)
    size, limit = _size(found), limit_in_bytes()
    if json:
        facts = {"folder": str(folder), "entries": len(found), "bytes": size, "limit": limit}
        print_json(facts)
        return
    print(folder)
    print(f"{len(found)} compiled functions, {_mib(size)} of at most {limit >> 20} MiB")


@app.command("clear", cls=Command)
def clear_command() -> None:
    """Remove all compiled code; it is compiled again when it is needed."""
    folder = _folder()
    found = entries(folder)
    clear(folder)
    print(f"removed {len(found)} compiled functions, {_mib(_size(found))}, from {folder}")


def _folder() -> Path:
    folder = cache_folder()
    if folder is None:
        raise LabError("there is no folder for compiled code: nothing is writable")
    return folder


def _size(found: list[Entry]) -> int:
    return sum(entry.size for entry in found)


def _mib(size: int) -> str:
    return f"{size / (1 << 20):.1f} MiB"
