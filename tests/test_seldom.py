"""Kernels that stay plain Python until they have been called often."""

import numpy as np
import pytest

from uctlab.games import make_game
from uctlab.kernels import hole, kernel, seldom, specialise
from uctlab.kernels.seldom import Seldom, compiling_at_once

AMOUNT: int = hole("game.AMOUNT")


@kernel
def add(x):
    return x + AMOUNT


def fresh(monkeypatch):
    """A kernel of ours that no cache has."""
    monkeypatch.setattr(add, "__module__", "uctlab.test")
    amount = int(np.random.default_rng().integers(2**60))
    return amount, specialise(add, seldom=True, game={"AMOUNT": amount})


def compiled(one):
    return bool(one.compiled.signatures)


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "uctlab.test", __import__(__name__))


def test_it_is_compiled_once_it_has_cost_enough(monkeypatch):
    amount, one = fresh(monkeypatch)
    assert one(1) == amount + 1
    assert not compiled(one)
    monkeypatch.setattr(seldom, "PATIENCE", -1.0)
    assert one(1) == amount + 1
    assert compiled(one)


def test_it_is_compiled_at_once_where_time_is_measured(monkeypatch):
    amount, one = fresh(monkeypatch)
    with compiling_at_once():
        assert one(1) == amount + 1
    assert compiled(one)


def test_kernels_of_others_are_compiled_at_once():
    one = specialise(add, seldom=True, game={"AMOUNT": 1})
    assert not isinstance(one, Seldom)


def test_both_forms_have_one_digest_and_there_is_one_of_each():
    one, other = make_game("hex:4"), make_game("hex:4")
    assert isinstance(one.kernels.play, Seldom)
    assert one.kernels.play is other.kernels.play
    assert one.kernels.play.plain.__digest__ == one.kernels.play.py_func.__digest__
