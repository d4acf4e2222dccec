"""Exceptions that tell the user's mistakes apart from failures of the program or the machine."""

import re
from collections.abc import Collection

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class UsageError(ValueError):
    """A mistake of the user; the message is one line that names it and says what is accepted.

    The command line shows it without a traceback and exits with code 2.
    """


class NoBudget(UsageError):  # noqa: N818 (as the others, it names the mistake)
    """Neither playouts nor seconds are given; the command line names its own options instead."""


class LabError(RuntimeError):
    """Not the user's mistake: a full disk, a worker that keeps dying; exit code 1."""


FEW = 10  # names that still go into one line


def name_hint(name: str, names: Collection[str], label: str = "known") -> str:
    """The end of a message about a name that is none of these: those like it; if few, all."""
    from difflib import get_close_matches  # noqa: PLC0415 (only for mistakes)

    near = get_close_matches(name.lower(), names)
    listed = f"{label}: {', '.join(names) or 'none'}"
    if not near:
        return listed
    asked = f"did you mean {' or '.join(near)}?"
    return asked if len(names) > FEW else f"{asked} {listed[0].upper()}{listed[1:]}"


def first_lines(error: Exception) -> str:
    """The error and its place, from Numba's message about a kernel, which may be pages long."""
    from uctlab.kernels.places import place_of  # noqa: PLC0415 (loads NumPy)

    text = _COLOURS.sub("", str(error))  # Numba's are bold in places
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("Failed in")), "")
    place = place_of(error)
    return f"{type(error).__name__}: {said}" + (f" ({place})" if place else "")
