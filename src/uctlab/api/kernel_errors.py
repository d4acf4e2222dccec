"""Tells errors in a kernel of the user's in one line, with the file or cell and the line."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import numba

from uctlab.errors import LabError, UsageError, first_lines
from uctlab.kernels.places import cells, place_of
from uctlab.kernels.specialise import KernelError
from uctlab.user_modules import loaded_files

NUMBA = str(Path(numba.__file__).parent)
OURS = Path(__file__).resolve().parents[1]
HINT = "uctlab check tests a game or, with --rule, a rule"
# What Numba says where a kernel makes a list or an array.
ALLOCATES = ("NRT required", "Only accept returning of array passed")


P = ParamSpec("P")
T = TypeVar("T")


def tells_kernel_errors(function: Callable[P, T]) -> Callable[P, T]:
    """Let a public function raise a UsageError where a kernel of the user's fails."""

    @wraps(function)
    def told(*args: P.args, **options: P.kwargs) -> T:
        try:
            return function(*args, **options)
        except (UsageError, LabError):
            raise
        except Exception as error:
            message = users_kernel_error(error, "uctlab.check tests a game or a rule")
            if not message:
                raise
            raise UsageError(message) from None

    return told


def users_kernel_error(error: Exception, hint: str = HINT) -> str:
    """The message; empty if the error has nothing to do with a file or a cell of the user."""
    # A file of ours that was loaded by its path does not make our other files the user's.
    files = [path for path in loaded_files() if not path.is_relative_to(OURS)]
    notebook = cells()
    if not files and not notebook:
        return ""
    if isinstance(error, KernelError):
        return f"{error}; {hint}"
    place = place_of(error)
    # By name as well: cached machine code may know the file by an earlier path.
    known = {path.parent for path in files} | {Path(path.name) for path in files}
    theirs = place is not None and (
        place.path in notebook or not known.isdisjoint((place.path.parent, Path(place.path.name)))
    )
    frames = traceback.extract_tb(error.__traceback__)
    if not any(frame.filename.startswith(NUMBA) for frame in frames):
        return f"a kernel fails: {first_lines(error)}; {hint}" if theirs else ""
    names = " or ".join(path.name for path in files) or "yours"
    blame = "" if theirs else f"; does a kernel of {names} return something of another type?"
    if any(words in str(error) for words in ALLOCATES):
        blame = "; kernels allocate no memory: they make no lists and no arrays"
    return (
        f"a kernel cannot be compiled: {first_lines(error)}{blame}; {hint}, "
        "and with NUMBA_DISABLE_JIT=1 all kernels run as plain Python"
    )
