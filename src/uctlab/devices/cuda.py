"""Games and single searches on the GPUs of this machine, all of them at once.

One GPU is used by this process; several have a process each, and a share of the tasks. Processes
are simpler than threads with a context each, and share no interpreter's lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from uctlab.arena.game import GameTask
from uctlab.arena.search_task import SearchTask
from uctlab.arena.tasks import Batch, Finished, T
from uctlab.devices.checkpoint import Checkpoint
from uctlab.devices.cpu import Cpu, perform_on
from uctlab.devices.cuda_compile import compile_ahead
from uctlab.devices.cuda_driver import require_gpu, visible_gpus
from uctlab.devices.cuda_games import uncompiled
from uctlab.devices.gpu_batches import GpuBatch, Ledger, check_plan, split
from uctlab.devices.scheduler import perform_here

VISIBLE = "CUDA_VISIBLE_DEVICES"


class Cuda:
    """Games and single searches on the GPUs of this machine; other tasks on its cores."""

    searches_on_cpu = False

    def __init__(self, workers: int | None = None, checkpoint: Path | None = None) -> None:
        require_gpu()
        self._cpu = Cpu(workers)
        self._checkpoint = Checkpoint(checkpoint) if checkpoint else None

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        everything: list[Any] = list(tasks)
        on_gpu = [task for task in everything if isinstance(task, GameTask | SearchTask)]
        others = [task for task in everything if not isinstance(task, GameTask | SearchTask)]
        for plan in dict.fromkeys(task.plan for task in on_gpu if isinstance(task, GameTask)):
            check_plan(plan)
        gpus = visible_gpus()
        saved = self._checkpoint.load() if self._checkpoint else None
        batches = split(on_gpu, len(gpus), saved)
        ledger = Ledger(batches, self._checkpoint)
        if len(gpus) == 1:
            yield from perform_here(ledger)
        elif batches:
            yield from _compile_once(batches)
            yield from perform_on([{VISIBLE: gpu} for gpu in gpus], ledger)
        if others:
            yield from self._cpu.run(iter(others))


def _compile_once(batches: list[GpuBatch]) -> Finished[Any]:
    """Compile for all GPUs, whose processes would all do the same."""
    tasks = {
        task
        for batch in batches
        if (games := [task for task in batch.tasks if isinstance(task, GameTask)])
        for task in uncompiled(games)
    }
    if tasks:
        yield Batch([], 0.0, f"compiling {len(tasks)} kinds of agents for the GPUs")
        compile_ahead(sorted(tasks, key=str))
