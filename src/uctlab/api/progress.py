"""Progress bars, for subcommands and for functions: in terminals and in notebooks."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from uctlab.arena.tasks import Progress as GameProgress
from uctlab.errors import UsageError
from uctlab.kernels.notice import shown_by

DELAY = 2.0  # seconds of work before the bar of a function appears


class _Count(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.fields['finished']:,} of {task.total or 0:,.0f}")


class _Speed(ProgressColumn):
    """The speed that a device reports, or finished games per second or minute."""

    def render(self, task: Task) -> Text:
        if task.fields["status"]:
            return Text(task.fields["status"])
        speed = task.speed
        if speed is None or task.elapsed is None or task.elapsed < 3:
            return Text("")
        return Text(f"{speed:.1f} per second" if speed >= 1 else f"{60 * speed:.1f} per minute")


@contextmanager
def progress_bar(*columns: ProgressColumn) -> Iterator[Progress]:
    """A bar that disappears when it is done, and is not shown where nobody would see it."""
    bar = _bar(*columns)
    with _shown(bar):
        yield bar


@contextmanager
def game_progress(what: str, delay: float = 0.0) -> Iterator[GameProgress]:
    """A function to call with the finished games, all games, the work begun and the speed.

    The bar appears with the first call after `delay` seconds.
    """
    name = TextColumn("{task.description}")
    bar = _bar(name, BarColumn(), _Count(), _Speed(), TimeRemainingColumn())
    begin: float | None = time.monotonic()
    with ExitStack() as shown:

        def tell(finished: int, total: int, begun: float = 0.0, status: str = "") -> None:
            nonlocal begin
            facts: dict[str, Any] = {"finished": finished, "status": status}
            facts |= {"total": total, "completed": finished + begun}
            if bar.tasks:
                bar.update(bar.tasks[0].id, **facts)
            else:  # games of an earlier run do not count for the speed of this one
                bar.add_task(what, **facts)
            if begin is not None and time.monotonic() - begin >= delay:
                begin = None
                shown.enter_context(_shown(bar))

        yield tell


@contextmanager
def shown_progress(
    progress: bool | GameProgress | None, what: str
) -> Iterator[GameProgress | None]:
    """A function that shows the progress, for `progress`: True, False, or the function itself.

    None is False, as in earlier versions. With True there is a bar if the work takes longer than
    two seconds.
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
        with game_progress(what, DELAY) as tell:
            yield tell


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this code."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def telling_stored(progress: GameProgress, store: str | None) -> GameProgress:
    """The same; its first call, which comes before any game is played, says what a store has."""
    first = True

    def tell(finished: int, total: int, begun: float, status: str) -> None:
        nonlocal first
        if first and finished:
            games = "1 game" if finished == 1 else f"{finished:,} games"
            print(f"{games} from {store}", file=sys.stderr)
        first = False
        progress(finished, total, begun, status)

    return tell


def _bar(*columns: ProgressColumn) -> Progress:
    # Rich shows nothing in a notebook without ipywidgets; a terminal's line is good enough there.
    line = True if in_notebook() and find_spec("ipywidgets") is None else None
    console = Console(stderr=True, force_terminal=line, force_jupyter=False if line else None)
    return Progress(
        *columns,
        console=console,
        transient=True,
        # Otherwise Rich writes an empty line at the end.
        disable=not (console.is_terminal or console.is_jupyter),
    )


@contextmanager
def _shown(bar: Progress) -> Iterator[None]:
    """Show the bar, which also says what is being compiled."""
    descriptions: list[str] = []

    def note(text: str) -> None:
        for task in bar.tasks[:1]:
            if "status" in task.fields:
                # There is little room: the end may be cut.
                what, _, seconds = text.rpartition(" … ")
                bar.update(task.id, status=f"{seconds}: {what}" if text else "")
            else:
                descriptions.append(task.description)
                bar.update(task.id, description=text or descriptions[0])
                if not text:
                    descriptions.clear()

    with bar, shown_by(note):
        yield
