"""Reads files that the user names: regular files only, and none beyond the limit of its kind.

A device may be endless and a pipe may stay silent for ever, so neither is read.
"""

from __future__ import annotations

import os
import stat
import sys
from io import FileIO
from pathlib import Path
from typing import BinaryIO

from uctlab.errors import UsageError

POSITION = 4 * 2**20  # bytes, as all below: an SGF file or a diagram
SGF_GAMES = 16 * 2**20  # many games in an SGF file, whose tree takes a hundred times as much
GAMES = 64 * 2**20  # openings, and games of databases
SOURCE = 4 * 2**20  # a Python file
REPORT = 64 * 2**20  # a file of a report

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def open_file(path: Path | str, what: str = "") -> FileIO:
    """A regular file, opened to be read; UsageError "cannot read WHAT PATH: why" otherwise."""
    try:
        # Without O_NONBLOCK, opening a pipe would wait for a writer.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError as error:
        raise _unreadable(path, what, error.strerror or str(error)) from None
    except ValueError:  # a NUL, or text that is no file name
        raise _unreadable(path, what, "this is no name of a file") from None
    kind = stat.S_IFMT(os.fstat(number).st_mode)
    if kind != stat.S_IFREG:
        os.close(number)
        raise _unreadable(path, what, f"it is {_KINDS.get(kind, 'something else')}, not a file")
    return FileIO(number)


def read_file(path: Path | str, limit: int, what: str = "") -> bytes:
    """The contents of a file of at most that many bytes."""
    with open_file(path, what) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            raise _unreadable(path, what, f"it has {size:,} bytes, and the limit is {limit:,}")
        try:
            # A file may grow, and those of the system state no size.
            data = _read_at_most(file, limit)
        except OSError as error:
            raise _unreadable(path, what, error.strerror or str(error)) from None
    if data is None:
        raise _unreadable(path, what, f"it has more bytes than the limit of {limit:,}")
    return data


def read_text(path: Path | str, limit: int, what: str = "") -> str:
    """The same of a text file, which is UTF-8, with a byte order mark or without."""
    return decoded(read_file(path, limit, what), str(path))


def read_standard_input(limit: int) -> str:
    """The text on standard input, to its end."""
    data = _read_at_most(sys.stdin.buffer, limit)
    if data is None:
        raise UsageError(f"standard input has more bytes than the limit of {limit:,}")
    return decoded(data, "standard input")


def decoded(data: bytes, name: str) -> str:
    """Text from that place; UsageError if it is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{name} is not a text file: byte {error.start + 1:,} is not UTF-8"
        ) from None


def _read_at_most(file: FileIO | BinaryIO, limit: int) -> bytes | None:
    """Everything up to the end; None if that is more."""
    parts, left = [], limit
    while part := file.read(2**18):
        left -= len(part)
        if left < 0:
            return None
        parts.append(part)
    return b"".join(parts)


def _unreadable(path: Path | str, what: str, why: str) -> UsageError:
    return UsageError(f"cannot read {what}{' ' if what else ''}{path}: {why}")
