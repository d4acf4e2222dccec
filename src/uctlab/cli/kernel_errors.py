"""Shortens Numba's errors about a kernel in a user's file from pages to one line."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path

import numba

from uctlab.errors import first_lines

NUMBA = str(Path(numba.__file__).parent)


def users_kernel_error(error: Exception, command: Sequence[str]) -> str:
    """The message; empty if the command names no file or the error is not Numba's."""
    names_a_file = any(".py" in argument for argument in command)
    frames = traceback.extract_tb(error.__traceback__)
    if not names_a_file or not any(frame.filename.startswith(NUMBA) for frame in frames):
        return ""
    return (
        f"a kernel cannot be compiled: {first_lines(error)}; uctlab check tests a game, "
        "and with NUMBA_DISABLE_JIT=1 all kernels run as plain Python"
    )
