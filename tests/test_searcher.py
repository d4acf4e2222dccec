"""The search over time: the tree it grows, its budgets, its memory, its report, its files."""

import json
import random
import time
from pathlib import Path

import numpy as np
import pytest

import uctlab
from tests.keyboard import ctrl_c
from uctlab.agents import make_agent, with_rules
from uctlab.cli.main import main
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts import tree
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree
from uctlab.mcts.view import TreeView
from uctlab.rules.backup import mean

CONNECT_FOUR = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
GAMES = ["othello", "hex:5", "havannah:3", "go:4", CONNECT_FOUR]
RAVE_AGENTS = ["uct(rave=fuego)", "uct(rave=k)"]
AGENTS = ["uct", "auct(k=3)", "duct(k=5)", "tuned", *RAVE_AGENTS, "dfuct", "mc", "ucb"]
FLAT = ("mc", "ucb")
SLACK = 0.05  # seconds, promised for every time limit
WINS = [("a b a b a b", "a"), ("a b a b c b d", "b")]  # each player's fourth stone in a column


def start(spec):
    return Position.start(make_game(spec))


def searcher_of(spec, agent="uct", **options):
    return Searcher(make_game(spec), make_agent(agent), **options)


def grown(spec, agent, playouts, seed=0, **options):
    """A searcher and its report after one search from the start."""
    searcher = searcher_of(spec, agent, seed=seed, **options)
    return searcher, searcher.search(start(spec), playouts=playouts)


def used_nodes(searcher):
    return np.asarray(searcher.nodes[: searcher.counters[tree.USED]]).view(searcher.node_type)


def same_tree(one, other):
    return np.array_equal(used_nodes(one), used_nodes(other))


def root_moves(searcher):
    first, count = int(searcher.nodes[0].first), int(searcher.nodes[0].count)
    return [int(move) for move in searcher.nodes[first : first + count].move]


def by_name(report):
    return {move.move: move for move in report.moves}


# The same seed, the same tree.


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("spec", ["hex:5", CONNECT_FOUR])
def test_a_seed_makes_one_tree(spec, agent):
    first, report = grown(spec, agent, 700, seed=5)
    again, same = grown(spec, agent, 700, seed=5)
    other, _ = grown(spec, agent, 700, seed=6)
    assert same_tree(first, again)
    assert report.moves == same.moves and report.pv == same.pv
    assert not same_tree(first, other)


@pytest.mark.parametrize("slices", [[1] * 700, [699, 1], [3, 0, 250, 447]])
@pytest.mark.parametrize("agent", AGENTS)
def test_slices_do_not_change_the_tree(agent, slices):
    whole, _ = grown("hex:5", agent, 700, seed=5)
    cut = searcher_of("hex:5", agent, seed=5)
    cut.prepare(start("hex:5"), 700)
    for playouts in slices:
        cut.run(playouts)
    assert same_tree(whole, cut)


def test_searching_again_without_reuse_is_the_same_tree_once_more():
    searcher, _ = grown("hex:5", "uct", 500)
    first = used_nodes(searcher).copy()
    report = searcher.search(start("hex:5"), playouts=500)
    assert report.reused == 0 and searcher.nodes[0].visits == 500
    assert np.array_equal(first, used_nodes(searcher))


# What is true of every tree.


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("spec", GAMES)
def test_every_tree_is_sound(spec, agent):
    playouts = 600
    searcher, report = grown(spec, agent, playouts)
    used = int(searcher.counters[tree.USED])
    nodes = used_nodes(searcher)
    assert report.playouts == playouts == nodes[0]["visits"]
    assert sum(move.visits for move in report.moves) == playouts
    assert sorted(root_moves(searcher)) == list(start(spec).legal)
    assert report.nodes == used and report.memory == used * searcher.node_type.itemsize
    owned = np.zeros(used, np.int64)
    owned[0] = 1
    for node in nodes:
        if node["count"] > 0:
            block = slice(int(node["first"]), int(node["first"]) + int(node["count"]))
            assert block.stop <= used
            owned[block] += 1
            below = int(nodes[block]["visits"].sum())
            # What is left are the playouts that it had as a leaf: none at the root.
            assert 0 <= int(node["visits"]) - below <= 1
            assert len(set(nodes[block]["move"].tolist())) == node["count"]
    assert (owned == 1).all()
    for node in np.flatnonzero(nodes["visits"]):
        if node > 0 or "duct" not in agent:
            assert -1e-9 <= searcher.value(int(node)) <= 1 + 1e-9
    if agent not in FLAT:
        assert report.depth == depth_of(nodes)


def depth_of(nodes, node=0):
    """Moves from a node to the deepest visited one below it."""
    first, count = int(nodes[node]["first"]), int(nodes[node]["count"])
    visited = [child for child in range(first, first + max(count, 0)) if nodes[child]["visits"]]
    return max((1 + depth_of(nodes, child) for child in visited), default=0)


@pytest.mark.parametrize("expand", [1, 10])
def test_expand_is_the_playouts_of_a_leaf(expand):
    searcher, _ = grown("hex:5", f"uct(expand={expand})", 3000)
    nodes = used_nodes(searcher)
    inner = nodes[1:][nodes["count"][1:] > 0]
    assert len(inner) > 20
    for node in inner:
        below = nodes[int(node["first"]) : int(node["first"]) + int(node["count"])]
        assert int(node["visits"]) - int(below["visits"].sum()) == expand
    leaves = nodes[1:][nodes["count"][1:] == 0]
    assert leaves["visits"].max() <= expand


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("moves", "win"), WINS)
def test_a_win_on_the_spot_is_played(agent, moves, win):
    position = start(CONNECT_FOUR).play_all(moves)
    report = searcher_of(CONNECT_FOUR, agent).search(position, playouts=1)
    assert report.best == win and report.won and "wins at once" in str(report)
    assert not searcher_of(CONNECT_FOUR, agent).search(position.before, playouts=1).won


# Budgets.


@pytest.mark.parametrize(
    ("spec", "agent"),
    [("othello", "uct"), ("go:9", "uct"), ("hex:11", "uct"), ("othello", "dfuct")],
)
def test_time_limits_hold(spec, agent):
    searcher, _ = grown(spec, agent, 100)
    position = start(spec)
    over = []
    for _ in range(3):  # another process may have had the core: the best of three counts
        begin = time.perf_counter()
        report = searcher.search(position, seconds=0.3)
        wall = time.perf_counter() - begin
        assert report.seconds >= 0.3 - SLACK and not report.stopped
        assert report.playouts == searcher.nodes[0].visits > 1000
        over.append(max(report.seconds, wall) - 0.3)
        if over[-1] <= SLACK:
            break
    assert min(over) <= SLACK


def test_the_first_budget_spent_ends_the_search():
    searcher, _ = grown("othello", "uct", 100)
    few = searcher.search(start("othello"), playouts=200, seconds=30)
    assert few.playouts == 200 and few.seconds < 5
    short = searcher.search(start("othello"), playouts=10**9, seconds=0.1)
    assert 100 < short.playouts < 10**9 and 0.1 - SLACK <= short.seconds < 5


def test_progress_is_told():
    told = []
    searcher = searcher_of("hex:5")
    searcher.search(
        start("hex:5"), playouts=20_000, progress=lambda made, spent: told.append((made, spent))
    )
    assert len(told) > 2 and told == sorted(told) and told[-1][0] == 20_000


@pytest.mark.parametrize("agent", ["uct", "dfuct", "uct(final=both)"])
def test_ctrl_c_ends_a_search_with_what_is_known(agent):
    searcher, _ = grown("othello", agent, 100)
    position = start("othello")
    begin = time.perf_counter()
    with ctrl_c(0.2):
        report = searcher.search(position, seconds=60)
    assert time.perf_counter() - begin < 10
    assert report.stopped and report.best in position.legal_names and report.playouts > 100
    assert "stopped before its end" in str(report)
    assert searcher.search(position, playouts=100).playouts >= 100  # it can go on


def test_a_move_is_never_chosen_without_a_playout():
    searcher, _ = grown("othello", "uct", 100)
    assert searcher.search(start("othello"), seconds=1e-9).playouts > 0


def test_values_stay_within_their_range(monkeypatch):
    """Though the sums of Accelerated UCT may leave it by a rounding."""
    searcher, _ = grown("othello", "uct", 100)
    for beyond, within in ((-1e-16, 0.0), (1 + 1e-15, 1.0)):
        monkeypatch.setattr(TreeView, "value", lambda _, node, beyond=beyond: beyond)
        assert {move.value for move in searcher.report().moves} == {within}


def test_ctrl_c_in_the_program(monkeypatch, capsys):
    grown("othello", "uct", 100)
    arguments = ["uctlab", "analyze", "othello", "--seconds", "60", "--json"]
    monkeypatch.setattr("sys.argv", arguments)
    search = Searcher.search

    def interrupted(*arguments, **options):
        with ctrl_c(0.2):
            return search(*arguments, **options)

    monkeypatch.setattr(Searcher, "search", interrupted)
    with pytest.raises(SystemExit) as end:
        main()
    report = json.loads(capsys.readouterr().out)
    assert not end.value.code and report["stopped"]
    assert report["best"] in start("othello").legal_names


# Memory.


@pytest.mark.parametrize("agent", AGENTS)
def test_node_sizes(agent):
    size = searcher_of("hex:5", agent).node_type.itemsize
    assert size <= (24 if agent in ("uct", "dfuct", *FLAT) else 40)
    assert searcher_of("hex:5", "auct(k=3,rave=k)").node_type.itemsize <= 56


@pytest.mark.parametrize("agent", [agent for agent in AGENTS if agent not in FLAT])
@pytest.mark.parametrize("spec", ["hex:5", "go:4"])
def test_a_full_tree_is_searched_on(spec, agent):
    memory = 200 * searcher_of(spec, agent).node_type.itemsize + 7
    full, report = grown(spec, agent, 5000, memory=memory)
    assert report.full and report.playouts == 5000 == full.nodes[0].visits
    assert report.memory <= memory and full.nodes.nbytes <= memory
    assert 100 < report.nodes <= 200
    assert "full" in str(report)
    _, free = grown(spec, agent, 5000)
    assert not free.full and free.nodes > 200 and "full" not in str(free)


@pytest.mark.parametrize("agent", ["uct", "auct(k=3)", "uct(rave=k)", "dfuct"])
def test_a_full_tree_is_not_slow(agent):
    memory = 2000 * searcher_of("hex:5", agent).node_type.itemsize

    def seconds(limit):
        return min(grown("hex:5", agent, 10_000, memory=limit)[1].seconds for _ in range(4))

    assert seconds(memory) <= 2 * seconds(2**30)


def test_memory_bounds_a_reused_tree():
    memory = 1000 * 24
    searcher, report = grown("hex:5", "uct", 3000, memory=memory, reuse=True)
    position = start("hex:5")
    while not position.over:
        report = searcher.search(position, playouts=500)
        assert report.memory <= memory and report.best in position.legal_names
        position = position.play(report.best)


def test_a_tree_of_no_size():
    size = searcher_of("hex:5").node_type.itemsize
    exact, report = grown("hex:5", "uct", 50, memory=26 * size)
    assert report.full and report.nodes == 26 == len(exact.nodes)
    for memory in (1, size, 26 * size - 1):
        with pytest.raises(UsageError, match=f"it takes at least {26 * size}"):
            grown("hex:5", "uct", 50, memory=memory)
    for memory in (0, -1):
        with pytest.raises(UsageError, match="memory must be more than 0"):
            searcher_of("hex:5", memory=memory)


# Reuse of the tree.


def child_of(exported, name):
    return next(child for child in exported["children"] if child["move"] == name)


def likely_line(searcher, plies):
    """The most visited moves from the root."""
    names, at = [], searcher.export(plies)
    for _ in range(plies):
        at = max(at["children"], key=lambda child: child["visits"])
        names.append(at["move"])
    return names


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("agent", ["uct", "auct(k=3)", "duct(k=5)", "uct(rave=k)", "dfuct"])
def test_the_subtree_is_kept(agent, plies):
    searcher, _ = grown("othello", agent, 3000, reuse=True)
    position, old = searcher.position, searcher.export(plies + 2)
    for name in likely_line(searcher, plies):
        position, old = position.play(name), child_of(old, name)
    searcher.prepare(position, 1)
    assert old["visits"] > 10
    assert searcher.nodes[0].visits == old["visits"]
    assert searcher.export(2)["children"] == old["children"]
    report = searcher.search(position, playouts=100)
    assert (report.reused, report.playouts) == (old["visits"], 100)
    assert searcher.nodes[0].visits == old["visits"] + 100
    assert f"{old['visits']:,} visits from earlier searches" in str(report)


@pytest.mark.parametrize("reuse", [True, False])
def test_a_game_with_and_without_reuse(reuse):
    searcher = searcher_of("othello", "auct(k=3)", reuse=reuse)
    position = start("othello")
    reused = []
    for _ in range(6):
        report = searcher.search(position, playouts=300)
        reused.append(report.reused)
        position = position.play(report.best)
    assert reused[0] == 0 and (min(reused[1:]) > 10 if reuse else max(reused) == 0)


def test_what_does_not_follow_starts_afresh():
    here = start("othello").play_all("f5 d6")
    for elsewhere in (here.before, here.before.play("f4"), start("othello").play_all("c4 c3 d3")):
        searcher = searcher_of("othello", reuse=True)
        searcher.search(here, playouts=500)
        report = searcher.search(elsewhere, playouts=200)
        assert report.reused == 0 and searcher.nodes[0].visits == 200
        assert sorted(root_moves(searcher)) == list(elsewhere.legal)


def test_superko_at_the_root():
    """A move that would repeat a board is in the tree, which knows no history, but not its root."""
    game = make_game("go:4")
    searcher = Searcher(game, make_agent("uct"), reuse=True)
    out = game.new_out()
    forbidden = kept = 0
    for seed in (1, 15):
        rng = random.Random(seed)
        position = Position.start(game)
        while not position.over and len(position.moves) < 39:
            report = searcher.search(position, playouts=300)
            assert sorted(root_moves(searcher)) == list(position.legal), position.moves
            assert {move.move for move in report.moves} == set(position.legal_names)
            if game.kernels.moves(position.state, out) > len(position.legal):
                forbidden += 1
                kept += report.reused > 0
            choices = [move for move in position.legal if game.move_name(move) != "pass"]
            position = position.play(rng.choice(choices or position.legal))
    assert forbidden > 0 and kept > 0


# Files.


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("agent", ["uct", "auct(k=3)", "uct(rave=k)", "dfuct"])
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
    searcher, _ = grown("hex:5", "uct", 100)
    good = tmp_path / "good"
    save_tree(searcher, good)
    (tmp_path / "text").write_text("no tree\n")
    (tmp_path / "cut").write_bytes(good.read_bytes()[:1000])
    np.savez(tmp_path / "other.npz", nodes=np.zeros(3))
    for name in ("text", "cut", "other.npz"):
        with pytest.raises(UsageError, match=f"{name} is not a tree saved by uctlab"):
            load_tree(tmp_path / name, "hex:5")
    for name in ("none", "."):
        with pytest.raises(UsageError, match="cannot read the tree"):
            load_tree(tmp_path / name, "hex:5")
    with pytest.raises(UsageError, match="is a tree of hex:5, not of othello"):
        load_tree(good, "othello")
    with pytest.raises(UsageError, match="unknown game"):
        load_tree(good, "chess")
    with np.load(good) as data:
        parts = dict(data)
    parts["nodes"] = np.zeros(5, [("visits", "u8")])
    with (tmp_path / "older").open("wb") as file:
        np.savez(file, **parts)
    with pytest.raises(UsageError, match="whose trees differ"):
        load_tree(tmp_path / "older", "hex:5")
    with pytest.raises(UsageError, match="no tree to save"):
        save_tree(searcher_of("hex:5"), tmp_path / "empty")


def shape(exported):
    """Depth of an export, and how many nodes it has."""
    below = [shape(child) for child in exported.get("children", [])]
    return max((1 + d for d, _ in below), default=0), 1 + sum(n for _, n in below)


@pytest.mark.parametrize("agent", ["uct", "auct(k=3)", "uct(rave=k)"])
def test_export(agent):
    searcher, report = grown("hex:5", agent, 2000)
    assert searcher.export(0) == {"visits": 2000}
    assert shape(searcher.export(1)) == (1, 26)
    assert shape(searcher.export(2))[0] == 2
    whole = searcher.export(99)
    assert shape(whole)[1] == report.nodes and shape(whole)[0] >= report.depth
    assert json.loads(json.dumps(whole)) == whole
    children = whole["children"]
    rows = [{k: v for k, v in vars(move).items() if v is not None} for move in report.moves]
    plain = [{k: v for k, v in child.items() if k != "children"} for child in children]
    assert sorted(plain, key=str) == sorted(rows, key=str)
    for child in children:
        assert child["visits"] == 1 + sum(c["visits"] for c in child.get("children", []))


# The report.


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("spec", GAMES)
def test_report(spec, agent):
    _, report = grown(spec, agent, 600)
    position = start(spec)
    visits = [move.visits for move in report.moves]
    assert report.best in by_name(report) and visits == sorted(visits, reverse=True)
    assert set(by_name(report)) == set(position.legal_names)
    assert report.pv[0] == report.best
    for name in report.pv:
        position = position.play(name)  # an illegal one raises
    assert report.agent == agent and report.game == position.game.name
    assert report.seconds > 0 and report.playouts_per_second == 600 / report.seconds
    text = str(report)
    assert f"best {report.best}\n" in text and "600 playouts" in text
    facts = json.loads(json.dumps(report.as_json()))
    assert {"best", "playouts", "moves", "pv", "nodes", "seconds"} <= set(facts)
    assert facts["best"] == report.best and facts["pv"] == list(report.pv)
    assert [move["visits"] for move in facts["moves"]] == visits
    assert all({"move", "visits", "value"} <= set(m) for m in facts["moves"] if m["visits"])


@pytest.mark.parametrize("agent", [*AGENTS, "auct(k=3,rave=k)", "duct(k=5,final=visits)"])
def test_numbers_only_where_they_exist(agent):
    _, report = grown("hex:5", agent, 600)
    for move in report.moves:
        assert (move.velocity is not None) == agent.startswith("auct")
        assert (move.discounted_visits is not None) == agent.startswith("duct")
        if "rave" not in agent:
            assert move.rave is None and move.samples is None
        else:
            assert (move.rave is None) == (move.samples is None)
        assert (move.value is None) == (move.visits == 0)
    if "rave" in agent:
        sampled = [move for move in report.moves if move.rave is not None]
        assert len(sampled) > 20 and all(0 <= move.rave <= 1 for move in sampled)
    words = str(report).splitlines()[0]
    assert ("velocity" in words, "disc. visits" in words, "rave" in words) == (
        agent.startswith("auct"),
        agent.startswith("duct"),
        "rave" in agent,
    )


def test_weights_add_up():
    """1 + lambda + ... over the root's visits, all of which went to its moves (eq. 4 and 6)."""
    for agent in ("auct(lam=0.99)", "duct(lam=0.99)"):
        _, report = grown("hex:5", agent, 500)
        weights = [move.velocity or move.discounted_visits or 0.0 for move in report.moves]
        assert sum(weights) == pytest.approx((1 - 0.99**500) / 0.01)


def test_an_unvisited_move_has_no_value():
    _, report = grown("hex:5", "uct", 3)
    assert [move.visits for move in report.moves] == [1, 1, 1] + [0] * 22
    assert all(move["value"] is None for move in report.as_json()["moves"][3:])
    assert "and 13 more moves" in str(report)


# Which move is played.

NUMBER = {"visits": "visits", "value": "value", "discounted": "discounted_visits"}


@pytest.mark.parametrize(
    ("agent", "rules"),
    [
        ("mc({})", ("visits", "value")),
        ("uct({})", ("visits", "value")),
        ("auct(k=1,{})", ("visits", "value")),
        ("duct(k=1,{})", ("discounted", "visits", "value")),
    ],
)
def test_final_rules(agent, rules):
    told_apart = set()
    for seed in range(40):
        trees = {}
        for rule in rules:
            trees[rule], report = grown("hex:5", agent.format(f"final={rule}"), 210, seed=seed)
            numbers = {m.move: getattr(m, NUMBER[rule]) for m in report.moves if m.visits}
            assert numbers[report.best] == max(numbers.values())
            told_apart |= {
                (rule, other)
                for other in rules
                if getattr(by_name(report)[report.best], NUMBER[other])
                < max(getattr(m, NUMBER[other]) for m in report.moves)
            }
        assert all(same_tree(searcher, trees[rules[0]]) for searcher in trees.values())
    assert told_apart == {(one, other) for one in rules for other in rules if one != other}


def test_default_final_rules():
    finals = {agent: make_agent(agent).final for agent in AGENTS}
    assert finals["mc"] == "value" and finals["duct(k=5)"] == "discounted"
    assert {finals[agent] for agent in finals if agent not in ("mc", "duct(k=5)")} == {"visits"}


def test_both_goes_on_until_visits_and_value_agree():
    made = []
    for seed in range(30):
        searcher, report = grown("hex:5", "uct(final=both)", 200, seed=seed)
        made.append(report.playouts)
        assert report.playouts == searcher.nodes[0].visits
        moves = by_name(report)
        best = moves[report.best]
        assert best.visits == max(move.visits for move in report.moves)
        if report.playouts < 400:
            assert best.value == max(move.value for move in report.moves if move.visits)
        if report.playouts > 200:
            plain = grown("hex:5", "uct", 200, seed=seed)[1]
            top = max(plain.moves, key=lambda move: move.visits)
            assert top.value < max(move.value for move in plain.moves)
    assert min(made) == 200 and max(made) <= 400
    assert any(200 < playouts < 400 for playouts in made)


# Mistakes.


def test_mistakes():
    searcher = searcher_of("go:4")
    position = start("go:4")
    with pytest.raises(UsageError, match="the game is over"):
        searcher.search(position.play_all("pass pass"), playouts=10)
    with pytest.raises(UsageError, match=r"this search plays go:4.*, not hex:5"):
        searcher.search(start("hex:5"), playouts=10)
    with pytest.raises(UsageError, match=r"this search plays go:4.*, not go:4,komi=0.5"):
        searcher.search(start("go:4,komi=0.5"), playouts=10)
    with pytest.raises(UsageError, match="needs a budget"):
        searcher.search(position)
    for playouts in (0, -5):
        with pytest.raises(UsageError, match=f"playouts must be at least 1, not {playouts}"):
            searcher.search(position, playouts=playouts)
        with pytest.raises(UsageError, match="playouts"):
            searcher.search(position, playouts=playouts, seconds=1.0)
    for seconds in (0, -0.1, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="seconds must be more than 0"):
            searcher.search(position, seconds=seconds)
    assert searcher.search(position, playouts=10).playouts == 10  # a mistake leaves no harm


def test_search_by_names():
    report = uctlab.search("othello", "f5 d6", "auct(k=3)", playouts=500, seed=1)
    position = start("othello").play_all("f5 d6")
    same = uctlab.search(position.game, position, make_agent("auct(k=3)"), playouts=500, seed=1)
    assert report.moves == same.moves and report.best in position.legal_names
    assert report.agent == "auct(k=3)" and report.game == "othello" and report.seed == 1
    assert uctlab.search("hex:5", None, "uct", playouts=10).playouts == 10
    with pytest.raises(UsageError, match="a1, is illegal"):
        uctlab.search("othello", "f5 a1", "uct", playouts=10)


@pytest.mark.parametrize("agent", ["duct(k=1,c=0)", "duct(k=1,rave=fuego)"])
def test_a_move_that_was_long_forgotten_keeps_a_score(agent):
    """Weights shrink by 1e-45 in a thousand visits; none may become zero, and a score 0 * inf."""
    searcher, _ = grown("othello", agent, 30_000)
    nodes = used_nodes(searcher)
    visited = nodes["visits"] > 0
    assert (nodes["weight"][visited][1:] > 0).all()
    first, count = int(nodes["first"][0]), int(nodes["count"][0])
    weights = nodes["weight"][first : first + count][visited[first : first + count]]
    assert len(weights) > 1 and np.isfinite(nodes["unit"][0] / weights).all()


@pytest.mark.parametrize("spec", ["go:9", "hex:11"])
def test_the_limit_covers_preparation_and_report(spec):
    searcher = Searcher(make_game(spec), make_agent("uct"), reuse=True)
    position = start(spec)
    searcher.search(position, seconds=0.2)
    for _ in range(2):
        begin = time.perf_counter()
        searcher.search(position, seconds=0.2)
        assert time.perf_counter() - begin < 0.25


def test_discounted_choice_needs_weights():
    with pytest.raises(UsageError, match="needs a backup operator with weights"):
        Searcher(make_game("hex:5"), with_rules(make_agent("duct(k=3)"), backup=mean))


def test_no_memory_is_told(monkeypatch):
    searcher = Searcher(make_game("hex:5"), make_agent("uct"))
    position = start("hex:5")
    assert not position.over  # which is remembered, and takes memory too

    def refuse(*arguments):
        raise MemoryError

    monkeypatch.setattr("uctlab.mcts.searcher.np.zeros", refuse)
    with pytest.raises(UsageError, match="no memory for a tree of 1,024 MiB"):
        searcher.prepare(position, None)
