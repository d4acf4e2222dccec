"""Says what is being compiled and for how long already, in a line that disappears.

It is for terminals and notebooks; where output is kept, as in a file, nothing is said.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

DELAY = 1.0  # seconds before the line appears
INTERVAL = 1.0  # seconds between its updates

_names: list[tuple[str, float]] = []
"""What is being prepared, and since when; the innermost comes last."""


@contextmanager
def preparing(what: str) -> Iterator[None]:
    """What is compiled in here is part of that: "the search of go:9 for fuego"."""
    _names.append((what, time.monotonic()))
    try:
        yield
    finally:
        _names.pop()


@contextmanager
def compiling(kernel: str) -> Iterator[None]:
    """Around a compilation: shows the line if it takes long, on standard error."""
    if not is_watched():
        yield
        return
    what, begin = _names[-1] if _names else (kernel, time.monotonic())
    ended = Event()
    teller = Thread(target=_tell, args=(f"compiling {what}", begin, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


@contextmanager
def shown_by(show: Callable[[str], None]) -> Iterator[None]:
    """Give the text to that function, since a progress bar has the terminal; "" when it is over."""
    _shows.append(show)
    try:
        yield
    finally:
        _shows.remove(show)


def is_watched() -> bool:
    """Whether standard error is a terminal or the output of a notebook's cell."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")


def silence() -> None:
    """Show nothing in this process: the terminal is another's."""
    _shows.append(lambda text: None)


def _tell(text: str, begin: float, ended: Event) -> None:
    pause = max(0.0, begin + DELAY - time.monotonic())
    show = _shows[-1]
    shown = False
    while not ended.wait(pause):
        show(f"{text} … {time.monotonic() - begin:.0f} s")
        shown, pause = True, INTERVAL
    if shown:
        show("")


def _write(text: str) -> None:
    width = shutil.get_terminal_size().columns - 1
    # With blanks, since notebooks know no code that erases a line.
    print(end=f"\r{' ' * width}\r{text[:width]}", file=sys.stderr, flush=True)


_shows: list[Callable[[str], None]] = [_write]
