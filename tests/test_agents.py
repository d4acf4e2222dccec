"""Agents as they are written, rules of one's own, and the subcommands that use them."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from uctlab.agents import AGENTS, make_agent, with_rules
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts import tree
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree
from uctlab.rules.backup import accelerated, discounted, mean, squares
from uctlab.rules.select import even, fuego, rave_k, tuned, ucb1
from uctlab.user_modules import load_module

EXAMPLES = Path(__file__).parents[1] / "examples"
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")
UCB_SQRT = str(EXAMPLES / "ucb_sqrt.py")
MINIMAX = str(EXAMPLES / "minimax_backup.py")
CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


def searched(agent, playouts=300, spec=CONNECT_FOUR, seed=1):
    game = make_game(spec)
    agent = make_agent(agent) if isinstance(agent, str) else agent
    searcher = Searcher(game, agent, seed=seed)
    return searcher, searcher.search(Position.start(game), playouts=playouts)


def used_nodes(searcher):
    return np.asarray(searcher.nodes[: searcher.counters[tree.USED]]).view(searcher.node_type)


# Parsing.


def test_defaults():
    uct = make_agent("uct")
    assert uct.params[:3] == (1.0, math.inf, 1.0)
    assert (uct.final, uct.playout, uct.rave, uct.depth_first) == ("visits", "uniform", False, "")
    assert make_agent("uct()").params == uct.params == make_agent("dfuct").params
    assert make_agent("mc").params.expand == make_agent("ucb").params.expand == math.inf
    assert make_agent("tuned").params.p == 1.0
    assert make_agent("dfuct").depth_first == "second"
    assert make_agent("dfuct(rivals=all)").depth_first == "all"


def test_rules_of_each_kind():
    rules = {
        "uct": (ucb1, mean),
        "tuned": (tuned, squares),
        "duct(k=3)": (ucb1, discounted),
        "auct(k=3)": (ucb1, accelerated),
        "dfuct": (ucb1, mean),
        "mc": (even, mean),
        "ucb": (ucb1, mean),
        "uct(rave=k)": (rave_k, mean),
        "auct(k=3,rave=fuego)": (fuego, accelerated),
        "duct(k=3,rave=k)": (rave_k, discounted),
    }
    for text, (select, backup) in rules.items():
        agent = make_agent(text)
        assert (agent.select, agent.backup) == (select, backup), text
        assert agent.rave == ("rave" in text)


def test_given_parameters():
    agent = make_agent("uct(c=0.7,expand=10,fpu=1.5,final=both,a=-2,b=3)")
    assert agent.final == "both"
    assert (agent.params.c, agent.params.expand, agent.params.fpu) == (0.7, 10.0, 1.5)
    assert (agent.params.a, agent.params.b) == (-2.0, 3.0)
    rave = make_agent("uct(rave=fuego,rave_initial=2,rave_final=100,distance=on)").params
    assert (rave.rave_initial, rave.rave_final, rave.by_distance) == (2.0, 100.0, 1.0)
    assert make_agent("uct(rave=k,rave_k=50)").params.rave_k == 50.0
    assert make_agent("tuned(p=0.4)").params.p == 0.4
    assert make_agent("uct(expand=inf)").params.expand == math.inf


def test_earlier_names_of_options_mean_the_same_and_keep_their_spelling():
    """Seeds of games and keys of stores go by the name of an agent."""
    for old, new in (("wi=2", "rave_initial=2"), ("wf=70", "rave_final=70")):
        earlier, today = (make_agent(f"uct(rave=fuego,{option})") for option in (old, new))
        assert earlier.params == today.params
        assert earlier.name == f"uct(rave=fuego,{old})"
    assert make_agent("uct(rave=k,equivalence=5)").params.rave_k == 5.0
    with pytest.raises(UsageError, match="rave_initial is given twice"):
        make_agent("uct(rave=fuego,wi=2,rave_initial=3)")


def test_fuego_hopes_instead_of_exploring():
    hope = make_agent("uct(rave=fuego)").params
    assert (hope.c, hope.fpu) == (0.0, 1.0)
    told = make_agent("uct(rave=fuego,c=0.3,fpu=inf)").params
    assert (told.c, told.fpu) == (0.3, math.inf)
    schedule = make_agent("uct(rave=k)").params
    assert (schedule.c, schedule.fpu) == (1.0, math.inf)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("uct", "uct"),
        ("  uct ( ) ", "uct"),
        (" auct ( k = 3 , expand= 10 ) ", "auct(k=3,expand=10)"),
        ("uct(c=0.70)", "uct(c=0.7)"),
        ("uct(c=1e0)", "uct(c=1)"),
        ("auct(k=inf)", "auct(k=inf)"),
        ("uct(fpu=+Inf,)", "uct(fpu=inf)"),
        ("uct(rave=fuego, final=value)", "uct(rave=fuego,final=value)"),
    ],
)
def test_names_are_canonical(text, name):
    agent = make_agent(text)
    assert agent.name == str(agent) == name
    assert make_agent(name) == agent


@pytest.mark.parametrize("kind", ["auct", "duct"])
def test_decay(kind):
    for k in (0.5, 1, 2, 3, 7):
        by_k = make_agent(f"{kind}(k={k})").params
        by_lam = make_agent(f"{kind}(lam={1 - 0.1**k!r})").params
        assert by_k == pytest.approx(by_lam, rel=1e-7)
        assert by_k.lam == pytest.approx(1 - 0.1**k) and by_k.forget == 0.1**k
        assert by_k.log_lam == pytest.approx(math.log(by_k.lam))
        assert by_k.growth == pytest.approx(1 / by_k.lam)
        assert by_k.horizon == pytest.approx(10**k)
    for text in ("k=inf", "lam=1"):
        none = make_agent(f"{kind}({text})").params
        assert none == make_agent("uct").params and none.horizon == math.inf


# Mistakes.

MISTAKES = [
    ("uctt", "unknown agent 'uctt'; known: uct, tuned, duct, auct, dfuct, mc, ucb"),
    ("UCT", "unknown agent 'UCT'"),
    ("uct(d=1)", "uct: unknown parameter 'd=1'; accepted: c=, expand=, fpu=, final=, rave="),
    ("uct(0.7)", "uct: unknown parameter '0.7'; accepted: c="),
    ("uct(p=1)", "uct: unknown parameter 'p=1'"),
    ("tuned(c=1)", "tuned: unknown parameter 'c=1'; accepted: p="),
    ("dfuct(fpu=1)", "dfuct: unknown parameter 'fpu=1'"),
    ("mc(expand=1)", "mc: unknown parameter 'expand=1'"),
    ("uct(k=3)", "uct: unknown parameter 'k=3'"),
    ("uct(c=big)", "uct: c must be a number, not 'big'"),
    ("uct(c=)", "uct: c must be a number, not ''"),
    ("auct(k=3))", "auct: k must be a number, not '3)'"),
    ("uct(c=-1)", "uct: c=-1 is not accepted; it must be at least 0"),
    ("uct(expand=0)", "uct: expand=0 is not accepted; it must be at least 1"),
    ("uct(c=nan)", "uct: c=nan is not accepted; it must be at least 0"),
    ("uct(fpu=nan)", "uct: fpu=nan is not accepted"),
    ("auct(lam=1.5)", "auct: lam=1.5 is not accepted; it must be at least 0 and at most 1"),
    ("auct(lam=nan)", "auct: lam=nan is not accepted; it must be at least 0 and at most 1"),
    ("duct(k=-1)", "duct: k=-1 is not accepted; it must be at least 0"),
    ("auct(lam=0)", "auct: the decay lambda must be more than 0 and at most 1"),
    ("duct(k=0)", "duct: the decay lambda must be more than 0 and at most 1"),
    ("auct", "auct needs one of k= and lam=, as in auct(k=3) or auct(lam=0.999)"),
    ("duct(c=1)", "duct needs one of k= and lam=, as in duct(k=3) or duct(lam=0.999)"),
    ("auct(k=3,lam=0.999)", "auct needs one of k= and lam="),
    ("uct(final=most)", "uct: final=most is not accepted; accepted: visits, value, both"),
    ("uct(final=discounted)", "uct: final=discounted is not accepted"),
    ("mc(final=both)", "mc: final=both is not accepted; accepted: value, visits"),
    ("uct(rave=on)", "uct: rave=on is not accepted; accepted: off, fuego, k"),
    ("dfuct(rivals=third)", "dfuct: rivals=third is not accepted; accepted: second, all"),
    ("", "'' is not an agent; write one as uct or uct(c=0.7,expand=10)"),
    ("uct(c=1", "'uct(c=1' is not an agent"),
    ("uct c=1", "'uct c=1' is not an agent"),
    ("uct(c=1) x", "'uct(c=1) x' is not an agent"),
    ("uct*", "'uct*' is not an agent"),
    ("uct(select=none.py)", "there is no file none.py"),
    ("uct(backup=none.py)", "there is no file none.py"),
    (f"uct(backup={UCB_SQRT})", "ucb_sqrt.py does not define FIELDS, clear, backup"),
    (
        f"uct(select={MINIMAX})",
        "minimax_backup.py does not define node_terms, score, untried_score",
    ),
]


@pytest.mark.parametrize(("text", "says"), MISTAKES, ids=[text or "empty" for text, _ in MISTAKES])
def test_mistakes_are_named(text, says):
    with pytest.raises(UsageError) as mistake:
        make_agent(text)
    assert str(mistake.value).startswith(says)


def test_rule_files_that_do_not_work(tmp_path):
    broken = tmp_path / "rule_that_raises.py"
    broken.write_text("1 / 0\n")
    with pytest.raises(UsageError, match=r"rule_that_raises\.py cannot be loaded: ZeroDivision"):
        make_agent(f"uct(select={broken})")
    text = tmp_path / "rule.txt"
    text.write_text("")
    with pytest.raises(UsageError, match="is no Python file"):
        make_agent(f"uct(select={text})")
    twin = tmp_path / "json.py"
    twin.write_text("")
    with pytest.raises(UsageError, match="needs another name: a module json is loaded already"):
        make_agent(f"uct(backup={twin})")
    with pytest.raises(UsageError, match="there is no file"):
        make_agent(f"uct(select={tmp_path})")


def test_unknown_playout_policies():
    assert make_agent("uct(playout=heavy)").playout == "heavy"  # only a game knows its policies
    with pytest.raises(UsageError, match="no playout policy 'heavy'; it has uniform"):
        searched("uct(playout=heavy)")
    assert searched("uct(playout=uniform)")[1].playouts == 300


# All of them search.


@pytest.mark.parametrize("kind", AGENTS)
def test_every_kind_searches(kind):
    decay = "k=3" if kind in ("auct", "duct") else ""
    if kind == "fuego":
        decay = "prior=0,playout=uniform"  # the rest of it, in a game without its knowledge
    final = AGENTS[kind].options["final"].choices
    ravers = [f"rave={rave}" for rave in ("fuego", "k")] if "rave" in AGENTS[kind].options else []
    for extra in [*(f"final={rule}" for rule in final), *ravers]:
        _, report = searched(f"{kind}({decay},{extra})")
        assert 300 <= report.playouts <= (600 if extra == "final=both" else 300)
        assert report.best in "abcdefg"
        assert sum(move.visits for move in report.moves) == report.playouts


def test_numbers_reach_the_search():
    """Each changes the tree; a parameter that is read and forgotten would not."""
    plain = used_nodes(searched("uct", 2000)[0])
    for text in ("uct(c=0.5)", "uct(expand=3)", "uct(fpu=0.6)"):
        assert not np.array_equal(plain, used_nodes(searched(text, 2000)[0])), text
    for base, other in (
        ("auct(k=1)", "auct(k=2)"),
        ("duct(k=1)", "duct(k=2)"),
        ("tuned", "tuned(p=0.5)"),
        ("uct(rave=fuego)", "uct(rave=fuego,rave_initial=0.1)"),
        ("uct(rave=fuego)", "uct(rave=fuego,wf=2)"),
        ("uct(rave=k)", "uct(rave=k,rave_k=5)"),
        ("uct(rave=k)", "uct(rave=k,distance=on)"),
    ):
        one, two = used_nodes(searched(base, 2000)[0]), used_nodes(searched(other, 2000)[0])
        assert not np.array_equal(one, two), other
    same = [used_nodes(searched(text, 2000)[0]) for text in ("auct(k=2)", "auct(lam=0.99)")]
    assert np.array_equal(same[0][["visits", "move"]], same[1][["visits", "move"]])


def test_dfuct_with_all_rivals_is_uct():
    trees = [used_nodes(searched(text, 3000)[0]) for text in ("uct", "dfuct(rivals=all)", "dfuct")]
    assert np.array_equal(trees[0], trees[1]) and not np.array_equal(trees[0], trees[2])


# Rules of one's own.


@pytest.mark.parametrize(
    ("base", "part", "path"),
    [("uct(c=0.5)", "select", UCB_SQRT), ("uct(a=0.5)", "backup", MINIMAX)],
)
def test_rules_by_path_and_as_modules(base, part, path):
    by_path, report = searched(f"{base[:-1]},{part}={path})", 20_000)
    needs = ("node_terms",) if part == "select" else ("FIELDS",)
    given = with_rules(make_agent(base), **{part: load_module(path, needs)})
    as_module, same = searched(given, 20_000)
    assert np.array_equal(used_nodes(by_path), used_nodes(as_module))
    assert report.moves == same.moves and report.best == "d"
    assert given.name == f"{base}*" and given.params == make_agent(base).params
    plain = used_nodes(searched(base, 20_000)[0])
    assert len(plain) != len(used_nodes(by_path)) or not np.array_equal(
        plain["visits"], used_nodes(by_path)["visits"]
    )
    # The plain interpreter makes some hundred playouts a second.
    assert max(report.playouts_per_second, same.playouts_per_second) > 20_000


def test_both_rules_together():
    searcher, report = searched(f"uct(c=0.5,a=0.3,select={UCB_SQRT},backup={MINIMAX})", 3000)
    assert report.playouts == 3000 and searcher.nodes[0].visits == 3000
    assert {"total", "mixed"} <= set(searcher.node_type.names)


@pytest.mark.parametrize("spec", [CONNECT_FOUR, "hex:5"])
def test_minimax_without_weight_is_uct(spec):
    fields = ["visits", "move", "first", "count", "total"]
    plain = used_nodes(searched("uct", 5000, spec)[0])
    for a, equal in ((0, True), (0.5, False)):
        mixed = used_nodes(searched(f"uct(a={a},backup={MINIMAX})", 5000, spec)[0])
        same = len(plain) == len(mixed) and np.array_equal(plain[fields], mixed[fields])
        assert same == equal


def test_a_rule_written_in_a_test(tmp_path, monkeypatch):
    """The first move that has not been tried, then always the first: a tree like a list."""
    path = tmp_path / "first_move_rule.py"
    path.write_text(
        "from uctlab.kernel import kernel\n"
        "from uctlab.rules.select.best import fpu_score as untried_score\n"
        "@kernel\n"
        "def node_terms(nodes, parent, params):\n"
        "    return 0.0\n"
        "@kernel\n"
        "def score(nodes, child, parent, terms, params):\n"
        "    return -float(child)\n"
    )
    monkeypatch.setitem(sys.modules, "first_move_rule", None)
    monkeypatch.delitem(sys.modules, "first_move_rule")
    searcher, report = searched(f"uct(select={path})", 100)
    visits = [int(searcher.nodes[child].visits) for child in range(1, 8)]
    assert visits == [94, 1, 1, 1, 1, 1, 1]
    assert report.best == searcher.game.move_name(int(searcher.nodes[1].move))


# uctlab agents.


def test_agents_are_listed(uctlab):
    code, out, _ = uctlab("agents")
    text = " ".join(out.split())
    assert code == 0
    for name, kind in AGENTS.items():
        assert f"{name} {kind.about}: {kind.equation}" in text
    assert "rivals=second" in text and "fpu=inf" in text and "k=..." in text


def test_agents_as_json(uctlab):
    code, out, err = uctlab("agents", "--json")
    listed = {agent["name"]: agent for agent in json.loads(out)["agents"]}
    assert (code, err) == (0, "") and list(listed) == list(AGENTS)
    for name, kind in AGENTS.items():
        assert listed[name]["equation"] == kind.equation and kind.equation
        assert [p["name"] for p in listed[name]["parameters"]] == list(kind.options)
        for parameter in listed[name]["parameters"]:
            assert set(parameter) == {"name", "default", "about", "choices"}
            if parameter["default"] != "...":  # what is listed as a default can be written
                decay = "k=3," if name in ("auct", "duct") else ""
                make_agent(f"{name}({decay}{parameter['name']}={parameter['default']})")


# uctlab analyze.


def test_analyze_json(uctlab):
    arguments = ("--moves", "f5 d6", "--agent", "auct(k=3)", "--playouts", 500, "--seed", 1)
    code, out, err = uctlab("analyze", "othello", *arguments, "--json")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert {"best", "playouts", "moves", "pv", "nodes", "seconds"} <= set(report)
    position = Position.start(make_game("othello")).play_all("f5 d6")
    assert {move["move"] for move in report["moves"]} == set(position.legal_names)
    assert all({"move", "visits", "value", "velocity"} <= set(move) for move in report["moves"])
    assert sum(move["visits"] for move in report["moves"]) == report["playouts"] == 500
    assert report["pv"][0] == report["best"] and report["seed"] == 1
    again = json.loads(uctlab("analyze", "othello", *arguments, "--json")[1])
    assert again["moves"] == report["moves"]
    code, out, err = uctlab("analyze", "othello", *arguments)
    assert (code, err) == (0, "") and f"best {report['best']}" in out and str(position) in out


def test_analyze_by_the_clock_and_from_a_file(uctlab, tmp_path):
    board = tmp_path / "board.txt"
    board.write_text("X . .\n . O .\n  . . .\nX to play\n")
    arguments = ("--position", board, "--moves", "b1", "--seconds", 0.05, "--json")
    report = json.loads(uctlab("analyze", "hex:3", *arguments)[1])
    assert len(report["moves"]) == 6 and report["playouts"] > 100 and report["seconds"] < 1


def test_analyze_memory(uctlab):
    arguments = ("--playouts", 20_000, "--memory", 1, "--json")
    report = json.loads(uctlab("analyze", "hex:5", *arguments)[1])
    assert report["full"] and report["playouts"] == 20_000 and report["memory"] <= 2**20


def test_analyze_exports(uctlab, tmp_path):
    exported = tmp_path / "tree.json"
    arguments = ("--agent", "auct(k=3)", "--moves", "d d", "--playouts", 300)
    for depth in (0, 1, 3):
        code, out, _ = uctlab(
            "analyze", CONNECT_FOUR, *arguments, "--export", exported, "--depth", depth, "--json"
        )
        report = json.loads(out)
        facts = json.loads(exported.read_text())
        assert code == 0 and facts["visits"] == 300 and levels(facts) == depth
        if depth > 0:
            visits = {child["move"]: child["visits"] for child in facts["children"]}
            assert visits == {move["move"]: move["visits"] for move in report["moves"]}
            assert all("velocity" in child for child in facts["children"])
    uctlab("analyze", CONNECT_FOUR, "--playouts", 300, "--export", exported)
    assert levels(json.loads(exported.read_text())) == 3  # the default


def test_analyze_saves(uctlab, tmp_path):
    saved = tmp_path / "tree"
    arguments = ("--agent", "auct(k=3)", "--moves", "d d", "--playouts", 300, "--save", saved)
    report = json.loads(uctlab("analyze", CONNECT_FOUR, *arguments, "--json")[1])
    loaded = load_tree(saved, CONNECT_FOUR)
    assert loaded.agent.name == "auct(k=3)"
    assert [loaded.game.move_name(move) for move in loaded.position.moves] == ["d", "d"]
    assert loaded.nodes[0].visits == 300 and loaded.export(1)["visits"] == report["playouts"]
    code, out, err = uctlab("analyze", "othello", "--load", saved, "--playouts", 9)
    assert (code, out) == (2, "") and "is a tree of connect_four, not of othello" in err


def levels(facts):
    return max((1 + levels(child) for child in facts.get("children", [])), default=0)


ANALYZE_MISTAKES = [
    (("othello",), "a search needs a budget: playouts, seconds, or both"),
    (("othello", "--playouts", 0), "playouts must be at least 1, not 0"),
    (("othello", "--playouts", "many"), "Invalid value for '--playouts'"),
    (("othello", "--seconds", -1), "seconds must be more than 0, not -1.0"),
    (("chess", "--playouts", 9), "unknown game 'chess'"),
    (("othello", "--playouts", 9, "--agent", "uctt"), "unknown agent 'uctt'"),
    (("othello", "--playouts", 9, "--agent", "auct"), "auct needs one of k= and lam="),
    (("othello", "--playouts", 9, "--agent", "uct(playout=x)"), "no playout policy 'x'"),
    (("othello", "--playouts", 9, "--moves", "a1"), "move 1, a1, is illegal"),
    (("go:4", "--playouts", 9, "--moves", "pass pass"), "the game is over"),
    (("othello", "--playouts", 9, "--load", "none.tree"), "cannot read the tree none.tree"),
    (("othello", "--playouts", 9, "--load", __file__), "is not a tree saved by uctlab"),
    (("othello", "--playouts", 9, "--memory", 0), "Invalid value for '--memory'"),
    (("othello", "--playouts", 9, "--depth", -1), "Invalid value for '--depth'"),
    (("othello", "--playouts", 9, "--seed", -1), "Invalid value for '--seed'"),
]


@pytest.mark.parametrize(("arguments", "says"), ANALYZE_MISTAKES)
def test_analyze_mistakes_are_one_line_and_code_two(uctlab, arguments, says):
    code, out, err = uctlab("analyze", *arguments)
    assert code == 2 and out == ""
    assert err.startswith("uctlab: ") and err.count("\n") == 1 and says in err


# uctlab play.


@pytest.fixture
def play(uctlab, monkeypatch):
    """Play with these words on the keyboard, then end of file; (standard output, words left)."""

    def run(words, *arguments):
        left = list(words)

        def read(prompt=""):
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr("builtins.input", read)
        code, out, err = uctlab("play", *arguments, "--playouts", 60)
        assert (code, err) == (0, "")
        return out, left

    return run


@pytest.mark.parametrize("side", [(), ("--second",)])
def test_a_whole_game(play, side):
    out, _ = play(CELLS, "hex:3", *side)
    assert out.startswith("You are White (O)." if side else "You are Black (X).")
    assert out.splitlines()[-1].endswith("has won")
    assert "plays" in out and "it expects" in out and "The game ends here." not in out
    board = out.splitlines()[-4:-1]
    stones = [sum(row.count(player) for row in board) for player in "XO"]
    assert stones[0] - stones[1] in (0, 1) and sum(stones) >= 5


def test_leaving(play):
    for word in ("quit", "exit"):
        out, left = play([word, "a1"], "hex:3")
        assert "The game ends here." in out and left == ["a1"] and "plays" not in out
    out, _ = play([], "hex:3")
    assert "The game ends here." in out
    out, _ = play(["a1"], "hex:3")
    assert out.count(" plays ") == 1 and "The game ends here." in out


def test_ctrl_c_leaves(uctlab, monkeypatch):
    def read(prompt=""):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    code, out, _ = uctlab("play", "hex:3", "--playouts", 60)
    assert code == 0 and "The game ends here." in out


def test_words_that_are_no_moves(play):
    out, _ = play(["moves", "help", "", "zz", "b2", "b2", "quit"], "hex:3")
    assert " ".join(Position.start(make_game("hex:3")).legal_names) in out
    assert out.count("undo, hint, help, quit") == 3  # at the start, for help, for nothing
    assert "hex:3 has no move 'zz'" in out
    assert "move 3, b2, is illegal; legal: " in out


def test_hint(play):
    out, _ = play(["hint", "quit"], "hex:3", "--agent", "auct(k=3)")
    assert "principal variation: " in out and "velocity" in out and "60 playouts" in out
    assert " plays " not in out  # a hint is no move


def test_undo(play):
    out, left = play(["undo", "b2", "undo", "b2", "quit"], "hex:3")
    assert out.count("there is nothing to take back") == 1
    assert out.count(" plays ") == 2 and "illegal" not in out and left == []
    empty = str(Position.start(make_game("hex:3")))
    assert out.count(empty) == 2  # at the start, and again after the move was taken back
    out, _ = play(["undo", "quit"], "hex:3", "--second")
    assert "there is nothing to take back" in out and out.count(" plays ") == 1


def test_play_from_a_position(play):
    out, _ = play(["a", "quit"], CONNECT_FOUR, "--moves", "a b a b a b")
    assert out.splitlines()[-1].endswith("(X) has won") and " plays " not in out
    out, _ = play([], CONNECT_FOUR, "--second", "--moves", "a b a b a b")
    assert " plays a" in out and out.splitlines()[-1].endswith("(X) has won")


def test_play_mistakes(uctlab):
    for arguments, says in (
        (("hex:3", "--agent", "uctt"), "unknown agent"),
        (("hexx",), "unknown game"),
        (("hex:3", "--moves", "a1 a1"), "is illegal"),
        (("hex:3", "--second", "--playouts", 0), "playouts must be at least 1"),
    ):
        code, _, err = uctlab("play", *arguments)
        assert code == 2 and err.count("\n") == 1 and says in err


def test_analyze_goes_on_with_a_saved_tree(tmp_path):
    """In processes of their own: what one search compiled must not hide what another needs."""
    program = Path(sys.executable).parent / "uctlab"
    saved = tmp_path / "tree"
    first = ["--agent", "auct(k=3)", "--moves", "d d", "--playouts", "300", "--save", saved]
    again = ["--load", saved, "--playouts", "200", "--json"]
    subprocess.run([program, "analyze", CONNECT_FOUR, *first], check=True, capture_output=True)
    done = subprocess.run(
        [program, "analyze", CONNECT_FOUR, *again], check=True, capture_output=True, text=True
    )
    report = json.loads(done.stdout)
    assert report["agent"] == "auct(k=3)"
    assert (report["reused"], report["playouts"]) == (300, 200)


@pytest.mark.parametrize("option", ["--save", "--export"])
def test_a_path_that_cannot_be_written_is_told_before_the_search(uctlab, tmp_path, option):
    path = tmp_path / "none" / "x"
    code, out, err = uctlab("analyze", CONNECT_FOUR, "--playouts", 10, option, path)
    assert code == 2 and out == "" and err.startswith(f"uctlab: cannot write {path}")


def test_names_keep_all_digits():
    for text in ("auct(lam=0.9999999)", "uct(c=0.123456789)", "duct(k=inf)", "uct(fpu=1.1)"):
        assert make_agent(text).name == text
        assert make_agent(make_agent(text).name).params == make_agent(text).params


def test_a_parameter_given_twice():
    with pytest.raises(UsageError, match="c is given twice"):
        make_agent("uct(c=1,c=2)")
