"""Reads arrays from NumPy's .npz files, which may come from anybody.

A few kilobytes may unpack to gigabytes, and a file may say anything about the sizes of its arrays.
So what it says is compared with the limits before anything is unpacked.
"""

from __future__ import annotations

import ast
import math
import os
import zipfile
from collections.abc import Mapping
from io import BufferedReader
from pathlib import Path
from typing import IO

import numpy as np
from numpy.lib import format as npy

from uctlab.errors import UsageError
from uctlab.user_files import open_file

LARGEST_HEADER = 2**16  # bytes; that of a tree has about a thousand
LARGEST_READ = 2**20  # bytes at once; arrays are read in parts


class TooLargeError(UsageError):
    """An array is larger than its limit."""

    def __init__(self, path: Path | str, name: str, size: int, limit: int) -> None:
        super().__init__(f"{path}: {name} takes {size:,} bytes, and the limit is {limit:,}")
        self.name, self.size = name, size


def read_arrays(
    path: Path | str, limits: Mapping[str, int], what: str = ""
) -> dict[str, np.ndarray]:
    """The arrays of these names, each of which takes at most so many bytes.

    UsageError if the file cannot be read or an array is larger; ValueError if it is no such file.
    """
    with _InParts(open_file(path, what)) as file:
        try:
            with zipfile.ZipFile(file) as archive:
                members = {name: archive.getinfo(f"{name}.npy") for name in limits}
                for name, member in members.items():
                    if member.file_size > limits[name] + LARGEST_HEADER:
                        raise TooLargeError(path, name, member.file_size, limits[name])
                    with archive.open(member) as part:
                        announced = _array_size(part)
                        if announced > limits[name]:
                            raise TooLargeError(path, name, announced, limits[name])
                        if part.tell() + announced != member.file_size:
                            raise ValueError(f"{name} has another size than it says")
                return {name: _read(archive, member) for name, member in members.items()}
        except UsageError:
            raise
        except Exception as error:  # zipfile and NumPy pass on any error of their parsers
            raise ValueError(f"{path} has no such arrays") from error


class _InParts(BufferedReader):
    """Refuses to read much at once, which zipfile does for a list of contents that is said to be
    long."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = os.fstat(self.fileno()).st_size - self.tell()
        if size > LARGEST_READ:
            raise ValueError("its list of contents is too long")
        return super().read(size)


def _array_size(part: IO[bytes]) -> int:
    """The bytes that an array takes, by its header, after which `part` stands."""
    version = npy.read_magic(part)
    length = int.from_bytes(part.read(2 if version == (1, 0) else 4), "little")
    if length > LARGEST_HEADER:
        raise ValueError("its header is too long")
    header = part.read(length).decode("utf-8" if version >= (3, 0) else "latin-1")
    facts = ast.literal_eval(header)
    return int(math.prod(facts["shape"]) * npy.descr_to_dtype(facts["descr"]).itemsize)


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(member) as part:
        return npy.read_array(part, allow_pickle=False)
