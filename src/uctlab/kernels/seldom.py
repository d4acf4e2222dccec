"""Kernels that Python calls now and then: plain Python at first, machine code once that pays.

A search calls some kernels once per move: they list the legal moves, or give the root its children.
To compile one takes longer than to interpret it a hundred times. So it stays plain Python until
it has taken as long as compiling would, which costs at most twice what the better way would have
cost. Machine code that is in the disk cache is used at once. The results are the same.

Everything is compiled at once where a clock runs (budgets in seconds, GTP), in `uctlab check` and
in `uctlab warm`. So are kernels of a user's own files, so that their mistakes show at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 0.2  # CPU seconds of plain Python, about what one such kernel takes to compile

_here = threading.local()
"""`at_once`: whether this thread compiles every kernel when it is first called."""


class Seldom:
    """A kernel in both forms."""

    def __init__(self, plain: Callable[..., Any], quiet: Callable[..., Any], compiled: Any) -> None:
        self.plain = plain
        """For plain kernels that call it."""
        self.compiled = compiled
        self.py_func = compiled.py_func
        self._quiet = quiet
        self._spent = -1.0  # CPU seconds; negative before the first call
        self._ready = False

    def __call__(self, *args: Any) -> Any:
        if self._ready:
            return self.compiled(*args)
        at_once = getattr(_here, "at_once", False)
        if at_once or self._spent > PATIENCE or (self._spent < 0 and self._is_kept(args)):
            self._ready = True
            return self.compiled(*args)
        begin = time.thread_time()
        try:
            return self._quiet(*args)
        finally:
            self._spent = max(self._spent, 0.0) + time.thread_time() - begin

    def _is_kept(self, args: tuple[Any, ...]) -> bool:
        """Whether the machine code for such arguments is in the disk cache."""
        kinds = tuple(map(self.compiled.typeof_pyval, args))
        return bool(self.compiled._cache.has(kinds, self.compiled.targetctx))


@contextmanager
def compiling_at_once() -> Iterator[None]:
    """While this lasts, every kernel that this thread calls is compiled when it is first called:
    before time is measured, and where machine code itself is tested."""
    before, _here.at_once = getattr(_here, "at_once", False), True
    try:
        yield
    finally:
        _here.at_once = before
