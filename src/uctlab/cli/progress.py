"""Progress bars on standard error, for all subcommands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from uctlab.arena.tasks import Progress as GameProgress
from uctlab.kernels.notice import shown_by


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
    """A bar that disappears when it is done, and is not shown without a terminal."""
    console = Console(stderr=True)
    bar = Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,  # otherwise Rich writes an empty line at the end
    )

    descriptions: list[str] = []

    def note(text: str) -> None:
        """Say in the bar what is being compiled."""
        for task in bar.tasks[:1]:
            if "status" in task.fields:
                what, _, seconds = text.rpartition(
                    " … "
                )  # there is little room: the end may be cut
                bar.update(task.id, status=f"{seconds}: {what}" if text else "")
            else:
                descriptions.append(task.description)
                bar.update(task.id, description=text or descriptions[0])
                if not text:
                    descriptions.clear()

    with bar, shown_by(note):
        yield bar


@contextmanager
def game_progress(what: str) -> Iterator[GameProgress]:
    """A function to call with the finished games, all games, the work begun and the speed."""
    name = TextColumn("{task.description}")
    with progress_bar(name, BarColumn(), _Count(), _Speed(), TimeRemainingColumn()) as bar:

        def tell(finished: int, total: int, begun: float = 0.0, status: str = "") -> None:
            done = finished + begun
            facts: dict[str, Any] = {
                "total": total,
                "completed": done,
                "finished": finished,
                "status": status,
            }
            if bar.tasks:
                bar.update(bar.tasks[0].id, **facts)
            else:  # games of an earlier run do not count for the speed of this one
                bar.add_task(what, **facts)

        yield tell


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
