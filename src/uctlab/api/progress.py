"""Progress bars of functions that people call: by tqdm, in terminals and notebooks."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from uctlab.arena.tasks import Progress
from uctlab.errors import UsageError

DELAY = 2.0  # seconds of work before a bar appears


@contextmanager
def shown_progress(progress: bool | Progress | None, what: str) -> Iterator[Progress | None]:
    """A function that shows the progress, for `progress`: True, False, or the function itself.

    None is False, as in earlier versions.

    With True there is a bar where somebody can see it: in a notebook or a terminal, if the work
    takes longer than two seconds.
    """
    if callable(progress):
        yield progress
    elif not isinstance(progress, bool | None):
        raise UsageError(
            f"progress must be True, False or a function, not a {type(progress).__name__}"
        )
    elif not progress or not (in_notebook() or sys.stderr.isatty()):
        yield None
    else:
        bar = _Bar(what)
        try:
            yield bar
        finally:
            bar.close()


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this code."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


class _Bar:
    """A bar that is made when the work begins: results of a store do not count for its speed."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Any = None

    def __call__(self, finished: int, total: int, begun: float = 0.0, status: str = "") -> None:
        done = round(finished + begun, 1) if begun else finished
        if self._bar is None:
            self._bar = _tqdm()(
                desc=self._what, total=total, initial=done, delay=DELAY, leave=False
            )
        if total != self._bar.total:
            self._bar.total = total
            if hasattr(self._bar, "container"):  # a widget, which has a maximum of its own
                _, widget, _ = self._bar.container.children
                widget.max = total
        if status:
            self._bar.set_postfix_str(status, refresh=False)
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def _tqdm() -> Any:
    """The class for this terminal or notebook; it warns where a notebook has no ipywidgets, and
    is then a bar of text, which is good enough."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from tqdm.auto import tqdm  # noqa: PLC0415 (it asks where it is when it is loaded)
    return tqdm
