"""Which machine a figure was measured on."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

import uctlab


@cache
def program_version() -> str:
    """The version with a digest of the program's own files, which tells its changes apart."""
    digest = hashlib.sha256()
    root = Path(uctlab.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return f"{uctlab.__version__} (source {digest.hexdigest()[:8]})"


def machine_facts() -> dict[str, str | int]:
    """Processor, cores, and the versions that matter to speed."""
    facts: dict[str, str | int] = {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "uctlab": uctlab.__version__,
    }
    driver = sys.modules.get("uctlab.devices.cuda_driver")  # loaded by those who use a GPU
    if driver is not None and (gpu := driver.gpu_name()):
        facts["gpu"] = gpu
    return facts


def machine_line(facts: Mapping[str, Any] | None = None) -> str:
    """Those facts, or this machine's, in a line."""
    facts = machine_facts() if facts is None else facts
    gpu = f"{facts['gpu']}; " if "gpu" in facts else ""
    return (
        f"{gpu}{facts['processor']}, {facts['cores']} cores, {facts['system']}, "
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
