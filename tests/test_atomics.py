"""Atomic operations: several threads lose nothing, compiled and interpreted."""

import threading

import numpy as np
import pytest

from uctlab.kernels import kernel, specialise
from uctlab.kernels.atomics import (
    add_at,
    add_field,
    add_pair,
    load_at,
    load_field,
    set_bits_field,
    store_at,
    store_field,
    swap_at,
    swap_field,
    yield_processor,
)
from uctlab.kernels.locks import acquire, release

THREADS = 4
RECORD = np.dtype([("total", "f8"), ("low", "u4"), ("high", "u4"), ("small", "i2")], align=True)


@kernel
def count(words, records, times):
    """Add one in every way there is."""
    for _ in range(times):
        add_at(words, 0, 1)
        add_field(records, 1, "total", 0.5)
        add_field(records, 1, "small", 1)
        add_pair(records, 1, "low", "high", 1, -1)
        before = load_at(words, 1)
        while not swap_at(words, 1, before, before + 1):
            before = load_at(words, 1)


@kernel
def count_in_two_steps(words, records, times):
    """A sum that is not atomic, with a pause now and then between its two halves."""
    for i in range(times):
        seen = load_at(words, 0)
        if i % 100 == 0:
            yield_processor()
        store_at(words, 0, seen + 1)


@kernel
def count_in_a_lock(words, records, times):
    for _ in range(times):
        acquire(words, 8)
        words[0] += 1
        records[1].total += 0.5
        release(words, 8)


def run(template, times, *, interpret=False):
    work = specialise(template, interpret=interpret)
    words = np.zeros(16, np.int64)
    records = np.zeros(3, RECORD).view(np.recarray)
    records[1].high = 2**32 - 1
    work(words, records, 0)  # compiled before the threads start
    gate = threading.Barrier(THREADS)

    def start():
        gate.wait()
        work(words, records, times)

    threads = [threading.Thread(target=start) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return words, records


@pytest.mark.parametrize(("times", "interpret"), [(1_000_000, False), (200, True)])
def test_twenty_million_additions_and_none_is_lost(times, interpret):
    """Five ways to add, four threads."""
    words, records = run(count, times, interpret=interpret)
    every = THREADS * times
    assert words[0] == words[1] == every
    assert records[1].total == every / 2
    assert records[1].low == every and records[1].high == 2**32 - 1 - every
    assert records[1].small == np.array(every).astype(np.int16)  # it wraps
    assert not records[0].low and not records[2].low and not words[2:].any()


def test_additions_in_two_steps_lose_some():
    """Sooner or later: a busy machine may run one thread after the other."""
    times = 100_000
    assert any(run(count_in_two_steps, times)[0][0] < THREADS * times for _ in range(50))


@pytest.mark.parametrize(("times", "interpret"), [(100_000, False), (100, True)])
def test_a_lock_lets_one_in(times, interpret):
    words, records = run(count_in_a_lock, times, interpret=interpret)
    assert words[0] == THREADS * times and records[1].total == THREADS * times / 2
    assert words[8] == 0


@kernel
def one_of_each(words, records, seen):
    seen[0] = add_at(words, 3, 5)
    seen[1] = load_at(words, 3)
    seen[2] = swap_at(words, 3, 4, 9)
    seen[3] = swap_at(words, 3, 5, 9)
    seen[4] = set_bits_field(records, 2, "low", np.uint32(6))
    seen[5] = set_bits_field(records, 2, "low", np.uint32(1))
    seen[6] = swap_field(records, 2, "small", 0, -2)
    seen[7] = load_field(records, 2, "small")
    store_field(records, 2, "small", 7)
    seen[8] = add_field(records, 2, "small", -8)
    seen[9] = load_field(records, 2, "low")
    store_at(words, 3, -1)


@pytest.mark.parametrize("interpret", [False, True])
def test_what_operations_return(interpret):
    words, seen = np.zeros(4, np.int64), np.zeros(10, np.int64)
    records = np.zeros(3, RECORD).view(np.recarray)
    specialise(one_of_each, interpret=interpret)(words, records, seen)
    assert seen.tolist() == [0, 5, 0, 1, 0, 6, 1, -2, 7, 7]
    assert records[2].small == -1 and words.tolist() == [0, 0, 0, -1]


@kernel
def add_to_strangers(records):
    add_pair(records, 0, "total", "low", 1, 1)


def test_a_pair_is_a_word():
    with pytest.raises(TypeError, match="halves of an aligned 64-bit word"):
        specialise(add_to_strangers)(np.zeros(1, RECORD).view(np.recarray))
