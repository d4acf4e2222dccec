"""The folder of compiled kernels: where it is, how large it is, and how it is kept small.

It is the first of these that is writable: UCTLAB_CACHE, NUMBA_CACHE_DIR/uctlab, the user's cache
folder, a temporary folder. Before its first write a process removes the entries unused for the
longest time, until the rest is within UCTLAB_CACHE_LIMIT. A write that fails stops nothing.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import platformdirs

from uctlab.kernels.jit import interpreted

PLACE = "UCTLAB_CACHE"  # environment variables
NUMBAS_PLACE = "NUMBA_CACHE_DIR"
LIMIT = "UCTLAB_CACHE_LIMIT"  # in MiB

DEFAULT_LIMIT = 1024  # MiB
ENTRY = ".kernel"  # how the names of our files end: the folder may hold other people's
UNFINISHED = ".kernel-part"
STALE = 3600  # seconds after which an unfinished file has no writer any more


class Entry(NamedTuple):
    path: Path
    size: int
    used: float  # when it was last written or read


def cache_folder() -> Path | None:
    """The folder, which exists; None if nothing at all is writable."""
    return _first_writable(tuple(_wanted()))


def share_cache_folder() -> None:
    """Choose the cache folder before child processes start: a temporary one is then this process's,
    which removes it; children end without clearing up."""
    if not interpreted():
        cache_folder()


def _wanted() -> list[Path]:
    places = []
    if os.environ.get(PLACE):
        places.append(Path(os.environ[PLACE]))
    if os.environ.get(NUMBAS_PLACE):
        places.append(Path(os.environ[NUMBAS_PLACE], "uctlab"))
    return [*places, platformdirs.user_cache_path("uctlab", appauthor=False) / "kernels"]


@cache
def _first_writable(places: tuple[Path, ...]) -> Path | None:
    for place in places:
        if _is_writable(place):
            if place != places[0]:
                say_once(f"cannot write to {places[0]}; compiled code goes to {place}")
            return place.absolute()
    return _temporary(places[0])


def _is_writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return True


def _temporary(wanted: Path) -> Path | None:
    """A folder that lives as long as this process and serves its worker processes too."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="uctlab-cache-"))
    except OSError:
        say_once(f"cannot write to {wanted}; compiled code is not kept (set {PLACE})")
        return None
    say_once(f"cannot write to {wanted}; compiled code is kept for this run only (set {PLACE})")
    os.environ[PLACE] = str(folder)  # worker processes inherit it
    owner = os.getpid()

    def remove() -> None:
        if os.getpid() == owner:  # not in a forked child
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


def entries(folder: Path) -> list[Entry]:
    """The entries of the cache, the one that was not used for the longest time first."""
    return sorted(_files(folder, ENTRY), key=lambda entry: entry.used)


def clear(folder: Path) -> None:
    """Remove all entries, and nothing that is not ours."""
    for suffix in (ENTRY, UNFINISHED):
        for entry in _files(folder, suffix):
            entry.path.unlink(missing_ok=True)


def write(path: Path, data: bytes) -> None:
    """Write an entry at once or not at all, as several processes may write the same one."""
    _trim_once(path.parent)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}{UNFINISHED}")
    try:
        part.write_bytes(data)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def limit_in_bytes() -> int:
    text = os.environ.get(LIMIT) or str(DEFAULT_LIMIT)
    if not text.isdecimal():
        say_once(f"{LIMIT} is a number of MiB, not {text!r}; the limit is {DEFAULT_LIMIT}")
        text = str(DEFAULT_LIMIT)
    return int(text) << 20


def trim(folder: Path) -> None:
    """Remove the entries unused for the longest time, until the rest is within the limit."""
    found = entries(folder)
    excess = sum(entry.size for entry in found) - limit_in_bytes()
    leftovers = [e for e in _files(folder, UNFINISHED) if e.used < time.time() - STALE]
    for entry in leftovers:
        entry.path.unlink(missing_ok=True)
    for entry in found:
        if excess <= 0:
            break
        entry.path.unlink(missing_ok=True)
        excess -= entry.size


@cache
def _trim_once(folder: Path) -> None:
    """Once in a process, when it first writes: most never do, and a listing takes time."""
    with suppress(OSError):
        trim(folder)


def _files(folder: Path, suffix: str) -> list[Entry]:
    found = []
    with suppress(FileNotFoundError), os.scandir(folder) as listing:
        for item in listing:
            # Another process may have removed it meanwhile.
            with suppress(FileNotFoundError):
                if item.name.endswith(suffix) and item.is_file():
                    facts = item.stat()
                    found.append(Entry(Path(item.path), facts.st_size, facts.st_mtime))
    return found


@cache
def say_once(message: str) -> None:
    print(f"uctlab: {message}", file=sys.stderr)
