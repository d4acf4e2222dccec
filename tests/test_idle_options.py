"""An option that has no effect is refused, and the line says why; one that has is not."""

from pathlib import Path

import pytest

from uctlab.agents import make_agent, with_rules
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.kernels import hole, kernel
from uctlab.mcts.binding import bind_for_cpu
from uctlab.mcts.searcher import Searcher
from uctlab.parts import rave_fuego
from uctlab.rules.backup import accelerated, mean
from uctlab.rules.select import ucb1

EXAMPLES = Path(__file__).parents[1] / "examples"
SQRT = f"select={EXAMPLES / 'ucb_sqrt.py'}"
MINIMAX = f"backup={EXAMPLES / 'minimax_backup.py'}"
FOR_RAVE = "it is for RAVE, which rave= switches on"

IDLE = [
    (f"uct(rave=k,{SQRT})", 'rave= has no effect: ucb_sqrt.py reads none of hole("agent.RAVE"), r'),
    (f"uct(prior=5,{SQRT})", "prior= has no effect: ucb_sqrt.py reads none of"),
    (f"auct(k=3,{MINIMAX})", "k= has no effect: minimax_backup.py reads none of forget, growth, "),
    (f"duct(lam=0.9,{MINIMAX})", "lam= has no effect"),
    (f"tuned(p=0.5,{SQRT})", "p= has no effect: ucb_sqrt.py reads none of p"),
    (f"uct(a=0.5,{SQRT})", "a= has no effect: ucb_sqrt.py reads none of a"),
    (f"uct(b=0.5,{MINIMAX})", "b= has no effect: minimax_backup.py reads none of b"),
    (f"fuego({SQRT})", "samples; write rave=off with it"),
    (
        f"uct(preset=fuego,rave=off,{SQRT})",
        'reads none of hole("agent.PRIOR"), prior; write prior=0',
    ),
    (f"muct(levels=3,{SQRT})", "levels= has no effect: ucb_sqrt.py reads none of levels"),
    (f"ucbv(zeta=2,{SQRT})", "zeta= has no effect"),
    ("uct(rave_k=50)", f"rave_k= has no effect: {FOR_RAVE}"),
    ("uct(wi=2)", f"rave_initial= has no effect: {FOR_RAVE}"),
    ("uct(distance=on)", f"distance= has no effect: {FOR_RAVE}"),
    ("fuego(rave=off,ignore=5)", f"ignore= has no effect: {FOR_RAVE}"),
    ("uct(rave=k,rave_final=50)", "rave_final= has no effect: it is for rave=fuego"),
    ("uct(rave=fuego,rave_k=50)", "rave_k= has no effect: it is for rave=k"),
    ("uct(rave=k,grave=10)", "grave= has no effect: it is for rave=grave"),
    ("uct(rave=grave,rave_k=10)", "rave_k= has no effect: it is for rave=k"),
    ("uct(rave_bias=0.1)", f"rave_bias= has no effect: {FOR_RAVE}"),
    ("uct(power=3)", "power= has no effect: it is for backup=power"),
    ("uct(power=3,backup=max)", "power= has no effect: it is for backup=power"),
    ("auct(k=3,backup=max)", "k= has no effect: backup= replaces what auct does"),
    ("uct(sharing=locked)", "sharing= has no effect: it is for several threads"),
]
FINE = [
    f"uct(c=0.5,fpu=1,expand=3,{SQRT})",
    f"uct(a=0.5,c=0.5,{MINIMAX})",
    f"auct(k=3,{SQRT})",
    f"uct(a=0.5,{SQRT},{MINIMAX})",
    f"uct(rave=off,rave_k=100,{SQRT})",
    "uct(rave=k,rave_k=50,distance=on)",
    "uct(rave=fuego,rave_initial=2,rave_final=100,ignore=3)",
    "fuego(rave=off,prior=0,distance=off,ignore=0)",
    "uct(threads=2,sharing=locked)",
    "duct(k=3,rave=fuego,prior=2)",
    f"fuego(rave=off,prior=0,{SQRT})",
    "mc(playout=x)",
    "uct(backup=power,power=3,rave=k)",
    f"bast(delta=0.2,gamma=0.5,beta=0.5,c=1,{SQRT})",
    "uct(rave=grave,grave=10,rave_bias=0.1,distance=on)",
]


@pytest.mark.parametrize(("text", "says"), IDLE)
def test_an_option_without_effect_is_refused(text, says):
    with pytest.raises(UsageError) as mistake:
        make_agent(text)
    assert says in str(mistake.value) and "\n" not in str(mistake.value)


@pytest.mark.parametrize("text", FINE)
def test_an_option_with_an_effect_is_not(text):
    assert make_agent(text).name == text


def test_an_agent_that_is_its_operator_says_what_to_write_instead():
    with pytest.raises(UsageError, match="write uct with backup= and without k="):
        make_agent(f"auct(k=3,{MINIMAX})")


RAVE: bool = hole("agent.RAVE")


@kernel
def deeper(nodes, child):
    return nodes[child].rave if RAVE else 0.0


@kernel
def score(nodes, child, parent, terms, params):
    return deeper(nodes, child) + params.a


class Reader:
    """A rule that reads RAVE in a kernel below its own."""

    node_terms, untried_score, score = ucb1.node_terms, ucb1.untried_score, score


def test_rules_as_python_objects():
    assert with_rules(make_agent("uct(rave=k)"), select=Reader).option("rave") == "k"
    own = with_rules(make_agent("uct(rave=fuego,prior=2)"), select=rave_fuego)
    assert own.parts == {"rave", "prior", "rave_with_prior"}
    with pytest.raises(UsageError, match=r"uct: rave= has no effect: Eager reads none"):
        with_rules(make_agent("uct(rave=k)"), select=type("Eager", (), vars(ucb1)))
    assert with_rules(make_agent("auct(k=3)"), backup=accelerated).params.lam < 1
    with pytest.raises(UsageError, match="auct: k= has no effect"):
        with_rules(make_agent("auct(k=3)"), backup=mean)
    own = type("Own", (), vars(mean))
    with pytest.raises(UsageError, match=r"graph=on does not go with backup=Own: it has a backup"):
        with_rules(make_agent("uct(graph=on)"), backup=own)


def test_a_rule_of_ones_own_takes_the_place_of_graves(tmp_path):
    """It reads the RAVE values, and GRAVE's own way to choose moves is out of the search."""
    own = with_rules(make_agent("uct(rave=grave)"), select=Reader)
    binding = bind_for_cpu(make_game("hex:3").interpreted(), own)
    assert binding.has("rave") and not binding.has("grave")


def test_a_number_for_own_rules_needs_one_that_reads_it():
    game = make_game("hex:2").interpreted()
    Searcher(game, with_rules(make_agent("uct(a=2)"), select=Reader))
    with pytest.raises(UsageError, match=r"uct\(a=2\): a= has no effect: it is for your own rules"):
        Searcher(game, make_agent("uct(a=2)"))


class Guided(Reader):
    """A rule that asks the game about new moves."""

    PROBABILITIES = True


def test_knowledge_needs_a_rule_that_asks_for_it():
    game = make_game("go:2").interpreted()
    for text in ("uct(knowledge=trained,bias=2)", "uct(knowledge=trained,widen=1,widen_power=0.7)"):
        Searcher(game, with_rules(make_agent(text), select=Reader))
    Searcher(game, with_rules(make_agent("uct(knowledge=trained)"), select=Guided))
    for text in ("uct(knowledge=trained)", "fuego(knowledge=trained,prior=0)"):
        with pytest.raises(UsageError, match="knowledge= has no effect: it is for prior=, bias="):
            Searcher(game, make_agent(text))
    Searcher(game, make_agent("fuego(prior=0)"))
