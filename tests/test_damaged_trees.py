"""Trees in files that somebody has tampered with: refused with one line, or searched as usual."""

import json
import math
import time

import numpy as np
import pytest

from tests.searches import searcher_of
from uctlab import array_files
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts import storage
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree
from uctlab.mcts.tree_check import DamagedTreeError, check_tree
from uctlab.parts import layout

AGENTS = [
    "uct",
    "uct(fpu=1)",
    "tuned",
    "auct(k=3)",
    "duct(k=2)",
    "uct(rave=k)",
    "uct(rave=fuego)",
    "dfuct",
    "bast(c=0.1)",
    "dtuned(k=2)",
]
# In Go, which is slower in plain Python, one agent for each kind of node.
PAIRS = [("hex:3", agent) for agent in AGENTS]
PAIRS += [
    ("go:3", agent) for agent in ("uct", "auct(k=3)", "duct(k=2)", "uct(rave=fuego)", "dfuct")
]


@pytest.fixture
def interpreted(monkeypatch):
    """Kernels in plain Python, which raise where machine code would crash."""
    monkeypatch.setattr(storage, "make_game", lambda spec: make_game(spec).interpreted())


FILES = {}  # saved trees


def parts_of(spec, agent, path, playouts=60):
    """The arrays of a saved tree, by name."""
    key = spec, agent, playouts
    if key not in FILES:
        searcher = Searcher(make_game(spec).interpreted(), make_agent(agent), seed=1)
        searcher.search(Position.start(searcher.game), playouts=playouts)
        save_tree(searcher, path)
        FILES[key] = path.read_bytes()
    path.write_bytes(FILES[key])
    with np.load(path) as data:
        return {name: data[name].copy() for name in data.files}


def write(path, parts):
    with path.open("wb") as file:
        np.savez(file, **parts)


def strange(rng, kind):
    """Any number of that type, the dangerous ones often."""
    if kind.kind == "f":
        return rng.choice([math.nan, math.inf, -math.inf, -1.0, 0.0, 0.5, 1e300, -1e-9, 1e-310, 7])
    limits = np.iinfo(kind)
    small = int(rng.integers(0, 40))
    return int(rng.choice([limits.min, limits.max, 0, 1, small, small, small])) or limits.min


def tamper(rng, parts):
    """Change a few numbers of the file."""
    parts = {name: part.copy() for name, part in parts.items()}
    nodes = parts["nodes"]
    for _ in range(rng.integers(1, 4)):
        if rng.random() < 0.1:
            parts["counters"][rng.integers(0, layout.SAVED)] = strange(rng, np.dtype(np.int64))
            continue
        name = rng.choice(nodes.dtype.names)
        # Nodes near the root matter more.
        node = 0 if rng.random() < 0.2 else int(len(nodes) * rng.random() ** 2)
        if rng.random() < 0.3:
            nodes[name][node] = nodes[name][rng.integers(0, len(nodes))]
        else:
            nodes[name][node] = strange(rng, nodes.dtype[name])
    return parts


@pytest.mark.parametrize(("spec", "agent"), PAIRS)
@pytest.mark.usefixtures("interpreted")
def test_a_damaged_tree_is_refused_or_harmless(tmp_path, spec, agent):
    path = tmp_path / "tree"
    good = parts_of(spec, agent, path)
    load_tree(path, spec).search(Position.start(make_game(spec)), playouts=5)
    rng = np.random.default_rng(len(spec + agent))
    refused = 0
    with np.errstate(all="ignore"):
        for _ in range(12):
            write(path, tamper(rng, good))
            try:
                searcher = load_tree(path, spec)
            except UsageError as told:
                refused += 1
                assert "is damaged: " in str(told) and "\n" not in str(told)
                continue
            searcher._compiled = True  # the warm-up is a search of its own
            assert searcher.search(searcher.position, playouts=10).playouts <= 10
    assert refused > 5


DAMAGE = {
    "a counter is out of range": lambda p: p["counters"].__setitem__(layout.USED, -5),
    "its counters": lambda p: p.update(counters=p["counters"].astype(np.int32)),
    "its random state": lambda p: p.update(rng=np.zeros(2, np.uint64)),
    "its nodes are no list": lambda p: p.update(nodes=p["nodes"][:0]),
    "a number in total": lambda p: p["nodes"]["total"].__setitem__(3, math.nan),
    "a number of moves": lambda p: p["nodes"]["count"].__setitem__(0, 30_000),
    "a move does not exist": lambda p: p["nodes"]["move"].__setitem__(2, 9),
    "fewer visits": lambda p: p["nodes"]["visits"].__setitem__(0, 1),
    "too many visits": lambda p: p["nodes"]["visits"].__setitem__(0, 2**32 - 1),
    "outside of the tree": lambda p: p["nodes"]["first"].__setitem__(0, 2**32 - 1),
    "a sum exceeds its visits": lambda p: p["nodes"]["total"].__setitem__(0, 1e6),
    "before its turn": lambda p: p["nodes"][["visits", "count", "total"]].__setitem__(1, (0, 0, 0)),
    "a move is illegal": lambda p: p["nodes"]["move"].__setitem__(2, p["nodes"]["move"][1]),
}


@pytest.mark.parametrize("says", DAMAGE)
@pytest.mark.usefixtures("interpreted")
def test_what_is_wrong_is_told(tmp_path, says):
    path = tmp_path / "tree"
    parts = parts_of("hex:3", "uct", path)
    DAMAGE[says](parts)
    write(path, parts)
    with pytest.raises(UsageError, match=f"tree is damaged: .*{says}"):
        load_tree(path, "hex:3")


@pytest.mark.usefixtures("interpreted")
def test_a_cycle_of_nodes(tmp_path):
    path = tmp_path / "tree"
    parts = parts_of("hex:3", "uct", path, 200)
    nodes = parts["nodes"]
    inner = [node for node in range(1, len(nodes)) if nodes["count"][node] > 0]
    nodes["first"][inner[-1]] = nodes["first"][0]
    write(path, parts)
    with pytest.raises(UsageError, match="is damaged: two nodes share a child"):
        load_tree(path, "hex:3")


NO_TREE = "is not a tree saved by uctlab"
NO_POSITION = "is damaged: hex:3"
FACTS = [
    {"seed": -1},
    {"seed": "x"},
    {"moves": ["a1"]},
    {"moves": 3},
    {"agent": 5},
    {"rules": {}},
    {"rules": 7},
    {"turn": True},
]
WRONG = [{"moves": [4, 4]}, {"moves": [99]}, {"moves": [-1]}, {"moves": [10**30]}]
WRONG += [{"stones": [1] * 8}, {"stones": [1000] * 9}, {"turn": 7}]


@pytest.mark.parametrize(
    ("change", "says"),
    [(change, NO_TREE) for change in FACTS] + [(change, NO_POSITION) for change in WRONG],
    ids=str,
)
def test_facts_that_cannot_be(tmp_path, change, says):
    """Facts of another kind, and positions that are none."""
    path = tmp_path / "tree"
    parts = parts_of("hex:3", "uct", path)
    facts = json.loads(str(parts["facts"])) | change
    write(path, parts | {"facts": np.array(json.dumps(facts))})
    with pytest.raises(UsageError, match=says):
        load_tree(path, "hex:3")


def test_a_file_that_is_no_dictionary(tmp_path):
    path = tmp_path / "tree"
    parts = parts_of("hex:3", "uct", path)
    for text in ("[]", "3", "{", "[" * 100_000):
        write(path, parts | {"facts": np.array(text)})
        with pytest.raises(UsageError, match="is not a tree saved by uctlab"):
            load_tree(path, "hex:3")


@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        ("hex:4", "uct(threads=2)"),
        ("hex:4", "auct(k=1,threads=2)"),
        ("go:4", "fuego(filter=off)"),
        ("go:4", "mc"),
    ],
)
def test_good_trees_of_all_kinds_pass(tmp_path, spec, agent):
    """Threads leave blank nodes; a reused tree has been cut out of another."""
    game, playouts = make_game(spec), 3000
    if agent.startswith("fuego"):  # which takes long to compile, and here is only looked at
        game, playouts = game.interpreted(), 15
    searcher = Searcher(game, make_agent(agent), reuse=True)
    position = Position.start(game)
    for _ in range(3):
        searcher.search(position, playouts=playouts)
        save_tree(searcher, tmp_path / "tree")
        assert load_tree(tmp_path / "tree", spec).visits == searcher.visits
        position = position.play(searcher.best_move())


def test_copies_that_removed_moves_leave_behind():
    """As `keep_children` leaves them: they name children that another node has."""
    searcher = searcher_of("go:4")
    searcher.search(Position.start(searcher.game), playouts=2000)
    grown = searcher.tree
    moves = np.array(grown.position.legal[1:], np.int16)
    grown._keep_children(grown.nodes, 0, moves, len(moves))
    check_tree(
        grown.nodes[: grown.counters[layout.USED]],
        grown.counters[: layout.SAVED],
        grown.work.rng,
        searcher.game,
        searcher.agent,
    )


def test_a_large_tree_is_not_checked_for_ever():
    game, agent = make_game("hex:4"), make_agent("uct")
    kind = searcher_of("hex:4").tree.node_type
    fan, inner = 16, 100_000
    nodes = np.zeros(1 + fan * inner, kind)  # the n-th node has the n-th sixteen as moves
    nodes["count"][:inner] = fan
    nodes["first"][:inner] = 1 + fan * np.arange(inner)
    counters = np.zeros(layout.SAVED, np.int64)
    counters[layout.USED] = len(nodes)
    begin = time.thread_time()
    check_tree(nodes, counters, np.zeros(1, np.uint64), game, agent)
    assert time.thread_time() - begin < 60  # a look at all nodes for each of them takes hours
    nodes["first"][inner - 1] = 1
    with pytest.raises(DamagedTreeError, match="share a child"):
        check_tree(nodes, counters, np.zeros(1, np.uint64), game, agent)


def test_the_file_does_not_set_the_limit_of_the_search(tmp_path):
    path = tmp_path / "tree"
    parts = parts_of("hex:3", "uct", path)
    facts = json.loads(str(parts["facts"])) | {"memory": 10**30}  # as files of version 0.1.0 have
    write(path, parts | {"facts": np.array(json.dumps(facts))})
    size = parts["nodes"].nbytes
    assert load_tree(path, "hex:3", memory=size).memory == size
    with pytest.raises(
        UsageError, match=r"has a tree of .* more than the memory limit of .*--memory"
    ):
        load_tree(path, "hex:3", memory=size - 1)


def test_a_small_file_that_unpacks_to_much(tmp_path, monkeypatch):
    monkeypatch.setattr(array_files, "_read", None)  # nothing may be unpacked
    path = tmp_path / "tree"
    parts = parts_of("hex:3", "uct", path)
    for name, says in (
        ("nodes", "has a tree of 4.0 MiB, more than the memory limit of 1.0 MiB"),
        ("rng", r"rng takes 4,19.* bytes, and the limit is 4,096"),
    ):
        with path.open("wb") as file:
            np.savez_compressed(file, **parts | {name: np.zeros(2**22, np.uint8)})
        assert path.stat().st_size < 2**16
        with pytest.raises(UsageError, match=says):
            load_tree(path, "hex:3", memory=2**20)
