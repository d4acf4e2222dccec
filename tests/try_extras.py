"""Tries each extra of pyproject.toml in a fresh environment: installed alone, imported, used once.

    python tests/try_extras.py [extra ...]

The environments are made in a temporary folder, one at a time, with the versions of
constraints.txt. Needs nothing but Python. What an extra cannot do on this machine is said.
"""

import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
MATCH = "uctlab match hex:3 uct 'uct(c=2)' --games 2 --playouts 20"
USES = {
    "frames": """python -c '
import uctlab
tree = uctlab.search(uctlab.Position.start("hex:3"), "uct", playouts=50).tree
print(len(tree.to_frame()), "rows,", tree.to_networkx())'""",
    "ray": f"{MATCH} --device ray",
    "cuda": f"""python -c '
from numba import cuda
print(cuda.compile_ptx(lambda cells: None, (cuda.types.int8[:],), cc=(8, 0)))' &&
if test -e /proc/driver/nvidia/version; then {MATCH} --device cuda
else echo "a kernel was compiled but not run: there is no NVIDIA GPU"; fi""",
    "cuda-simulator": f"NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1 {MATCH} --device cuda",
    "openspiel": "uctlab match examples/openspiel_game.py uct mc --games 2 --playouts 20",
    "gymnasium": """python -c '
from uctlab.integrations.gymnasium import GameEnv
board = GameEnv("hex:3", "uct", playouts=20, render_mode="ansi")
observation, info = board.reset(seed=1)
board.step(board.action_space.sample(info["action_mask"]))
print(board.render())'""",
    "pettingzoo": """python -c '
from uctlab.integrations.pettingzoo import env
board = env("hex:3", render_mode="ansi")
board.reset(seed=1)
board.step(board.action_space("player_0").sample(board.last()[0]["action_mask"]))
print(board.render())'""",
    "docs": "mkdocs --version && jupyter execute docs/notebooks/1-first-search.ipynb",
    "dev": "ruff check . && lint-imports --no-logo --no-cache && pytest -n 2 tests/test_version.py",
}
"""What is run for each extra, by a shell in the root of the repository."""


def attempt(extra: str) -> str:
    """Make the environment and use it. The last line that the use has printed."""
    with tempfile.TemporaryDirectory(prefix="uctlab-extra-") as folder:
        _run(f"{sys.executable} -m venv {folder}", os.environ)
        inside = os.environ | {
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
            "PIP_CONSTRAINT": "constraints.txt",
            "PIP_BUILD_CONSTRAINT": "constraints.txt",
        }
        inside.pop("PYTHONPATH", None)
        _run(f"pip install --quiet --no-compile '.[{extra}]'", inside)
        return _run(USES[extra], inside)


def _run(command: str, environment: dict[str, str]) -> str:
    options = {"shell": True, "cwd": ROOT, "env": environment}
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{command}\n{done.stdout}{done.stderr}exit code {done.returncode}")
    return (done.stdout.splitlines() or [""])[-1]


def main(names: list[str]) -> int:
    if unknown := set(names) - set(EXTRAS):
        print(f"no extra: {', '.join(unknown)}; known are {', '.join(EXTRAS)}", file=sys.stderr)
        return 2
    failed = []
    for extra in names or EXTRAS:
        start = time.monotonic()
        try:
            outcome = f"works: {attempt(extra)}"
        except RuntimeError as trouble:
            outcome = f"FAILS: {trouble}"
            failed.append(extra)
        print(f"{extra:15} {time.monotonic() - start:4.0f} s  {outcome}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
