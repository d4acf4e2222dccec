"""How plain Python becomes machine code: the decorator, binding, random numbers and bits."""

from uctlab.kernel.bits import low_bit, popcount
from uctlab.kernel.jit import UNBOUND, kernel
from uctlab.kernel.rng import below, next_u64, seed_rng
from uctlab.kernel.specialise import specialise

__all__ = [
    "UNBOUND",
    "below",
    "kernel",
    "low_bit",
    "next_u64",
    "popcount",
    "seed_rng",
    "specialise",
]
