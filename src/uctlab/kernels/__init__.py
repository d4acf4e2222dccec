"""Compiles kernels, which are plain Python functions, to machine code.

| file | what it is for |
| --- | --- |
| `jit.py` | the decorator `kernel`, the compiler's flags, and the call of Numba |
| `holes.py` | globals that a kernel leaves open, to be filled by a game, a rule or a device |
| `specialise.py` | clones a kernel with its holes filled and compiles it under a digest |
| `reads.py` | which attributes and holes a kernel reads |
| `nested.py` | compiles kernels that only kernels call, without machine code of their own |
| `passes.py`, `typing.py` | Numba's compiler without what kernels do not need |
| `seldom.py` | kernels that stay plain Python until they have been called often |
| `notice.py` | says on a terminal what is being compiled |
| `disk_cache.py` | keeps machine code on disk, under checksums |
| `cache_folder.py` | where that is, and how it is kept small |
| `places.py` | where in a user's source a kernel failed |
| `rng.py` | SplitMix64 with its state in an array that is passed in |
| `bits.py` | popcount and trailing zeros |
| `records.py` | copies positions at memory speed |
| `vectors.py` | the highest of many lines, eight at once |
| `roots.py`, `prefetch.py` | for GPUs: 1 / sqrt(x); prefetching into the cache |
| `code_size.py` | kernels that are inlined or not; for GPUs: where threads meet |
| `atomics.py`, `locks.py` | atomic operations on shared memory; spin locks |
| `clock.py` | the processor's clock, for profiles |
| `llvm/` | the machine instructions of all these, one file for each that has Python twins |

Numba is loaded when the first kernel is compiled, by `disk_cache.py`, `nested.py`, `passes.py`,
`typing.py` and `llvm/`; all other files can be imported without it.
"""

from uctlab.kernels.bits import leading_zeros, low_bit, nth_bit, popcount
from uctlab.kernels.code_size import inlined, keep_apart, meet, opaque
from uctlab.kernels.holes import hole
from uctlab.kernels.jit import kernel
from uctlab.kernels.prefetch import prefetch
from uctlab.kernels.records import copy_record, copy_record_on_gpu
from uctlab.kernels.rng import below, draw_places, next_u64, scaled, seed_rng
from uctlab.kernels.roots import inverse_root
from uctlab.kernels.specialise import specialise
from uctlab.kernels.vectors import highest_line, lines_from

__all__ = [
    "below",
    "copy_record",
    "copy_record_on_gpu",
    "draw_places",
    "highest_line",
    "hole",
    "inlined",
    "inverse_root",
    "keep_apart",
    "kernel",
    "leading_zeros",
    "lines_from",
    "low_bit",
    "meet",
    "next_u64",
    "nth_bit",
    "opaque",
    "popcount",
    "prefetch",
    "scaled",
    "seed_rng",
    "specialise",
]
