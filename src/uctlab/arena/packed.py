"""Packed stores: STORE.xz, which git keeps well, is read in place of a store that is not there.

A program that adds results unpacks it first, and `uctlab games pack` makes it.
"""

from __future__ import annotations

import lzma
import sqlite3
from os.path import exists, isfile  # no name of a file is an error to them
from pathlib import Path

from uctlab.atomic_files import replace_file
from uctlab.errors import UsageError
from uctlab.user_files import open_file

SUFFIX = ".xz"
LIMIT = 2**30  # bytes of a store that is unpacked
READ = 2**20  # bytes at a time
MEMORY = 2**28  # bytes that the decompressor may take


def packed_form(path: Path) -> Path | None:
    """The packed file that stands for a store; None if the store itself is there, or nothing is."""
    if path.suffix == SUFFIX:
        return path if isfile(path) else None
    packed = path.with_name(path.name + SUFFIX)
    return packed if isfile(packed) and not exists(path) else None


def unpacked(path: Path) -> bytes:
    """The store in a packed file; UsageError if it is damaged or too large."""
    content = bytearray()
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)
    with open_file(path, "the store") as file:
        try:
            while not decompressor.eof:
                more = file.read(READ) if decompressor.needs_input else b""
                if decompressor.needs_input and not more:
                    raise UsageError(f"the packed store {path} is damaged: its end is missing")
                content += decompressor.decompress(more, READ)
                if len(content) > LIMIT:
                    raise UsageError(f"the packed store {path} is too large: over {LIMIT:,} bytes")
        except (lzma.LZMAError, EOFError, OSError) as error:
            raise UsageError(f"the packed store {path} is damaged: {error}") from None
    return bytes(content)


def open_packed(path: Path) -> sqlite3.Connection:
    """A connection to the packed store, unpacked in memory; its file stays as it is."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(unpacked(path))
    return db


def unpack(packed: Path, store: Path) -> None:
    """Put the store beside its packed form, which stays."""
    if packed == store:
        raise UsageError(f"{store} is packed and only read; name it without {SUFFIX}")
    replace_file(store, unpacked(packed))


def pack(store: Path) -> Path:
    """Write the packed form of a store beside it; the same bytes for the same store."""
    with open_file(store, "the store") as file:
        content = file.read()
    packed = store.with_name(store.name + SUFFIX)
    replace_file(packed, lzma.compress(content, lzma.FORMAT_XZ, preset=9 | lzma.PRESET_EXTREME))
    return packed
