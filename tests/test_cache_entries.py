"""Entries of the disk cache: checked when read, never in the way of a run, removed by age."""

import errno
import os
import random
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest
from numba import config, typeof

from uctlab.kernels import cache_folder, disk_cache
from uctlab.kernels.jit import compile_function


def tripled(x):
    return 3 * x


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("UCTLAB_CACHE", str(tmp_path))
    return tmp_path


def run():
    """Compile or load as a new process would; the result, and whether it was loaded."""
    function = compile_function(tripled)
    return function(14), sum(function.stats.cache_hits.values()) == 1


def only_entry(folder):
    (entry,) = folder.iterdir()
    return entry


def flipped(data, place):
    changed = bytearray(data)
    changed[place] ^= 16
    return bytes(changed)


DAMAGES = {
    "empty": lambda data: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "shorter than a checksum": lambda data: data[:7],
    "zeros": lambda data: bytes(len(data)),
    "random": lambda data: random.Random(1).randbytes(len(data)),
    "longer": lambda data: data + b"\0",
    "flipped in the checksum": lambda data: flipped(data, 3),
    "flipped in the pickle": lambda data: flipped(data, 40),
    "flipped in the code": lambda data: flipped(data, len(data) // 2),
    "flipped at the end": lambda data: flipped(data, -1),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_compiled_again(folder, capsys, damage):
    assert run() == (42, False)
    assert run() == (42, True)
    entry = only_entry(folder)
    entry.write_bytes(DAMAGES[damage](entry.read_bytes()))
    assert capsys.readouterr().err == ""
    assert run() == (42, False)
    assert capsys.readouterr().err == (
        f"uctlab: compiled code in {folder} was damaged and is compiled again\n"
    )
    assert run() == (42, True)
    assert capsys.readouterr().err == ""


def test_a_full_disk_does_not_stop_a_run(folder, capsys, monkeypatch):
    def full(path, data):
        with path.open("wb") as part:
            part.write(data[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert run() == (42, False)
    assert run() == (42, False)
    said = capsys.readouterr().err
    assert said == f"uctlab: compiled code cannot be kept in {folder}: No space left on device\n"
    assert list(folder.iterdir()) == []


def test_a_folder_that_was_removed_meanwhile(folder):
    assert run() == (42, False)
    only_entry(folder).unlink()
    folder.rmdir()
    assert run() == (42, False)
    assert run() == (42, True)


def make_entry(folder, name, age, size=1 << 20):
    path = folder / name
    path.write_bytes(bytes(size))
    now = path.stat().st_mtime
    os.utime(path, (now - age, now - age))
    return path


def test_the_entries_unused_for_the_longest_time_are_removed_first(folder, monkeypatch):
    monkeypatch.setenv("UCTLAB_CACHE_LIMIT", "2")
    other = make_entry(folder, "somebody.elses", age=9000)
    part = make_entry(folder, "a.1.kernel-part", age=9000)
    young_part = make_entry(folder, "a.2.kernel-part", age=10)
    oldest, newest, middle = (
        make_entry(folder, f"{age}.kernel", age) for age in (8000, 1000, 3000)
    )
    assert run() == (42, False)  # the first to write tidies up
    assert not oldest.exists() and not part.exists()
    assert middle.exists() and newest.exists() and other.exists() and young_part.exists()


def test_use_makes_an_entry_young(folder):
    run()
    entry = only_entry(folder)
    os.utime(entry, (1000, 1000))
    assert run() == (42, True)
    assert entry.stat().st_mtime > 1000


def test_a_limit_that_is_no_number(monkeypatch, capsys):
    monkeypatch.setenv("UCTLAB_CACHE_LIMIT", "lots")
    assert cache_folder.limit_in_bytes() == 1 << 30
    assert "UCTLAB_CACHE_LIMIT is a number of MiB, not 'lots'" in capsys.readouterr().err


@pytest.mark.parametrize("setting", disk_cache.SETTINGS)
def test_settings_of_numba_have_entries_of_their_own(folder, monkeypatch, setting):
    codegen = compile_function(tripled).targetctx.codegen()
    cache = disk_cache.DiskCache(tripled)
    before = cache._path((typeof(14),), codegen)
    monkeypatch.setattr(config, setting, "another")
    assert cache._path((typeof(14),), codegen) != before


def test_types_that_numba_prints_alike_are_told_apart():
    """The fields of a named tuple are in another file than the kernels that read them."""
    pairs = [
        (namedtuple("Pair", "left right"), namedtuple("Pair", "right left")),
        (namedtuple("Pair", "left right"), namedtuple("Pair", "left wrong")),
    ]
    for first, second in pairs:
        for wrap in (lambda pair: pair, lambda pair: (pair, 1)):
            kinds = typeof(wrap(first(1, 2.0))), typeof(wrap(second(1, 2.0)))
            assert str(kinds[0]) == str(kinds[1])
            assert disk_cache.type_facts(kinds[0]) != disk_cache.type_facts(kinds[1])


def test_the_layout_of_records_counts():
    packed, aligned = (
        typeof(np.zeros(1, np.dtype([("a", np.int8), ("b", np.int32)], align=align)))
        for align in (False, True)
    )
    assert disk_cache.type_facts(packed) != disk_cache.type_facts(aligned)
