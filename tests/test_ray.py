"""Ray clusters, in a process of their own: what dies there takes no other test along."""

import os
import sys
from pathlib import Path

import pytest

from tests.leftovers import run_and_clean_up

pytest.importorskip("ray", reason="Ray is not installed: pip install 'uctlab[ray]'")
SESSION = Path(__file__).with_name("ray_session.py")
MAX_SECONDS = 3600  # a busy machine takes many minutes


def test_on_clusters():
    """All tests of ray_session.py; once more if Ray's own core brings the process down."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider"]
    environment = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
    for _ in "ab":
        done = run_and_clean_up(
            [*command, str(SESSION)],
            cwd=SESSION.parents[1],
            env=environment,
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
        )
        if done.returncode >= 0:
            break
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
