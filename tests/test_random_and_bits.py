"""Random numbers and bits: known values, compiled and plain alike."""

import numpy as np
import pytest

from uctlab.kernels import (
    below,
    draw_places,
    kernel,
    low_bit,
    next_u64,
    popcount,
    seed_rng,
    specialise,
)

WORDS = [0, 1, 2, 3, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x00F0000000000000, 12345678901]


@kernel
def bits_of(word):
    return popcount(word), low_bit(word)


@kernel
def counts_below(rng, n, draws, counts):
    for _ in range(draws):
        counts[below(rng, n)] += 1


@pytest.mark.parametrize("interpret", [False, True])
def test_bits(interpret):
    bits = specialise(bits_of, interpret=interpret)
    for word in WORDS:
        trailing = len(f"{word:b}") - len(f"{word:b}".rstrip("0")) if word else 64
        assert bits(np.uint64(word)) == (f"{word:b}".count("1"), trailing)


@pytest.mark.parametrize("interpret", [False, True])
def test_splitmix64_reference_values(interpret):
    """The first numbers of SplitMix64 from seed 1234567, as its author's program prints them."""
    rng = np.array([1234567], np.uint64)
    draw = specialise(next_u64, interpret=interpret)
    assert [int(draw(rng)) for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("interpret", [False, True])
def test_places_of_a_shuffle(interpret):
    """All at once they are what they are one by one, and the state afterwards is the same."""
    for count in (0, 1, 7, 8, 121, 361):
        rng, one_by_one = seed_rng(count), seed_rng(count)
        places = np.full(400, -1, np.int16)
        specialise(draw_places, interpret=interpret)(rng, places, count)
        draw = specialise(below, interpret=interpret)
        assert places[:count].tolist() == [i + draw(one_by_one, count - i) for i in range(count)]
        assert (places[count:] == -1).all() and rng[0] == one_by_one[0]


def test_below_is_uniform_and_in_range():
    draws, n = 700_000, 7
    counts = np.zeros(n, np.int64)
    specialise(counts_below)(seed_rng(3), n, draws, counts)
    assert counts.sum() == draws
    chi_square = ((counts - draws / n) ** 2 / (draws / n)).sum()
    assert chi_square < 22.5  # exceeded once in a thousand for six degrees of freedom


def test_streams_differ():
    draw = specialise(next_u64)
    streams = [(seed, stream) for seed in range(20) for stream in range(20)]
    firsts = {int(draw(seed_rng(*pair))) for pair in streams}
    assert len(firsts) == len(streams)
    assert seed_rng(5, 6)[0] == seed_rng(5, 6)[0]
