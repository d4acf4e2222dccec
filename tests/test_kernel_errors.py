"""A mistake in a kernel of the user's own is told with its file and line, in any mode."""

import sys
from pathlib import Path

import numba
import pytest

GAME = """import numpy as np
from uctlab.games import Game
from uctlab.kernels import kernel

TABLE = {1: 2}


@kernel
def start(s):
    s.left = 9
    s.turn = 0


@kernel
def moves(s, out):
    count = min(2, np.int64(s.left))
    for i in range(count):
        out[i] = i
    return count


@kernel
def play(s, move):
    s.left -= move + 1
    s.turn ^= 1


@kernel
def result(s):
    return 1.0 if s.turn == 1 else 0.0


def make() -> Game:
    state = np.dtype([("left", "i4"), ("turn", "i1")], align=True)
    return Game(name="pile", state=state, start=start, moves=moves, play=play, result=result,
        max_moves=2, max_length=9, move_names=("one", "two"))
"""
LINE = 1 + GAME.splitlines().index("    s.left -= move + 1")


@pytest.fixture
def own_game(tmp_path, request):
    """Write a game of that name, in which a line of `play` is another one."""
    made = []

    def write(name, line):
        path = tmp_path / f"{name}.py"
        path.write_text(GAME.replace("s.left -= move + 1", line))
        made.append(name)
        return path

    yield write
    for name in made:
        sys.modules.pop(name, None)


MISTAKES = [
    ("s.lef = 1", "AttributeError: 'record' object has no attribute 'lef'", LINE),
    ("raise ValueError('no')", "a kernel fails: ValueError: no", LINE),
    ("s.left = moves", "TypeError: int() argument must be", LINE),
    ("s.left = TABLE[1]", "kernel play (plain_3.py, line 22) reads the global TABLE, a dict", 22),
    ("play(s, move)", "kernel play (plain_4.py, line 22) calls itself", 22),
]


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_in_plain_python(uctlab, own_game, monkeypatch, number):
    line, says, at = MISTAKES[number]
    path = own_game(f"plain_{number}", line)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    for command in (("perft", path, 2), ("check", path, "--games", 1)):
        code, _, err = uctlab(*command)
        assert code == 2 and err.count("\n") == 1
        assert says.removeprefix("a kernel fails: ") in err
        assert f"({path.name}, line {at})" in err


def test_compiled(uctlab, own_game):
    path = own_game("raises_compiled", "raise ValueError('no')")
    code, _, err = uctlab("perft", path, 2)
    assert code == 2 and f"ValueError: no (raises_compiled.py, line {LINE})" in err
    path = own_game("adds_text", "s.left += 'x'")
    code, _, err = uctlab("perft", path, 2)
    assert code == 2 and "a kernel cannot be compiled: TypingError" in err
    assert f"(adds_text.py, line {LINE})" in err and Path(path).parent.name not in err


@pytest.mark.parametrize("made", ["len([move, 1]) - 1", "np.ones(1, np.int64)[0]"])
def test_a_kernel_that_allocates(uctlab, own_game, made):
    path = own_game(f"allocates_{len(made)}", f"s.left -= {made}")
    code, _, err = uctlab("perft", path, 2)
    assert code == 2 and err.count("\n") == 1 and "kernels allocate no memory" in err
    assert f"({path.name}, line {LINE})" in err


def test_a_kernel_that_returns_another_type(uctlab, own_game):
    path = own_game("returns_nothing", "s.left -= move + 1")
    path.write_text(GAME.replace("    return count", "    s.left += 0"))
    code, _, err = uctlab("check", path)
    assert code == 2 and "pile: moves returns a NoneType, not a number (interpreted, at" in err
    code, _, err = uctlab("perft", path, 2)
    assert code == 2 and "does a kernel of " in err and "returns_nothing.py" in err
