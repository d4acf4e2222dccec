"""Players of a match that resign, and tables whose games are all played together."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tests.matches import play, stored
from uctlab.api.matches import match
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu
from uctlab.devices.cuda_cache import CudaCache
from uctlab.errors import UsageError
from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.hashimoto2012 import Domain
from uctlab.papers.match_table import MatchTables

PLAN = MatchPlan("hex:4", "uct", "mc", playouts=500, openings=2, seed=4)
RESIGNING = replace(PLAN, resign=60)
GAMES = 8


def test_a_game_is_the_same_up_to_its_resignation(tmp_path):
    whole, given_up = tmp_path / "whole", tmp_path / "given_up"
    with Store(whole) as one, Store(given_up) as other:
        play(PLAN, GAMES, store=one)
        result = play(RESIGNING, GAMES, store=other)
        play(RESIGNING, GAMES, store=one)  # beside the match without resignation
        assert len(one.matches()) == 2 and one.records(PLAN)[0].ending == "played"
        assert one.records(RESIGNING)[0].moves == other.records(RESIGNING)[0].moves
    with Store(whole) as one:
        finished = one.records(PLAN)
    early = stored(given_up)
    resigned = [game for game in early if game["ending"] == "resigned"]
    assert 0 < len(resigned) == result.resigned == result.as_json()["resigned"]
    assert f"games that were resigned: {len(resigned)}" in str(result)
    assert "resignation below 60 %" in str(result)
    for game, end in zip(early, finished, strict=True):
        assert end.moves.startswith(game["moves"])
        if game["ending"] == "resigned":
            assert game["length"] < end.length
            loser = game["length"] % 2  # whose turn it is
            first_scores = game["score"] if game["number"] % 2 == 0 else 1 - game["score"]
            assert first_scores == loser
        else:
            assert (game["length"], game["score"]) == (end.length, end.score)


def test_plans_from_before_there_was_resignation_keep_their_key():
    assert "resign" not in PLAN.facts() and RESIGNING.facts()["resign"] == 60
    assert RESIGNING.key == replace(RESIGNING, resign=60.0).key
    assert RESIGNING.key != PLAN.key == replace(RESIGNING, resign=0.0).key


def test_resignation_in_commands_and_functions(uctlab):
    options = ["--games", 2, "--playouts", 500, "--workers", 1, "--json", "--resign", 40]
    code, out, _ = uctlab("match", "hex:3", "uct", "mc", "--openings", 1, "--seed", 4, *options)
    facts = json.loads(out)
    assert (code, facts["resign"]) == (0, 40) and facts["games"] == 2
    mistake = "uctlab: --resign must be a percentage from 0 to 100, not 101\n"
    for command in (["match", "hex:3", "uct", "mc"], ["reproduce"]):
        assert uctlab(*command, "--resign", 101) == (2, "", mistake)
    with pytest.raises(UsageError, match="resign must be a percentage from 0 to 100, not 'x'"):
        match("hex:3", "uct", "mc", playouts=9, resign="x")


def small_table(agent):
    published = (((40.0, 3.0), (50.0, 3.0)), ((0.0, 0.0),))
    return Domain("Hex", "hex:3", published, 1e6, 9).table(agent, notes=(agent,))


def test_tables_together():
    tables = MatchTables({"one": small_table("c=1"), "two more": small_table("c=0.5")})
    names = ["", "Accelerated", "Accelerated 1", "Accelerated 2", "Discounted", "Discounted 1"]
    tables_in_turn = [f"{table} {name}".strip() for table in ("one", "two more") for name in names]
    assert list(tables.names) == tables_in_turn
    size = Size(2, 300, cells=(("two more Accelerated 1", 4), ("one Discounted 1", 0)), resign=30)
    assert tables.cost(size) == pytest.approx(12 * 9 * (300 / 1e6 + 1e-3))
    found = tables.run(ExperimentContext(size, Cpu(1)))
    assert [table.name for table in found.tables] == ["table-one", "table-two-more"]
    assert [figure.name for figure in found.figures] == ["figure-one", "figure-two-more"]
    games = [row[table.columns.index("games")] for table in found.tables for row in table.rows]
    assert games == [2, 2, 0, 4, 2, 2]
    assert found.summary[0].startswith("one: Accelerated UCT wins")
    assert {"c=1", "c=0.5"} <= set(found.notes) and len(set(found.notes)) == len(found.notes)
    assert any("is worth less than 30 %" in note for note in found.notes)


def test_how_many_games_a_table_and_its_halves_have():
    """What is named most closely decides."""
    tables = MatchTables({"one": small_table("c=1"), "two more": small_table("c=0.5")})
    cells = {"one": 3, "one Accelerated": 5, "one Accelerated 2": 7, "two more Discounted": 0}
    size = Size(2, 300, cells=tuple(cells.items()))
    assert tables.cost(size) == pytest.approx((5 + 7 + 3 + 2 + 2) * 9 * (300 / 1e6 + 1e-3))
    none = Size(2, 300, cells=(("one", 0), ("two more", 0), ("two more Accelerated 1", 2)))
    found = tables.run(ExperimentContext(none, Cpu(1)))
    games = [row[table.columns.index("games")] for table in found.tables for row in table.rows]
    assert games == [0, 0, 0, 2, 0, 0]


# What a GPU keeps


class Library:
    """Of a kernel, as numba-cuda has it."""

    def __init__(self, **facts):
        self.facts = facts

    def _reduce_states(self):
        return self.facts

    @classmethod
    def _rebuild(cls, **facts):
        return cls(**facts)


class Kernel(Library):
    @property
    def codegen(self):
        return self

    def magic_tuple(self):
        return (12, 9), (9, 0)


def test_kernels_of_a_gpu_are_found_again(tmp_path, monkeypatch):
    pytest.importorskip("numba.cuda.serialize")
    monkeypatch.setenv("UCTLAB_CACHE", str(tmp_path))
    library = Library(llvm_strs=["long"], ptx_cache={1: "long"}, cubin_cache={1: b"code"})
    made = Kernel(codelibrary=library, name="k")
    target = SimpleNamespace(codegen=lambda: made)
    cache = CudaCache("search_0123")
    assert not cache.is_filled() and cache.load_overload((), target) is None
    cache.save_overload((), made)
    found = CudaCache("search_0123").load_overload((), target)
    assert cache.is_filled() and found.facts["name"] == "k"
    kept = {"llvm_strs": [], "ptx_cache": {}, "cubin_cache": {1: b"code"}}
    assert found.facts["codelibrary"].facts == kept
    assert CudaCache("search_4567").load_overload((), target) is None
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert cache.load_overload((), target) is None
    cache.flush()
    assert not cache.is_filled()
