"""Tells errors in a kernel of the user's in one line, with the file and line of the mistake."""

from __future__ import annotations

import traceback
from pathlib import Path

import numba

from uctlab.errors import first_lines
from uctlab.kernels.places import place_of
from uctlab.kernels.specialise import KernelError
from uctlab.user_modules import loaded_files

NUMBA = str(Path(numba.__file__).parent)
HINT = "uctlab check tests a game or, with --rule, a rule"
# What Numba says where a kernel makes a list or an array.
ALLOCATES = ("NRT required", "Only accept returning of array passed")


def users_kernel_error(error: Exception) -> str:
    """The message; empty if the error has nothing to do with a file of the user."""
    files = loaded_files()
    if not files:
        return ""
    if isinstance(error, KernelError):
        return f"{error}; {HINT}"
    place = place_of(error)
    # By name as well: cached machine code may know the file by an earlier path.
    known = {path.parent for path in files} | {Path(path.name) for path in files}
    theirs = place is not None and not known.isdisjoint((place.path.parent, Path(place.path.name)))
    frames = traceback.extract_tb(error.__traceback__)
    if not any(frame.filename.startswith(NUMBA) for frame in frames):
        return f"a kernel fails: {first_lines(error)}; {HINT}" if theirs else ""
    names = " or ".join(path.name for path in files)
    blame = "" if theirs else f"; does a kernel of {names} return something of another type?"
    if any(words in str(error) for words in ALLOCATES):
        blame = "; kernels allocate no memory: they make no lists and no arrays"
    return (
        f"a kernel cannot be compiled: {first_lines(error)}{blame}; {HINT}, "
        "and with NUMBA_DISABLE_JIT=1 all kernels run as plain Python"
    )
