"""Spin locks for compiled code, which cannot use Python's locks."""

from __future__ import annotations

from uctlab.kernels.atomics import load_at, pause, store_at, swap_at, yield_processor
from uctlab.kernels.jit import kernel

# Tries before yielding: by then the thread that holds the lock may itself need a processor.
SPINS = 64


@kernel
def wait(tries):
    """Wait briefly; returns the `tries` to pass to the next call."""
    if tries < SPINS:
        pause()
    else:
        yield_processor()
    return tries + 1


@kernel
def acquire(locks, index):
    """Take the lock, an element that is 1 while a thread holds it."""
    tries = 0
    while load_at(locks, index) != 0 or not swap_at(locks, index, 0, 1):
        tries = wait(tries)


@kernel
def release(locks, index):
    store_at(locks, index, 0)
