"""What rules must bring, and what users are told when they do not."""

import json

import numpy as np
import pytest

from uctlab.agents import make_agent, with_rules
from uctlab.agents.kinds import Params
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.kernels import hole, kernel, specialise
from uctlab.kernels.holes import Hole
from uctlab.kernels.tuples import from_row, tuple_class
from uctlab.mcts.binding import bind_for_cpu, bind_for_gpu, bind_for_threads
from uctlab.mcts.searcher import Searcher
from uctlab.parts import rave_fuego, rave_k
from uctlab.rules.backup import accelerated, discounted, mean, packed_mean, squares
from uctlab.rules.interface import BACKUP_OPERATOR, PLAYOUT_POLICY, PRIOR, SELECTION_RULE
from uctlab.rules.select import even, tuned, ucb1

GAME = make_game("hex:3").interpreted()


@pytest.mark.parametrize("rule", [ucb1, tuned, rave_fuego, rave_k, even])
def test_our_selection_rules_keep_the_contract(rule):
    SELECTION_RULE.check(rule, rule.__name__)


@pytest.mark.parametrize("operator", [mean, squares, accelerated, discounted])
def test_our_backup_operators_keep_the_contract(operator):
    BACKUP_OPERATOR.check(operator, operator.__name__)


def test_the_gpus_operator_brings_a_whole_record_instead_of_fields():
    with pytest.raises(UsageError, match=r"it does not define FIELDS$"):
        BACKUP_OPERATOR.check(packed_mean, "packed_mean")


def test_kernels_of_games_keep_the_contract():
    class Go:
        priors = make_game("go:4").priors
        playout = make_game("go:4").playouts["heavy"]

    PRIOR.check(Go, "go")
    PLAYOUT_POLICY.check(Go, "go")


class Short:
    """A rule whose score forgets an argument."""

    node_terms, untried_score = ucb1.node_terms, ucb1.untried_score

    @staticmethod
    @kernel
    def score(nodes, child):
        return 0.0


class Reader:
    """A rule that only reads what it should bring."""

    node_terms, score = ucb1.node_terms, ucb1.score
    untried_score = hole("select.untried_score")


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        (
            Short,
            r"Short: score of a selection rule takes \(nodes, child, parent, terms, params\)",
        ),
        (
            Reader,
            r"Reader is not a selection rule: it does not define untried_score\(nodes, child, ",
        ),
    ],
)
def test_mistakes_are_told_in_the_words_of_the_contract(rule, says):
    with pytest.raises(UsageError, match=says):
        with_rules(make_agent("uct"), select=rule)


misspelt = hole("backup.valeu")


@kernel
def score_of_misspelt(nodes, child, parent, terms, params):
    return misspelt(nodes, child)


class Misspelt:
    node_terms, untried_score = ucb1.node_terms, ucb1.untried_score
    score = staticmethod(score_of_misspelt)


def test_a_hole_that_no_search_fills():
    agent = with_rules(make_agent("uct"), select=Misspelt)
    with pytest.raises(UsageError, match=r"reads hole\('backup.valeu'\), which no owner fills"):
        Searcher(GAME, agent).search(Position.start(GAME), playouts=1)


def test_the_contract_as_text():
    text = str(BACKUP_OPERATOR)
    assert text.startswith('A backup operator defines (it fills hole("backup.NAME"))\n    FIELDS\n')
    assert "    unit_of(nodes, parent)  (optional)\n" in text
    assert 'hole("device.ON_GPU")' in text and "may read" not in str(PRIOR)


@pytest.mark.parametrize("interpret", [False, True])
def test_params_from_a_record(interpret):
    """Every field that kernels read, in its place."""
    row = np.zeros(1, [(name, "f8") for name in Params._fields]).view(np.recarray)
    row[0] = tuple(range(len(Params._fields)))
    some = tuple_class("Numbers", ("c", "fpu", "lam"))
    assert some._fields == ("c", "fpu", "lam")
    made = specialise(from_row(some), interpret=interpret)(row[0])
    assert made == tuple(Params._fields.index(name) for name in some._fields)


def test_the_contract_on_the_command_line(uctlab):
    code, out, _ = uctlab("agents", "--rules")
    assert code == 0 and "A selection rule defines" in out and "A playout policy defines" in out
    code, out, _ = uctlab("agents", "--rules", "--json")
    kinds = {facts["kind"]: facts for facts in json.loads(out)["rules"]}
    assert code == 0 and len(kinds) == 4
    assert kinds["selection rule"]["reads"][0] == "backup.value"


@kernel
def reads_all(nodes, child, parent, terms, params):
    found = value(nodes, child) + inverse_visits(nodes, child, parent)
    found += parent_visits(nodes, parent, params)
    return found if RAVE or PRIOR_IS_ON or ON_GPU else 0.0


value, inverse_visits = hole("backup.value"), hole("backup.inverse_visits")
parent_visits, RAVE = hole("backup.parent_visits"), hole("agent.RAVE")
PRIOR_IS_ON, ON_GPU = hole("agent.PRIOR"), hole("device.ON_GPU")


class ReadsAll:
    node_terms, untried_score = ucb1.node_terms, ucb1.untried_score
    score = staticmethod(reads_all)


@pytest.mark.parametrize("bind", [bind_for_cpu, bind_for_threads, bind_for_gpu])
def test_every_search_fills_what_rules_may_read(bind):
    read = [name for name in reads_all.__code__.co_names if isinstance(globals().get(name), Hole)]
    paths = {globals()[name].path for name in read}
    of_parts = {path for path in paths if path.startswith("agent.")}
    assert of_parts and paths - of_parts | {"agent.NAME"} == set(SELECTION_RULE.reads)
    bind(GAME, with_rules(make_agent("uct"), select=ReadsAll)).bind(reads_all)
    owners = bind(GAME, make_agent("uct")).owners
    assert all(hole(path).fill(owners) is not None for path in BACKUP_OPERATOR.reads)


def test_a_rule_without_the_mark_of_a_kernel():
    class Plain:
        node_terms, untried_score = ucb1.node_terms, ucb1.untried_score

        @staticmethod
        def score(nodes, child, parent, terms, params):
            return 0.0

    with pytest.raises(UsageError, match="must be marked with @kernel"):
        with_rules(make_agent("uct"), select=Plain)
