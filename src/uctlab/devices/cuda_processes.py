"""Performs batches on several GPUs of this machine, with a process for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from uctlab.arena.tasks import Finished
from uctlab.devices.crew import MAX_DEATHS, Crew, Worker, outcome_of
from uctlab.devices.gpu_batches import GpuBatch, Ledger
from uctlab.errors import LabError

VISIBLE = "CUDA_VISIBLE_DEVICES"


def perform_on(gpus: Sequence[str], ledger: Ledger) -> Finished[Any]:
    """Perform all batches of the ledger; `gpus` are names as in CUDA_VISIBLE_DEVICES.

    A process that dies is replaced, and goes on with the rest of its batch.
    """
    where: dict[Worker, str] = {}
    deaths: dict[GpuBatch, int] = {}
    with Crew() as crew:
        for gpu in gpus:
            if (batch := ledger.next()) is not None:
                where[crew.hire(batch, {VISIBLE: gpu})] = gpu
        while crew.workers:
            for worker in crew.heard():
                batch = worker.task
                try:
                    replies = worker.read()
                except EOFError:
                    crew.dismiss(worker)
                    died = deaths.get(batch, 0) + 1
                    if died == MAX_DEATHS:
                        raise LabError(
                            f"{batch} has killed {died} processes ({worker.fate()})"
                        ) from None
                    if (rest := ledger.lose(batch)) is not None:
                        deaths[rest] = died
                    if (following := ledger.next()) is not None:
                        gpu = where[worker]
                        where[crew.hire(following, {VISIBLE: gpu})] = gpu
                    continue
                for kind, value in replies:
                    if kind == "part":
                        yield ledger.note(batch, value)
                        ledger.keep(batch, value)
                        continue
                    outcome_of(kind, value)
                    ledger.end(batch)
                    if (following := ledger.next()) is not None:
                        worker.begin(following)
                    else:
                        crew.dismiss(worker)
