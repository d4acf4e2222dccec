"""What a GPU does not support, and its matches from the command line."""

import re

import pytest

from tests.on_gpu.tasks import (
    GAMES,
    HEX,
    TIMES,
    finished_by,
    in_store,
    records,
    tasks_of,
)
from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.devices.cuda import Cuda
from uctlab.errors import UsageError

REFUSED = [
    (MatchPlan("hex:3", "uct", "uct", seconds=0.1), "a budget in seconds: give --playouts"),
    (MatchPlan("hex:3", "uct", "uct", playouts=9, seconds=1), "a budget in seconds"),
    (MatchPlan("hex:3", "uct", "uct", playouts=2**30), "1,073,741,824 playouts or more"),
    (MatchPlan("hex:3", "uct", "uct", playouts=9, reuse=True), "trees that are kept"),
    (MatchPlan("go:9", "uct", 'gtp:"gnugo --mode gtp"', playouts=9), "external programs"),
    (MatchPlan("go:9", "gtp: gnugo", "uct", playouts=9), "external programs"),
    (MatchPlan("hex:2", "uct", "uct(threads=2)", playouts=9), "a search on a GPU has one thread"),
    (MatchPlan("hex:2", "uct(root=2)", "uct", playouts=9), "a search on a GPU has one thread"),
]


@pytest.mark.parametrize(("refused", "why"), REFUSED)
def test_what_a_gpu_does_not_take(refused, why, launches):
    with pytest.raises(
        UsageError, match=rf"^(--device cuda does not support |uct\(.*\): ){why}.*$"
    ):
        records(Cuda(1), [GameTask(HEX, 0), GameTask(refused, 0)])
    assert launches == [], "it is told before any game"


def test_mistakes_on_the_command_line(uctlab):
    for options in (["--seconds", "0.01"], ["--playouts", "5", "--reuse"]):
        code, out, err = uctlab(
            "match", "hex:3", "uct", "uct(c=2)", "--games", 2, "--device", "cuda", *options
        )
        assert code and not out.strip(), out
        assert re.search(r"--device cuda does not support", err) and "Traceback" not in err


def test_a_match_on_the_command_line(uctlab, tmp_path):
    reports = [
        uctlab(
            *("match", "hex:3", "uct", "uct(c=0.5)", "--games", GAMES, "--playouts", 10 * TIMES),
            *("--device", device, "--workers", 1, "--store", tmp_path / device),
        )
        for device in ("cpu", "cuda")
    ]
    assert [code for code, *_ in reports] == [0, 0]
    assert in_store(tmp_path / "cuda") == in_store(tmp_path / "cpu") == finished_by(tasks_of([HEX]))
