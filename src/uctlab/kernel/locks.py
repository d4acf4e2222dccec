"""Waiting for another thread in compiled code, where Python's locks are not at hand."""

from __future__ import annotations

from uctlab.kernel.atomics import load_at, pause, store_at, swap_at, yield_processor
from uctlab.kernel.jit import kernel

# Then the one that is waited for may be waiting for a processor.
SPINS = 64


@kernel
def wait(tries):
    """A moment; what to hand in the next time."""
    if tries < SPINS:
        pause()
    else:
        yield_processor()
    return tries + 1


@kernel
def acquire(locks, index):
    """Take the lock: an element that is 1 while some thread has it."""
    tries = 0
    while load_at(locks, index) != 0 or not swap_at(locks, index, 0, 1):
        tries = wait(tries)


@kernel
def release(locks, index):
    store_at(locks, index, 0)
