"""Agents as they are written: their rules, their numbers, their names, and `uctlab agents`."""

import json
import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.searches import searched, start, used_nodes
from uctlab.agents import AGENTS, make_agent
from uctlab.agents.agent import own_rules
from uctlab.errors import UsageError
from uctlab.parts import rave_fuego, rave_k
from uctlab.parts.listing import PARTS
from uctlab.rules.backup import accelerated, automatic, discounted, mean, power, robust_max, squares
from uctlab.rules.select import even, tuned, ucb1

EXAMPLES = Path(__file__).parents[1] / "examples"
UCB_SQRT = str(EXAMPLES / "ucb_sqrt.py")
MINIMAX = str(EXAMPLES / "minimax_backup.py")
searched_hex = partial(searched, spec="hex:4")  # whose kernels other tests use too


# Parsing.


def test_defaults():
    uct = make_agent("uct")
    assert (uct.params.c, uct.params.fpu, uct.params.expand) == (1.0, math.inf, 1.0)
    assert (uct.option("final"), uct.option("playout"), uct.parts) == ("visits", "uniform", set())
    assert make_agent("uct()").params == uct.params == make_agent("dfuct").params
    assert make_agent("mc").params.expand == make_agent("ucb").params.expand == math.inf
    assert make_agent("tuned").params.p == 1.0
    assert make_agent("dfuct").parts == {"depth_first"}
    assert make_agent("dfuct").option("rivals") == "second"
    assert make_agent("dfuct(rivals=all)").option("rivals") == "all"


def test_rules_of_each_kind():
    rules = {
        "uct": (ucb1, mean),
        "tuned": (tuned, squares),
        "duct(k=3)": (ucb1, discounted),
        "auct(k=3)": (ucb1, accelerated),
        "auct(k=auto)": (ucb1, automatic),
        "dfuct": (ucb1, mean),
        "mc": (even, mean),
        "ucb": (ucb1, mean),
        "uct(rave=k)": (rave_k, mean),
        "auct(k=3,rave=fuego)": (rave_fuego, accelerated),
        "duct(k=3,rave=k)": (rave_k, discounted),
        "uct(backup=robust_max)": (ucb1, robust_max),
        "dfuct(backup=power,power=3)": (ucb1, power),
    }
    for text, (select, backup) in rules.items():
        agent = make_agent(text)
        assert (agent.select, agent.backup) == (select, backup), text
        assert ("rave" in agent.parts) == ("rave" in text)


def test_names_of_operators_are_not_files():
    assert own_rules("uct(backup=max)") == []
    assert own_rules(f"uct(backup={MINIMAX},select={UCB_SQRT})") == [UCB_SQRT, MINIMAX]
    with pytest.raises(
        UsageError, match="backup=minimum is not accepted; accepted: max, robust_max"
    ):
        make_agent("uct(backup=minimum)")


def test_given_parameters():
    agent = make_agent("uct(c=0.7,expand=10,fpu=1.5,final=both,a=-2,b=3)")
    assert agent.option("final") == "both"
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
    ("nobody", "unknown agent 'nobody'; known: uct, tuned, duct, auct, dfuct, mc, ucb"),
    ("uctt", "unknown agent 'uctt'; did you mean uct or "),
    ("UCT", "unknown agent 'UCT'; did you mean uct or "),
    ("uct(cc=1)", "uct: unknown parameter 'cc=1'; did you mean c=?"),
    ("alphabeta(deph=1)", "alphabeta: unknown parameter 'deph=1'; did you mean depth=? Accepted:"),
    (
        "uct(d=1)",
        "uct: unknown parameter 'd=1'; accepted: c=, expand=, fpu=, final=, preset=, ",
    ),
    ("uct(0.7)", "uct: unknown parameter '0.7'; accepted: c="),
    ("uct(p=1)", "uct: unknown parameter 'p=1'"),
    ("tuned(c=1)", "tuned: unknown parameter 'c=1'; accepted: p="),
    ("dfuct(fpu=1)", "dfuct: unknown parameter 'fpu=1'"),
    ("mc(expand=1)", "mc: unknown parameter 'expand=1'"),
    ("uct(k=3)", "uct: unknown parameter 'k=3'"),
    ("uct(c=big)", "uct: c must be a number, not 'big'"),
    ("uct(c=)", "uct: c must be a number, not ''"),
    ("auct(k=3))", "auct: k must be a number or auto, not '3)'"),
    ("duct(k=auto)", "duct: k must be a number, not 'auto'"),
    ("auct(k=auto,lam=0.9)", "auct: k=auto finds lambda itself; leave out lam="),
    ("uct(c=-1)", "uct: c=-1 is not accepted; it must be at least 0"),
    ("dfuct(expand=0)", "dfuct: expand=0 is not accepted; it must be at least 1"),
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
    (
        f"uct(backup={UCB_SQRT})",
        "ucb_sqrt.py is not a backup operator: it does not define FIELDS; clear(",
    ),
    (
        f"uct(select={MINIMAX})",
        "minimax_backup.py is not a selection rule: it does not define node_terms(",
    ),
]


@pytest.mark.parametrize(("text", "says"), MISTAKES, ids=[text or "empty" for text, _ in MISTAKES])
def test_mistakes_are_named(text, says):
    with pytest.raises(UsageError) as mistake:
        make_agent(text)
    assert str(mistake.value).startswith(says)


def test_unknown_playout_policies():
    assert (
        make_agent("uct(playout=heavy)").option("playout") == "heavy"
    )  # only a game knows its policies
    with pytest.raises(UsageError, match="no playout policy 'heavy'; it has uniform"):
        searched("uct(playout=heavy)")
    assert searched_hex("uct(playout=uniform)", 300)[1].playouts == 300


# All of them search.


@pytest.mark.parametrize("kind", [kind for kind in AGENTS if "final" in AGENTS[kind].options])
def test_every_kind_searches(kind):
    decay = "k=3" if "k" in AGENTS[kind].options else ""
    if kind == "fuego":
        decay = (
            "prior=0,filter=off,playout=uniform"  # the rest of it, in a game without its knowledge
        )
    final = AGENTS[kind].options["final"].choices
    ravers = [f"rave={rave}" for rave in ("fuego", "k")] if "rave" in AGENTS[kind].options else []
    for extra in [*(f"final={rule}" for rule in final), *ravers]:
        _, report = searched_hex(f"{kind}({decay},{extra})", 300)
        assert 300 <= report.playouts <= (600 if extra == "final=both" else 300)
        assert report.best in start("hex:4").legal_moves
        assert sum(move.visits for move in report.moves) == report.playouts


def test_numbers_reach_the_search():
    """Each changes the tree; a parameter that is read and forgotten would not."""
    plain = used_nodes(searched_hex("uct", 2000)[0])
    for text in ("uct(c=0.5)", "uct(expand=3)", "uct(fpu=0.6)"):
        assert not np.array_equal(plain, used_nodes(searched_hex(text, 2000)[0])), text
    for base, other in (
        ("auct(k=1)", "auct(k=2)"),
        ("duct(k=1)", "duct(k=2)"),
        ("tuned", "tuned(p=0.5)"),
        ("uct(rave=fuego)", "uct(rave=fuego,rave_initial=0.1)"),
        ("uct(rave=fuego)", "uct(rave=fuego,wf=2)"),
        ("uct(rave=k)", "uct(rave=k,rave_k=5)"),
        ("uct(rave=k)", "uct(rave=k,distance=on)"),
    ):
        one, two = used_nodes(searched_hex(base, 2000)[0]), used_nodes(searched_hex(other, 2000)[0])
        assert not np.array_equal(one, two), other
    same = [used_nodes(searched_hex(text, 2000)[0]) for text in ("auct(k=2)", "auct(lam=0.99)")]
    assert np.array_equal(same[0][["visits", "move"]], same[1][["visits", "move"]])


def test_dfuct_with_all_rivals_is_uct():
    trees = [
        used_nodes(searched(text, 5000, "go:4")[0])
        for text in ("uct", "dfuct(rivals=all)", "dfuct")
    ]
    assert np.array_equal(trees[0], trees[1]) and not np.array_equal(trees[0], trees[2])


# uctlab agents.


def test_agents_are_listed(uctlab):
    code, out, _ = uctlab("agents")
    text = " ".join(out.split())
    assert code == 0
    for name, kind in AGENTS.items():
        assert f"{name} {kind.about}: {kind.equation}" in text
    assert "rivals=second" in text and "fpu=inf" in text and "k=..." in text


def test_a_parameter_is_told_for_most_agents_then_where_it_differs(uctlab):
    text = " ".join(uctlab("agents")[1].split())
    assert " c weight of the exploration term bast: factor of the width that" in text
    assert "inf: try all first puct: the term with P is added to it final " in text
    assert "; 0: at its first visit fpu " in text  # dfuct says less, and nothing else


def test_parts_are_listed_with_their_options(uctlab):
    code, out, _ = uctlab("agents", "--parts")
    assert code == 0 and all(part.name in out for part in PARTS)
    assert "widen= widen_power=" in " ".join(out.split())
    facts = {
        one["name"]: one for one in json.loads(uctlab("agents", "--parts", "--json")[1])["parts"]
    }
    assert facts["solver"]["options"] == ["solver"] and "graph" in facts["solver"]["excludes"]
    assert facts["graph"]["gpu"] and not facts["rave"]["gpu"]


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
                decay = "k=3," if "k" in kind.options else ""
                make_agent(f"{name}({decay}{parameter['name']}={parameter['default']})")


def test_names_keep_all_digits():
    for text in ("auct(lam=0.9999999)", "uct(c=0.123456789)", "duct(k=inf)", "uct(fpu=1.1)"):
        assert make_agent(text).name == text
        assert make_agent(make_agent(text).name).params == make_agent(text).params


def test_a_parameter_given_twice():
    with pytest.raises(UsageError, match="c is given twice"):
        make_agent("uct(c=1,c=2)")
