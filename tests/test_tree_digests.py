"""Refactorings leave every tree as it was: see tree_digests.py, whose command compares them all."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from tests import tree_digests
from tests.tree_digests import FILE, PLAYOUTS, arithmetic, cases, digests, unversioned, versions
from uctlab.rules.select import ucb1

KNOWN = json.loads(FILE.read_text())
SAMPLE = 8  # every eighth search; all of hex:5 with the loop of one thread


@pytest.mark.parametrize("where", sorted(KNOWN["trees"]))
def test_trees_are_those_of_the_file(where: str) -> None:
    chosen = [(game, how, agent) for game, how, agent in cases() if f"{game} {how}" == where]
    if where != "hex:5 alone":
        chosen = chosen[sorted(KNOWN["trees"]).index(where) % SAMPLE :: SAMPLE]
    exact = KNOWN["arithmetic"] == arithmetic()
    for game, how, agent in chosen:
        wanted = KNOWN["trees"][where].get(agent)
        found = digests(game, how, agent)
        assert (found is None) == (wanted is None), agent
        if found is not None and wanted is not None:
            assert list(found)[: 1 + exact] == wanted[: 1 + exact], agent


def test_fewer_playouts_give_other_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYOUTS, "hex:5", 100)
    assert digests("hex:5", "alone", "uct") != tuple(KNOWN["trees"]["hex:5 alone"]["uct"])


def test_the_file_has_the_versions_of_today() -> None:
    """Where one changes that was not raised, as when something is renamed, stores count as those
    of another version. Where one was raised, `--write` enters it."""
    assert KNOWN["versions"] == versions()


def test_a_changed_tree_needs_a_raised_version(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = deepcopy(KNOWN)
    for agent in ("uct", "auct(k=3)"):
        changed["trees"]["hex:5 alone"][agent][0] = 16 * "0"
    monkeypatch.setattr(tree_digests, "made", lambda: changed | {"versions": versions()})
    monkeypatch.setattr(tree_digests.Path, "write_text", lambda *_: pytest.fail("it is written"))
    with pytest.raises(SystemExit) as refusal:
        tree_digests.write()
    for word in (
        "2 trees have changed, but no version",
        "hex:5 alone uct, hex:5 alone auct(k=3)",
        "VERSION in mcts/rules_digest.py (now 1)",
        "VERSION in rules/select/ucb1.py (now 1)",
        "version of the Game in games/hex/game.py (now 1)",
    ):
        assert word in str(refusal.value)
    assert "mean.py" not in str(refusal.value)  # only one of the two has it
    monkeypatch.setattr(ucb1, "VERSION", 2, raising=False)
    assert not unversioned(KNOWN, changed | {"versions": versions()})


def test_new_searches_need_no_version() -> None:
    before = deepcopy(KNOWN)
    del before["trees"]["hex:5 alone"]["uct"]
    assert not unversioned(before, KNOWN)
