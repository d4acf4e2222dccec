"""How plain Python becomes machine code: the decorator, binding, random numbers and bits."""

from uctlab.kernel.bits import leading_zeros, low_bit, nth_bit, popcount
from uctlab.kernel.holes import hole
from uctlab.kernel.jit import kernel
from uctlab.kernel.prefetch import prefetch
from uctlab.kernel.records import copy_record, copy_record_on_gpu
from uctlab.kernel.rng import below, next_u64, scaled, seed_rng
from uctlab.kernel.roots import inverse_root
from uctlab.kernel.specialise import specialise

__all__ = [
    "below",
    "copy_record",
    "copy_record_on_gpu",
    "hole",
    "inverse_root",
    "kernel",
    "leading_zeros",
    "low_bit",
    "next_u64",
    "nth_bit",
    "popcount",
    "prefetch",
    "scaled",
    "seed_rng",
    "specialise",
]
