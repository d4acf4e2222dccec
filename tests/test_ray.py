"""Ray clusters, in a process of their own: what dies there takes no other test along."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.leftovers import run_and_clean_up

pytest.importorskip("ray", reason="Ray is not installed: pip install 'uctlab[ray]'")
FOLDER = Path(__file__).parent
MAX_SECONDS = 3600  # a busy machine takes many minutes


WITH_GPUS = pytest.param(
    "ray_gpu_session",
    marks=pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs numba-cuda"),
)


@pytest.mark.parametrize("session", ["ray_session", WITH_GPUS])
def test_on_clusters(session):
    """All tests of a file; once more if Ray's own core brings the process down."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    environment = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
    for _ in "ab":
        done = run_and_clean_up(
            [*command, str(FOLDER / f"{session}.py")],
            cwd=FOLDER.parent,
            env=environment,
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
        )
        if done.returncode >= 0:
            break
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
