"""One over a whole number; on a CPU from a table, since a division takes longer."""

from __future__ import annotations

import math

import numpy as np

from uctlab.kernels import hole, kernel

ON_GPU: bool = hole("device.ON_GPU", False)

SIZE = 4096
INVERSES = np.append(math.inf, 1.0 / np.arange(1, SIZE))


@kernel
def inverse(number):
    if not ON_GPU and number < SIZE:
        return INVERSES[np.uint64(number)]
    return 1.0 / number
