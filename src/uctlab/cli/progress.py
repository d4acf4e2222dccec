"""Progress bars, on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


class _Count(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(f"{task.fields['finished']:,} of {task.total or 0:,.0f}")


class _Speed(ProgressColumn):
    """What a device says of its speed, or finished games in a second or minute."""

    def render(self, task: Task) -> Text:
        if task.fields["status"]:
            return Text(task.fields["status"])
        speed = task.speed
        if speed is None or task.elapsed is None or task.elapsed < 3:
            return Text("")
        return Text(f"{speed:.1f} a second" if speed >= 1 else f"{60 * speed:.1f} a minute")


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A bar that leaves nothing behind, and shows nothing where there is no terminal."""
    console = Console(stderr=True)
    return Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,  # else an empty line is written at the end
    )


@contextmanager
def game_progress(what: str) -> Iterator[Callable[[int, int, float, str], None]]:
    """A function to call with what is finished, how much there is, how much is begun, and speed."""
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
            else:  # what an earlier run has finished says nothing about the speed of this one
                bar.add_task(what, **facts)

        yield tell
