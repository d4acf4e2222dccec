"""Writes files whole or not at all: a reader never sees half a file, a crash leaves the old one."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_NO_FILE = "it is not a file"
_NAME = 50  # characters of a file's name that its partial file repeats; names have a limit


@contextmanager
def replacing(path: Path, *, only_file: bool = False) -> Iterator[BinaryIO]:
    """A new file that takes the place of `path` when the block ends, unless it raises.

    It is written beside, flushed to the disk and renamed. A link stays a link, a file keeps its
    permissions, and what is not a file (a pipe, /dev/stdout) is simply written to; with `only_file`
    it is an OSError, for formats whose writers have to go back in the file.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        if only_file:
            raise OSError(errno.EINVAL, _NO_FILE)
        with path.open("wb") as file:
            yield file
        return
    part = _part(path)
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def replace_file(path: Path, content: bytes) -> None:
    with replacing(path) as file:
        file.write(content)


def check_replaceable(path: Path, *, only_file: bool = False) -> None:
    """Raise the OSError that writing the file would end with, and leave no trace."""
    path = Path(os.path.realpath(path))
    if path.exists():
        if only_file and not path.is_file():
            raise OSError(errno.EINVAL, _NO_FILE)
        path.open("ab").close()
    if path.is_file() or not path.exists():
        part = _part(path)
        part.open("wb").close()
        part.unlink()


def remove_with_parts(path: Path) -> None:
    """Remove a file, and what killed programs have left of attempts to write it."""
    path = Path(os.path.realpath(path))
    path.unlink(missing_ok=True)
    if path.parent.is_dir():
        for name in os.listdir(path.parent):
            if name.startswith(f".{path.name[:_NAME]}.") and name.endswith(".part"):
                (path.parent / name).unlink(missing_ok=True)


def _part(path: Path) -> Path:
    return path.with_name(f".{path.name[:_NAME]}.{os.getpid()}.part")
