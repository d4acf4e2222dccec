"""Trees in files: saved and loaded, and exported as JSON."""

import json

import numpy as np
import pytest

from tests.searches import GAMES, grown, same_tree, searcher_of, start
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.storage import load_tree, save_tree


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        *((spec, "uct") for spec in GAMES),
        *(("hex:4", agent) for agent in ("auct(k=3)", "uct(rave=k)", "dfuct")),
    ],
)
def test_a_saved_tree_goes_on_as_if_nothing_had_happened(tmp_path, spec, agent):
    position = start(spec)
    position = position.play(position.legal[1]).play(position.play(position.legal[1]).legal[0])
    searcher = searcher_of(spec, agent, seed=3, reuse=True)
    searcher.search(position, playouts=400)
    save_tree(searcher, tmp_path / "tree")
    loaded = load_tree(tmp_path / "tree", spec)
    assert same_tree(searcher, loaded)
    assert loaded.seed == 3 and loaded.agent.name == agent
    assert loaded.position.moves == position.moves and loaded.position.legal == position.legal
    for following in (position, position.play(position.legal[0])):
        want = searcher.search(following, playouts=300)
        # The loaded position is another object: what follows must be played from it.
        played = following.moves[len(position.moves) :]
        here = loaded.position.play(played[0]) if played else loaded.position
        got = loaded.search(here, playouts=300)
        assert same_tree(searcher, loaded)
        assert (got.moves, got.pv, got.reused) == (want.moves, want.pv, want.reused)
        assert got.reused > 0


def test_a_saved_set_up(tmp_path):
    position = Position.from_diagram(make_game("hex:3"), "X . .\n . O .\n  . . .\nO to play\n")
    searcher = searcher_of("hex:3")
    searcher.search(position.play("c1"), playouts=100)
    save_tree(searcher, tmp_path / "tree")
    loaded = load_tree(tmp_path / "tree", "hex:3").position
    assert str(loaded) == str(position.play("c1")) and loaded.turn == 0


def test_files_that_are_no_trees(tmp_path):
    searcher, _ = grown("hex:4", "uct", 100)
    good = tmp_path / "good"
    save_tree(searcher, good)
    (tmp_path / "text").write_text("no tree\n")
    (tmp_path / "cut").write_bytes(good.read_bytes()[:1000])
    np.savez(tmp_path / "other.npz", nodes=np.zeros(3))
    for name in ("text", "cut", "other.npz"):
        with pytest.raises(UsageError, match=f"{name} is not a tree saved by uctlab"):
            load_tree(tmp_path / name, "hex:4")
    for name in ("none", "."):
        with pytest.raises(UsageError, match="cannot read the tree"):
            load_tree(tmp_path / name, "hex:4")
    with pytest.raises(UsageError, match="is a tree of hex:4, not of othello"):
        load_tree(good, "othello")
    with pytest.raises(UsageError, match="unknown game"):
        load_tree(good, "chess")
    with np.load(good) as data:
        parts = dict(data)
    parts["nodes"] = np.zeros(5, [("visits", "u8")])
    with (tmp_path / "older").open("wb") as file:
        np.savez(file, **parts)
    with pytest.raises(UsageError, match="which has another tree format"):
        load_tree(tmp_path / "older", "hex:4")
    with pytest.raises(UsageError, match="no tree to save"):
        save_tree(searcher_of("hex:4"), tmp_path / "empty")


def shape(exported):
    """Depth of an export, and how many nodes it has."""
    below = [shape(child) for child in exported.get("children", [])]
    return max((1 + d for d, _ in below), default=0), 1 + sum(n for _, n in below)


@pytest.mark.parametrize("agent", ["uct", "auct(k=3)", "uct(rave=k)"])
def test_export(agent):
    searcher, report = grown("hex:4", agent, 2000)
    assert searcher.tree.view().export(0) == {"visits": 2000}
    assert shape(searcher.tree.view().export(1)) == (1, 17)
    assert shape(searcher.tree.view().export(2))[0] == 2
    whole = searcher.tree.view().export(99)
    assert shape(whole)[1] == report.nodes and shape(whole)[0] >= report.depth
    assert json.loads(json.dumps(whole)) == whole
    children = whole["children"]
    rows = [{k: v for k, v in move.facts().items() if v is not None} for move in report.moves]
    plain = [{k: v for k, v in child.items() if k != "children"} for child in children]
    assert sorted(plain, key=str) == sorted(rows, key=str)
    for child in children:
        assert child["visits"] == 1 + sum(c["visits"] for c in child.get("children", []))
