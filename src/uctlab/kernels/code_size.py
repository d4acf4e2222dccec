"""Which kernels stay functions of their own, and where the threads of a GPU meet again.

NVIDIA's compiler inlines every function, and code that is larger than the instruction cache is
fetched again and again. Threads that went different ways meet again where the compiler can prove
that they may, which in a long loop is sometimes nowhere. On a CPU none of this does anything but
`inlined`: there LLVM decides by size, unless a kernel has one caller only.
"""

from __future__ import annotations

from uctlab.kernels.jit import primitive


@primitive("code_size")
def keep_apart() -> None:
    """Called in a kernel: on a GPU that stays a function of its own, out of its callers."""


@primitive("code_size")
def inlined() -> None:
    """Called in a kernel: on a CPU that becomes a part of its callers, however many there are."""


@primitive("code_size")
def opaque(number: int) -> int:
    """The number itself, about which the compiler for a GPU knows nothing.

    Code that depends on it is then not copied for each of its values.
    """
    return number


@primitive("code_size")
def meet() -> None:
    """Wait for the other threads of the block: until each has called this, anywhere, or has ended.

    So it cannot block for ever, however often each thread calls it. The warps of a block, which
    share an instruction cache, are then at the same part of the code.
    """
