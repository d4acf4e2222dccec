"""The limit on the time that code of the user's may take, which may have no end."""

import subprocess
import sys
import time
from contextlib import nullcontext

import pytest

from tests.patience import PATIENCE
from uctlab import code_limits
from uctlab.code_limits import COMPILER, VARIABLE, Limited
from uctlab.errors import UsageError
from uctlab.games import make_game

BUSY = f"""
import time
end = time.monotonic() + {PATIENCE}
while time.monotonic() < end:
    try:
        while time.monotonic() < end:
            pass
    except Exception:
        pass
"""


@pytest.fixture
def short(monkeypatch):
    """A watch of its own, which looks often."""
    monkeypatch.setattr(code_limits, "LOOK", 0.01)
    monkeypatch.setattr(code_limits, "_watch", None)
    monkeypatch.setenv(VARIABLE, "0.05")


@pytest.mark.usefixtures("short")
def test_plain_python_gets_an_exception():
    says = f"^it has not ended within 0.05 s; {VARIABLE} allows more, and that$"
    with pytest.raises(UsageError, match=says), Limited("it", ", and that"):
        exec(BUSY)
    with Limited("it"), Limited("it"):
        pass


TRACED = """
import sys, time
from uctlab import code_limits
from uctlab.errors import UsageError
code_limits.LOOK = 0.01
try:
    with code_limits.Limited("it"):
        while True:
            pass
except UsageError:
    pass
time.sleep(0.1)
seen = []
def trace(frame, event, argument):
    seen.append(event)
    return trace
sys.settrace(trace)
(lambda: None)()
sys.settrace(None)
print(seen[0])
"""


def test_lines_can_be_traced_afterwards(monkeypatch):
    """Python looked for an exception that was taken back for ever, and a trace hung."""
    monkeypatch.setenv(VARIABLE, "0.05")
    command = [sys.executable, "-c", TRACED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "call\n"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("where", ["at its top level", "in make"])
def test_a_file_that_loops(uctlab, tmp_path, where):
    path = tmp_path / f"loops_{where[:2]}.py"
    body = BUSY.strip().replace("\n", "\n    ")
    end = f"def make():\n    {body}\n"
    path.write_text(end if where == "in make" else f"{BUSY}\n{end}")
    try:
        code, out, err = uctlab("show", path)
    finally:
        sys.modules.pop(path.stem, None)
    assert code == 2 and not out and err.count("\n") == 1
    assert path.name in err and "has not ended within 0.05 s; UCTLAB_CODE_SECONDS" in err


def test_the_compiler_may_take_its_time():
    limited, times = Limited("it"), 1e6
    with pytest.raises(UsageError, match="it has not ended"), limited:
        code = compile("count(times)", f"{COMPILER}core.py", "exec")
        exec(code, {"count": limited.count, "times": times})
        compiled = True
        limited.count(code_limits.SECONDS)
        time.sleep(PATIENCE)
    assert compiled


def test_our_own_games_have_no_limit():
    assert isinstance(make_game("hex:3").limited(), nullcontext)


@pytest.mark.parametrize("text", ["soon", "-1", "inf"])
def test_a_limit_that_is_none(monkeypatch, text):
    monkeypatch.setattr(code_limits, "_watch", None)
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(UsageError, match=f"{VARIABLE} must be a number of seconds, not '{text}'"):
        Limited("it").__enter__()


LOOPS = """
import numpy as np
from uctlab import Game, kernel

@kernel
def start(s):
    s.ply = 0
    s.turn = 0

@kernel
def moves(s, out):
    out[0] = 0
    out[1] = 1
    return 2 if s.ply < 4 else 0

@kernel
def play(s, move):
    s.ply += 1
    s.turn = 1 - s.turn
    while s.ply == 3:
        s.turn = 1 - s.turn

@kernel
def result(s):
    return 0.5

def make():
    return Game(name="loops", state=np.dtype([("ply", "i4"), ("turn", "i1")], align=True),
        start=start, moves=moves, play=play, result=result, max_moves=2, max_length=4,
        move_names=("a", "b"))
"""


@pytest.mark.parametrize(
    "command",
    [
        ("show", "{path}", "--moves", "a a a"),
        ("match", "{path}", "uct", "mc", "--games", "2", "--playouts", "9", "--workers", "2"),
    ],
)
def test_machine_code_without_an_end(tmp_path, monkeypatch, command):
    """The program ends, be it stuck itself or one of its workers."""
    path = tmp_path / "loops.py"
    path.write_text(LOOPS)
    monkeypatch.setenv(VARIABLE, "0.5")
    words = [word.format(path=path) for word in command]
    ran = subprocess.run(
        [sys.executable, "-m", "uctlab", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ran.returncode == 2, ran.stderr
    (said,) = ran.stderr.splitlines()
    assert said.startswith("uctlab: loops: a kernel has not ended within 0.5 s; UCTLAB_CODE_SEC")
    assert said.endswith("and `uctlab check` says which one loops")
