"""Random numbers for selection rules, which are passed no random state: a hash is their source.

A draw depends on the node, on its visits and on the move: it is new at every visit, the same in
every repetition of a search, and needs nothing that threads or a GPU would have to share.

    stream = stream_of(place_of(nodes, parent, visits), nodes[child].move)
    drawn, stream = gamma(2.0, stream)
"""

from __future__ import annotations

import math

import numpy as np

from uctlab.kernels import kernel
from uctlab.kernels.rng import _GAMMA, _MIX_1, _MIX_2, _S27, _S30, _S31, _S32

_S11 = np.uint64(11)
_UNIT = 2.0**-53
_TURN = 2.0 * math.pi


@kernel
def mixed(word):
    """SplitMix64's output function."""
    word = (word ^ (word >> _S30)) * _MIX_1
    word = (word ^ (word >> _S27)) * _MIX_2
    return word ^ (word >> _S31)


@kernel
def place_of(nodes, parent, visits):
    """One word for a node and a number of visits: no two nodes have the same first child."""
    return mixed((np.uint64(np.int64(visits)) << _S32) + np.uint64(nodes[parent].first))


@kernel
def stream_of(place, move):
    return place + np.uint64(move) * _GAMMA


@kernel
def uniform(stream):
    """A number between 0 and 1, both excluded, and the rest of the stream."""
    stream += _GAMMA
    return (float(mixed(stream) >> _S11) + 0.5) * _UNIT, stream


@kernel
def normal(stream):
    """By Box and Muller."""
    one, stream = uniform(stream)
    other, stream = uniform(stream)
    return math.sqrt(-2.0 * math.log(one)) * math.cos(_TURN * other), stream


@kernel
def gamma(shape, stream):
    """Of a shape of at least 1, by Marsaglia and Tsang."""
    d = shape - 1.0 / 3.0
    scale = 1.0 / math.sqrt(9.0 * d)
    while True:
        x, stream = normal(stream)
        chance, stream = uniform(stream)
        root = 1.0 + scale * x
        v = root * root * root
        if chance < 1.0 - 0.0331 * x * x * x * x:  # implies the exact test, without logarithms
            return d * v, stream
        if v > 0.0 and math.log(chance) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v, stream


@kernel
def beta(a, b, stream):
    """A share between 0 and 1: Beta(a, b), a and b at least 1."""
    one, stream = gamma(a, stream)
    other, stream = gamma(b, stream)
    return one / (one + other)
