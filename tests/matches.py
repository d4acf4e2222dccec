"""Matches as several test files play them."""

import math
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from uctlab.arena.match import play_matches
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu

CONNECT_FOUR = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
WEAK = "uct(c=0,fpu=0)"  # the first move, in a random order, gets all playouts
CLOCK = {"seconds", "playouts_per_second"}
RECORD_CLOCK = {"seconds_a", "seconds_b", "finished"}


def play(plan, games, *, workers=1, **options):
    return play_matches([plan], games=games, device=Cpu(workers), **options)[0]


def timeless(result):
    return {name: fact for name, fact in result.as_json().items() if name not in CLOCK}


def stored(path):
    """All games of a store with one match, without what the clock said."""
    with Store(path, create=False) as store:
        (match,) = store.matches()
        records = [asdict(record) for record in store.records(match.id)]
    return [{k: v for k, v in record.items() if k not in RECORD_CLOCK} for record in records]


def children():
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    if not path.exists():
        pytest.skip("this system does not tell the children of a process")
    return [int(pid) for pid in path.read_text().split()]


def check_numbers(facts):
    """The JSON object says the same thing in all its places."""
    wins, draws, losses, games = (facts[key] for key in ("wins", "draws", "losses", "games"))
    assert games == wins + draws + losses
    for key in ("wins", "draws", "losses"):
        assert facts[key] == facts["first"][key] + facts["second"][key]
    assert sum(facts["first"].values()) - sum(facts["second"].values()) in (0, 1)
    share = (wins + draws / 2) / games
    assert facts["score"] == pytest.approx(100 * share)
    assert facts["interval"] == pytest.approx(2 * math.sqrt(1e4 * share * (1 - share) / games))
    low, high = facts["wilson"]
    for bound in (low / 100, high / 100):  # the share is 1.96 standard errors from either end
        assert (share - bound) ** 2 == pytest.approx(
            1.959964**2 * bound * (1 - bound) / games, abs=1e-7
        )
    if 0 < share < 1:
        assert facts["elo"] == pytest.approx(400 * math.log10(share / (1 - share)), abs=1e-9)
    assert sum(facts["pairs"]) == games // 2
    if games % 2 == 0:
        points = sum(n * i / 2 for i, n in enumerate(facts["pairs"]))
        assert points == pytest.approx(games * share)
