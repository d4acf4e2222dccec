"""Which machine a figure was measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import numba
import numpy as np

import uctlab


def machine_facts() -> dict[str, str | int]:
    """Processor, cores, and the versions that matter to speed."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "uctlab": uctlab.__version__,
    }


def machine_line() -> str:
    facts = machine_facts()
    return (
        f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, "
        f"Python {facts['python']}, Numba {facts['numba']}, uctlab {facts['uctlab']}"
    )


def _processor() -> str:
    """Model and nominal clock, as Linux tells them."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    facts = {key.strip(): value.strip() for key, _, value in (x.partition(":") for x in lines)}
    model = facts.get("model name", platform.machine())
    clock = facts.get("cpu MHz")
    return f"{model}, {float(clock) / 1000:.2f} GHz" if clock else model
