"""Prefetches memory into a GPU's cache."""

from __future__ import annotations

from typing import Any

from uctlab.kernels.jit import primitive


@primitive("prefetch")
def prefetch(record: Any) -> None:
    """Start loading a record into the GPU's cache, without waiting for it."""
