"""From `cpu`, `ray` or `ray:ADDRESS` to a device."""

from __future__ import annotations

from uctlab.arena.tasks import Device
from uctlab.devices.cpu import Cpu
from uctlab.devices.ray import RayCluster
from uctlab.errors import UsageError


def make_device(text: str = "cpu", workers: int | None = None) -> Device:
    """The device of that name; `workers` are the games that run at once, by default all cores."""
    name, _, address = text.partition(":")
    if name == "cpu" and not address:
        return Cpu(workers)
    if name == "ray":
        return RayCluster(address, workers)
    raise UsageError(f"unknown device '{text}'; known: cpu, ray, ray:ADDRESS of a cluster")
