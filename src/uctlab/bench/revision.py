"""Measures this version of uctlab and an earlier commit in turns: is it as fast, is it the same?

Each version runs in a process of its own, which waits while the other is measured. The program in
`_CHILD` uses only what versions have had for long, so that old commits can be measured.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import uctlab
from uctlab.errors import UsageError

ROUNDS = 7
NOISE = 0.03  # smaller differences are none, whatever the rounds say


@dataclass(frozen=True)
class Task:
    """What is measured in one row: an agent's search, or playouts if there is no agent."""

    game: str
    agent: str
    count: int
    """Playouts; about a second on an old machine."""

    def __str__(self) -> str:
        return f"{self.game} {self.agent or 'playouts'}"


TASKS = (
    Task("othello", "uct", 60_000),
    Task("othello", "auct(k=3,expand=10)", 60_000),
    Task("hex:5", "uct", 200_000),
    Task("hex:5", "auct(k=3)", 200_000),
    Task("hex:5", "duct(k=3)", 200_000),
    Task("hex:5", "dfuct", 200_000),
    Task("hex:11", "uct", 100_000),
    Task("hex:11", "uct(rave=fuego)", 25_000),
    Task("havannah:5", "uct", 60_000),
    Task("havannah:8", "uct", 30_000),
    Task("go:9", "uct", 15_000),
    Task("go:9", "uct(rave=fuego)", 10_000),
    Task("go:9", "mogo", 15_000),
    Task("go:9", "uct(preset=fuego)", 4_000),
    Task("go:19", "uct", 8_000),
    Task("othello", "", 60_000),
    Task("hex:5", "", 1_500_000),
    Task("hex:11", "", 700_000),
    Task("havannah:5", "", 100_000),
    Task("havannah:8", "", 40_000),
    Task("go:9", "", 15_000),
    Task("go:19", "", 4_000),
)

_CHILD = r"""
import hashlib, json, sys, time
import numpy as np
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.mcts.searcher import Searcher

made = {}

def search(position, agent, count):
    key = position.game.name, agent
    if key not in made:
        made[key] = Searcher(position.game, make_agent(agent), seed=1)
        made[key].search(position, playouts=100)
    searcher = made[key]
    searcher.prepare(position, count)
    searcher.run(0)
    begin = time.thread_time()
    searcher.run(count)
    spent = time.thread_time() - begin
    tree = getattr(searcher, "tree", searcher)
    visits = tree.nodes["visits"][: int(tree.counters[0])]
    return spent, np.ascontiguousarray(visits).tobytes()

def playouts(position, count):
    PlayoutSampler(position, seed=1).run(10)
    sampler = PlayoutSampler(position, seed=1)
    begin = time.thread_time()
    sample = sampler.run(count)
    return time.thread_time() - begin, repr((sample.result, sample.length)).encode()

for line in sys.stdin:
    game, agent, count = json.loads(line)
    try:
        position = Position.start(make_game(game))
        spent, found = search(position, agent, count) if agent else playouts(position, count)
        answer = [spent, hashlib.sha256(found).hexdigest()[:8]]
    except Exception as error:
        answer = f"{type(error).__name__}: {error}"
    print(json.dumps(answer), flush=True)
"""


class NotMeasured(Exception):  # noqa: N818 (it is no error: old versions lack agents)
    """A version cannot do a task."""


@dataclass(frozen=True)
class Row:
    """One task in both versions."""

    task: str
    old: float | None
    """Playouts per CPU second in the best round; None where the version cannot do the task."""
    new: float | None
    ratio: float | None
    """`new` / `old`: above 1 the new version is faster."""
    low: float | None
    """The smallest ratio of a round, but for one outlier; `high` is the largest."""
    high: float | None
    same: bool
    """Whether both found the same: the visits of the whole tree, or the results of the playouts."""
    verdict: str


def compare(old: Path, new: Path, tasks: tuple[Task, ...], rounds: int = ROUNDS) -> Iterator[Row]:
    """Measure two folders of sources; a row is done when its last round is."""
    with ExitStack() as stack:
        versions = [stack.enter_context(_running(folder)) for folder in (old, new)]
        for task in tasks:
            yield _row(task, versions, rounds)


@contextmanager
def sources_of(revision: str) -> Iterator[Path]:
    """The folder src of an earlier commit of this checkout, unpacked for a while."""
    here = Path(uctlab.__file__).parent
    try:
        archive = subprocess.run(
            ["git", "archive", "--format=tar", revision, "--", "."],
            cwd=here,
            capture_output=True,
            check=True,
        )
    except FileNotFoundError:
        raise UsageError("--compare needs git, which is not installed") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().splitlines()
        raise UsageError(
            f"--compare takes a commit of the git checkout that uctlab runs from, such as HEAD~3 "
            f"or v0.1.0; git says of '{revision}': {said[0] if said else 'nothing'}"
        ) from None
    with TemporaryDirectory(prefix="uctlab-compare-") as folder:
        package = Path(folder) / "src" / "uctlab"
        package.mkdir(parents=True)
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(package, filter="data")
        yield package.parent


def these_sources() -> Path:
    return Path(uctlab.__file__).parent.parent


class _Version:
    """A process that runs one version and waits for tasks."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def measure(self, task: Task) -> tuple[float, str]:
        """CPU seconds, and a digest of what was found."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps([task.game, task.agent, task.count]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else "the version ended"
        if isinstance(answer, str):
            raise NotMeasured(answer)
        spent, found = answer
        return spent, found


@contextmanager
def _running(sources: Path) -> Iterator[_Version]:
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _CHILD],
        env={**os.environ, "PYTHONPATH": str(sources.resolve())},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield _Version(process)
    finally:
        process.kill()
        process.communicate()


def _row(task: Task, versions: list[_Version], rounds: int) -> Row:
    times: list[list[float]] = [[], []]
    found: list[set[str]] = [set(), set()]
    missing: list[str] = []
    for version in versions:
        try:
            version.measure(task)  # which compiles
        except NotMeasured as reason:
            missing.append(f"{'new' if version is versions[1] else 'old'} version: {reason}")
    for turn in range(0 if missing else rounds):
        for i in (0, 1) if turn % 2 == 0 else (1, 0):
            spent, digest = versions[i].measure(task)
            times[i].append(spent)
            found[i].add(digest)
    if missing:
        return Row(str(task), None, None, None, None, None, False, "; ".join(missing))
    old, new = (task.count / min(spent) for spent in times)
    ratios = sorted(before / now for before, now in zip(*times, strict=True))
    inner = ratios[1:-1] if len(ratios) >= ROUNDS else ratios
    same = found[0] == found[1] and len(found[0]) == 1
    verdict = _verdict(new / old, inner[0], inner[-1], same)
    return Row(str(task), old, new, new / old, inner[0], inner[-1], same, verdict)


def _verdict(ratio: float, low: float, high: float, same: bool) -> str:
    if ratio > 1 + NOISE and low > 1:
        speed = f"{ratio - 1:.0%} faster"
    elif ratio < 1 - NOISE and high < 1:
        speed = f"{1 - ratio:.0%} slower"
    else:
        speed = "as fast"
    return speed if same else f"{speed}, results differ"
