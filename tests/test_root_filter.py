"""Moves that are left out at the root: which they are in Go, and that no search has them there."""

import random
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.searches import root_moves
from tests.test_go_ladders import EDGE, LADDER
from uctlab.agents import make_agent
from uctlab.arena.plan import MatchPlan
from uctlab.devices.cuda import check_plan
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.go.root_filter import empty_edge, lost_ladders, root_filter
from uctlab.mcts import rules_digest
from uctlab.mcts.binding import bind_for_cpu, bind_for_gpu
from uctlab.mcts.rules_digest import kernels_digest, searches_digest
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree

# X has eyes at a7 and c7 and has caught c5; O has eyes at e1 and g1.
SETTLED = """
. X . X . . .
X X X X . . .
. . O X . . .
X X X X . . .
. . . . . . .
. . . O O O O
. . . O . O .
X to play
"""
GAME = make_game("go:7")


def position_of(diagram, turn="X", game=GAME):
    return Position.from_diagram(game, diagram.replace("X to", f"{turn} to"))


def names(position):
    return {position.game.move_name(move) for move in root_filter(position)}


def test_settled_areas():
    """Own eyes and quiet land, but not b5, which takes c5; and all of the opponent's."""
    assert names(position_of(SETTLED)) == {"A7", "C7", "A5"}
    assert names(position_of(SETTLED, "O")) == {"E1", "G1", "A5", "B5"}


@pytest.mark.parametrize("size", [2, 3, 9, 19])
def test_the_first_line_of_an_empty_board(size):
    game = make_game(f"go:{size}").interpreted()
    position = Position.start(game)
    left = set(range(size * size)) - root_filter(position)
    assert left == {y * size + x for y in range(1, size - 1) for x in range(1, size - 1)}
    assert game.pass_move not in root_filter(position)


@pytest.mark.parametrize("size", [5, 9, 13])
def test_the_first_line_far_from_stones(size):
    """Against the definition, on boards with few stones."""
    rng = random.Random(size)
    sizes = set()
    for _ in range(40):
        stones = {rng.randrange(size * size): rng.choice([1, 2]) for _ in range(rng.randrange(4))}
        owners = np.array([stones.get(cell, 0) for cell in range(size * size)], np.int8)
        wanted = set()
        for cell in range(size * size):
            y, x = divmod(cell, size)
            steps = [abs(y - at // size) + abs(x - at % size) for at in stones]
            if {y, x} & {0, size - 1} and all(step > 4 for step in steps):
                wanted.add(cell)
        assert empty_edge(owners, size) == wanted
        sizes.add(len(wanted))
    assert len(sizes) > 3


def test_lost_ladders():
    """Long ones; a short one is left to the search."""

    def lost(diagram, size):
        game = make_game(f"go:{size}")
        cells = lost_ladders(position_of(diagram, game=game).stones, size, 1, -1)
        return {game.move_name(cell) for cell in cells}

    assert lost(LADDER, 7) == {"D5"}
    assert lost(EDGE, 5) == {"C1"}, "six moves"
    short = EDGE.replace("O X . . .\n", "O X . . O\n")
    assert lost(short, 5) == set(), "c1 c2 d1 d2, four moves"
    breaker = LADDER.replace(". . O . . . .\n. . . . .", ". . O . . . .\n. . . . X")
    assert breaker != LADDER and lost(breaker, 7) == set()
    assert "D5" in names(position_of(LADDER))


def test_a_ko_in_the_way():
    """The state has it as an index of the bordered board."""
    game = make_game("go:5")
    before = ". X O . .\nX . X O .\n. X O . .\n. . . . .\n. . . . .\nO to play\n"
    position = Position.from_diagram(game, before).play("b4")
    assert int(position.state.ko) != 0
    seen = []

    def spy(owners, size, me, ko):
        seen.append(ko)
        return set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("uctlab.games.go.root_filter.lost_ladders", spy)
        root_filter(position)
    assert seen == [game.parse_move("c4")]


@pytest.mark.parametrize(
    "agent", ["uct(filter=on)", "uct(filter=on,threads=2)", "uct(filter=on,root=2)"]
)
@pytest.mark.parametrize("turn", ["X", "O"])
def test_the_root_of_a_search(agent, turn):
    position = position_of(SETTLED, turn)
    report = Searcher(GAME, make_agent(agent)).search(position, playouts=300)
    made = {move.move for move in report.moves}
    assert made == set(position.legal_moves) - names(position) and report.best in made


def test_only_the_root_and_only_if_asked():
    position = position_of(SETTLED)
    searcher = Searcher(GAME, make_agent("uct(filter=on)"), reuse=True)
    searcher.search(position, playouts=3000)
    view = searcher.tree.view()
    white = [view.child_of(name) for name in ("E4", "F4", "pass")]
    assert any("A5" in map(view.move_name, view.children(child)) for child in white)
    # A node below becomes the root, with statistics of moves that are left out there.
    answer = max(view.children(0), key=lambda child: view.nodes[child].visits)
    following = position.play(view.move_name(answer))
    report = searcher.search(following, playouts=100)
    assert report.reused > 0
    assert set(root_moves(searcher)) == set(following.legal) - root_filter(following)
    searcher.search(following, playouts=100)
    assert set(root_moves(searcher)) == set(following.legal) - root_filter(following)
    plain = Searcher(GAME, make_agent("uct"))
    plain.search(position, playouts=10)
    assert set(root_moves(plain)) == set(position.legal)


def test_where_only_the_pass_is_left():
    game = make_game("go:2").interpreted()
    report = Searcher(game, make_agent("uct(filter=on)")).search(Position.start(game), playouts=20)
    assert [move.move for move in report.moves] == ["pass"] and report.best == "pass"


def test_with_pruning():
    game = GAME.interpreted()
    searcher = Searcher(game, make_agent("fuego"))
    position = position_of(SETTLED, game=game)
    searcher.prepare(position, 5)
    searcher.run(5)
    assert set(root_moves(searcher)) == set(position.legal) - root_filter(position)
    assert "root_filter" in make_agent("fuego").parts
    assert "root_filter" not in make_agent("auct(k=4,preset=fuego)").parts


def test_at_least_one_move_stays():
    """Of a game without a pass at least one move stays."""
    game = replace(make_game("hex:3"), root_filter=lambda position: frozenset(position.legal))
    binding = bind_for_cpu(game, make_agent("uct(filter=on)"))
    assert binding.root_moves(Position.start(game)).tolist() == list(range(9))


def test_a_saved_tree(tmp_path):
    searcher = Searcher(GAME, make_agent("uct(filter=on)"))
    searcher.search(position_of(SETTLED), playouts=200)
    save_tree(searcher, tmp_path / "tree")
    assert sorted(root_moves(load_tree(tmp_path / "tree", "go:7"))) == sorted(root_moves(searcher))


def test_where_there_is_no_filter():
    with pytest.raises(UsageError, match="hex:3 has no filter for the root; use filter=off"):
        bind_for_cpu(make_game("hex:3"), make_agent("uct(filter=on)"))
    bind_for_cpu(make_game("hex:3"), make_agent("uct(filter=off)"))
    with pytest.raises(UsageError, match="a search on a GPU has no filter at its root; use filter"):
        bind_for_gpu(GAME, make_agent("uct(filter=on)"))
    with pytest.raises(UsageError, match="a search on a GPU has no filter at its root"):
        check_plan(MatchPlan("go:7", "uct(filter=on)", "uct", playouts=10))


def test_results_with_and_without_are_told_apart():
    assert kernels_digest("go:7", ("uct",)) != kernels_digest("go:7", ("uct(filter=on)",))


def test_results_change_with_the_version_of_the_filter(monkeypatch):
    filtered, plain = make_agent("uct(filter=on)"), make_agent("uct")
    before = searches_digest(GAME, [filtered]), searches_digest(GAME, [plain])
    monkeypatch.setattr(sys.modules[root_filter.__module__], "VERSION", 2, raising=False)
    after = searches_digest(GAME, [filtered]), searches_digest(GAME, [plain])
    assert after[0] != before[0] and after[1] == before[1]


def test_a_filter_of_ones_own_counts_by_its_file(monkeypatch):
    game = replace(GAME, root_filter=lambda position: frozenset())
    edited: dict[str, bytes] = {}

    def digest():
        return searches_digest(game, [make_agent("uct(filter=on)")])

    before, read = digest(), rules_digest.read_file
    monkeypatch.setattr(
        rules_digest,
        "read_file",
        lambda path, *limit: read(path, *limit) + edited.get(Path(path).name, b""),
    )
    assert digest() == before
    edited[Path(__file__).name] = b"#"
    assert digest() != before and before.startswith("v1-3.")
