"""Describes the machine on which a number was measured."""

from __future__ import annotations

import hashlib
import os
import platform
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

import uctlab


@cache
def program_version() -> str:
    """The version, with a digest of the source files so that changes between releases show."""
    digest = hashlib.sha256()
    root = Path(uctlab.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return f"{uctlab.__version__} (source {digest.hexdigest()[:8]})"


def machine_facts(gpu: str = "") -> dict[str, str | int]:
    """Processor, cores, the versions that matter to speed, and the GPU if one is used."""
    facts: dict[str, str | int] = {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "uctlab": uctlab.__version__,
    }
    if gpu:
        facts["gpu"] = gpu
    return facts


def machine_line(facts: Mapping[str, Any]) -> str:
    """The facts of a machine in one line."""
    facts = defaultdict(lambda: "unknown", facts)
    gpu = f"{facts['gpu']}; " if "gpu" in facts else ""
    return (
        f"{gpu}{facts['processor']}, {facts['cores']} cores, {facts['system']}, "
        f"Python {facts['python']}, Numba {facts['numba']}, uctlab {facts['uctlab']}"
    )


def _processor() -> str:
    """Model and nominal clock speed, from Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    facts = {key.strip(): value.strip() for key, _, value in (x.partition(":") for x in lines)}
    model = facts.get("model name", platform.machine())
    clock = facts.get("cpu MHz")
    return f"{model}, {float(clock) / 1000:.2f} GHz" if clock else model
