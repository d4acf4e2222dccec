"""From `cpu`, `cuda`, `ray` or `ray:ADDRESS` to a device."""

from __future__ import annotations

from pathlib import Path

from uctlab.arena.tasks import Device
from uctlab.devices.cpu import Cpu
from uctlab.devices.ray import RayCluster
from uctlab.errors import UsageError


def make_device(
    text: str = "cpu", workers: int | None = None, *, store: Path | str | None = None
) -> Device:
    """The device of that name; `workers` are the games that run at once, by default all cores.

    A GPU keeps the games that it has begun in a file beside the store.
    """
    name, _, address = text.partition(":")
    if name == "cpu" and not address:
        return Cpu(workers)
    if name == "cuda" and not address:
        from uctlab.devices.cuda import Cuda  # noqa: PLC0415 (numba-cuda takes its time to load)

        return Cuda(workers, Path(f"{store}.cuda") if store else None)
    if name == "ray":
        return RayCluster(address, workers)
    raise UsageError(f"unknown device '{text}'; known: cpu, cuda, ray, ray:ADDRESS of a cluster")
