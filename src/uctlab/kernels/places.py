"""Where in the source a kernel failed, interpreted or compiled; in a user's file if possible.

A cell of a notebook is a file too, whose name tells nobody anything; IPython knows its number.
"""

from __future__ import annotations

import re
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numba.core.ir import Loc

_OURS = Path(__file__).resolve().parents[1]
_LIBRARIES = {Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "purelib", "platlib")}
_IN_MESSAGE = re.compile(r'File "([^"\n]+)", line (\d+)')


class Place(NamedTuple):
    """A line of a source file."""

    path: Path
    line: int

    def __str__(self) -> str:
        number = cells().get(self.path)
        name = self.path.name if number is None else f"cell In[{number}]"
        return f"{name}, line {self.line}"


def place_of(error: BaseException) -> Place | None:
    """The line of the kernel that failed; None if neither the error nor its traceback says it."""
    ours = None
    for place in _places(error):
        if not _belongs(place.path, {_OURS}):
            return place
        ours = ours or place
    return ours


def place_of_code(code: CodeType) -> Place:
    """Where a function is defined."""
    return Place(Path(code.co_filename).resolve(), code.co_firstlineno)


def _places(error: BaseException) -> Iterator[Place]:
    """From the most exact to the least: inner calls first, without libraries."""
    found = [*_from_traceback(error), *_from_message(error)]
    for filename, line in found:
        path = Path(filename).resolve()
        # Cached machine code may name the file by an earlier path, where it is no more.
        is_source = path.suffix == ".py" or path in cells()
        if is_source and not _belongs(path, _LIBRARIES):
            yield Place(path, line)


def _from_traceback(error: BaseException) -> Iterator[tuple[str, int]]:
    """Frames, and what Numba was compiling there: not all its errors say where they come from.

    Frames above the first of ours belong to whoever called us.
    """
    frames = list(traceback.walk_tb(error.__traceback__))
    inside = [_belongs(Path(frame.f_code.co_filename), {_OURS}) for frame, _ in frames]
    first = inside.index(True) if True in inside else len(frames)
    for frame, line in reversed(frames[first:]):
        compiled = _location(frame.f_locals)
        if compiled is not None:
            yield compiled.filename, compiled.line
        yield frame.f_code.co_filename, line


def _location(names: dict[str, Any]) -> Loc | None:
    if "numba" not in sys.modules:  # nothing has been compiled
        return None
    from numba.core.ir import Loc  # noqa: PLC0415 (Numba is slow to load)

    for name in ("loc", "inst", "self", "constraint", "expr"):
        value = names.get(name)
        value = getattr(value, "loc", value)
        if isinstance(value, Loc):
            return value
    return None


def _from_message(error: BaseException) -> Iterator[tuple[str, int]]:
    for filename, line in _IN_MESSAGE.findall(str(error)):
        yield filename, int(line)


def _belongs(path: Path, folders: set[Path]) -> bool:
    return bool(folders & set(path.parents))


def cells() -> dict[Path, int]:
    """The numbers of a notebook's cells by the files that IPython says they are."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    compiler = getattr(shell, "compile", None)
    names: dict[str, int] = getattr(compiler, "_filename_map", {})
    return {Path(name).resolve(): number for name, number in names.items()}
