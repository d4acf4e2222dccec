"""Binding: names, digests, errors. The disk cache has a file of its own."""

import math

import numpy as np
import pytest

from uctlab.kernel import UNBOUND, kernel, popcount, specialise
from uctlab.kernel.specialise import digest_of

FACTOR: int = UNBOUND
TABLE = np.array([5, 6, 7])
LABELS = {"a": 1}


@kernel
def scaled(x):
    return FACTOR * x


@kernel
def total(x):
    return scaled(x) + TABLE[0] + popcount(np.uint64(x))


@kernel
def tripled(x):
    return 3 * x


@kernel
def reads_a_dictionary():
    return LABELS["a"]


@kernel
def calls_itself(x):
    return calls_itself(x)


@kernel
def hypotenuse(x, y):
    return math.sqrt(x * x + y * y)


@pytest.mark.parametrize("interpret", [False, True])
def test_a_constant_reaches_the_kernels_below(interpret):
    assert specialise(total, interpret=interpret, FACTOR=10)(3) == 30 + 5 + 2
    assert specialise(total, interpret=interpret, FACTOR=100)(3) == 300 + 5 + 2


@pytest.mark.parametrize("interpret", [False, True])
def test_a_kernel_can_be_bound_plain_or_specialised(interpret):
    assert specialise(total, interpret=interpret, scaled=tripled)(4) == 12 + 5 + 1
    bound = specialise(scaled, interpret=interpret, FACTOR=7)
    assert specialise(total, interpret=interpret, scaled=bound)(4) == 28 + 5 + 1


def test_equal_bindings_are_one_kernel_and_others_are_not():
    assert specialise(total, FACTOR=10) is specialise(total, FACTOR=10)
    digests = {
        digest_of(specialise(total, FACTOR=10)),
        digest_of(specialise(total, FACTOR=11)),
        digest_of(specialise(total, FACTOR=10.0)),
        digest_of(specialise(total, scaled=tripled)),
        digest_of(specialise(total, FACTOR=10, TABLE=np.array([5, 6, 8]))),
        digest_of(specialise(total, FACTOR=10, TABLE=np.array([5, 6, 7], np.int8))),
    }
    assert len(digests) == 6


def test_modules_of_functions_work():
    assert specialise(hypotenuse)(3.0, 4.0) == 5.0


@pytest.mark.parametrize(
    ("template", "says"),
    [
        (scaled, "kernel scaled needs a value for FACTOR"),
        (reads_a_dictionary, "reads the global LABELS, a dict; accepted are"),
        (calls_itself, "calls itself"),
    ],
)
def test_mistakes_are_named(template, says):
    with pytest.raises((TypeError, ValueError), match=says):
        specialise(template)
