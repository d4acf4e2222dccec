"""Makes a device from its name, and plays matches on it: `cpu`, `cuda`, `ray` or `ray:ADDRESS`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.result import MatchResult
from uctlab.arena.store import Store
from uctlab.arena.tasks import Device, Progress
from uctlab.devices.cpu import Cpu
from uctlab.devices.ray import RayCluster
from uctlab.errors import UsageError


def make_device(
    text: str = "cpu", workers: int | None = None, *, store: Path | str | None = None
) -> Device:
    """The device of that name; `workers` is how many games run at once, by default one per core.

    GPUs save their unfinished games in a file next to the store.
    """
    checkpoint = None if store is None else Path(f"{store}.cuda")
    name, _, address = text.partition(":")
    if name == "cpu" and not address:
        return Cpu(workers)
    if name == "cuda" and not address:
        from uctlab.devices.cuda import Cuda  # noqa: PLC0415 (numba-cuda is slow to load)

        return Cuda(workers, checkpoint)
    if name == "ray":
        return RayCluster(address, workers, checkpoint)
    raise UsageError(f"unknown device '{text}'; known: cpu, cuda, ray, ray:ADDRESS of a cluster")


def device_gpu(text: str) -> str:
    """The name of the GPU that the device of that name uses; empty if it uses none."""
    if text.partition(":")[0] != "cuda":
        return ""
    from uctlab.devices.cuda_driver import gpu_name  # noqa: PLC0415 (numba-cuda is slow to load)

    return gpu_name()


def run_matches(
    plans: Sequence[MatchPlan],
    games: int,
    settings: MatchSettings,
    progress: Progress | None = None,
) -> list[MatchResult]:
    """Play matches on the device and with the store that the settings name."""
    place = make_device(settings.device, settings.workers, store=settings.store)
    gpu = device_gpu(settings.device)
    with nullcontext() if settings.store is None else Store(settings.store, gpu=gpu) as kept:
        return play_matches(
            plans,
            games=games,
            device=place,
            store=kept,
            sprt=settings.sprt,
            progress=progress,
            mix_versions=settings.mix_versions,
        )
