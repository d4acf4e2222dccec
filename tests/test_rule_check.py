"""uctlab check --rule passes sound rules and finds each planted fault; searches say so too."""

import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE, jump_while
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts import rule_check
from uctlab.mcts.rule_check import RuleError, check_rule
from uctlab.mcts.searcher import Searcher
from uctlab.user_modules import loaded_files

ROOT = Path(__file__).parents[1]
SQRT = ROOT / "examples" / "ucb_sqrt.py"
MINIMAX = ROOT / "examples" / "minimax_backup.py"
RULES = ROOT / "src" / "uctlab" / "rules"


@pytest.fixture(autouse=True)
def forgotten_modules():
    """Rules are loaded under the names of their files, such as `mean`."""
    known = set(loaded_files())
    yield
    for path in set(loaded_files()) - known:
        del sys.modules[path.stem]


@pytest.fixture
def few_playouts(monkeypatch):
    monkeypatch.setattr(rule_check, "PLAYOUTS", 40)


@pytest.mark.parametrize(
    ("path", "agent"),
    [
        (RULES / "backup" / "accelerated.py", "auct(k=1)"),
        (RULES / "backup" / "discounted.py", "duct(k=1)"),
        (RULES / "backup" / "squares.py", "tuned"),
        (RULES / "select" / "tuned.py", "tuned"),
        (RULES.parent / "parts" / "rave_fuego.py", "uct(rave=fuego,c=0.3)"),
        (RULES / "select" / "even.py", "mc"),
        (MINIMAX, "uct(a=0.5)"),
    ],
)
def test_sound_rules_pass(path, agent, few_playouts):
    report = check_rule(str(path), agent, seconds=PATIENCE, compiled=False)
    assert str(report).startswith(f"{path.name}, a ") and report.playouts >= 2 * 40


def test_on_the_command_line(uctlab):
    code, out, _ = uctlab("check", SQRT, "--rule", "--agent", "uct(c=0.5)")
    assert code == 0 and "ucb_sqrt.py, a selection rule, keeps the contract: 750 playouts" in out
    code, _, err = uctlab("check", __file__, "--rule")
    assert code == 2 and "test_rule_check.py is no rule: it defines neither score" in err
    assert "--agent needs --rule" in uctlab("check", "hex:3", "--agent", "uct")[2]
    assert "--games is for games" in uctlab("check", SQRT, "--rule", "--games", 3)[2]
    assert "--timeout must be more than 0" in uctlab("check", "hex:3", "--timeout", 0)[2]
    code, _, err = uctlab("check", SQRT, "--rule", "--agent", "uct(rave=k)")
    assert code == 2 and "rave= has no effect" in err


SCORE = "value(nodes, child) + terms * inverse_visits(nodes, child, parent)"
COUNT = "        nodes[node].visits += 1\n"
VALUE = "return nodes[node].mixed"
FAULTS = {
    "nan_score": (SQRT, SCORE, f"({SCORE}) * (math.inf - math.inf)", "score of a move .* is nan"),
    "infinite_score": (SQRT, SCORE, f"{SCORE} + math.inf", "score of a move .* is inf"),
    "root_of_negative": (
        SQRT,
        SCORE,
        "math.sqrt(-1.0)",
        r"ValueError: .* \(root_of_n.*, line 35\)",
    ),
    "writes": (
        SQRT,
        "    return value(",
        "    nodes[child].total += 1\n    return value(",
        "changes",
    ),
    "no_number": (SQRT, SCORE, "None", "score returns a NoneType, not a number"),
    "no_visits": (MINIMAX, COUNT, "", r"backup: |counts 0 visits of path\[0\], not 1"),
    "visits_of_the_leaf": (
        MINIMAX,
        COUNT,
        "        nodes[node].visits += 1 if level == depth else 0\n",
        r"ZeroDivision|backup counts 0 visits of path\[0\], not 1",
    ),
    "visits_twice": (MINIMAX, COUNT, 2 * COUNT, r"backup counts 2 visits of path\[0\], not 1"),
    "large_value": (MINIMAX, VALUE, f"{VALUE} * 2.0", "is 2, not a number from 0 to 1"),
    "nan_value": (MINIMAX, VALUE, f"{VALUE} * np.nan", "value of a node .* is nan, not"),
    "not_turned": (
        MINIMAX,
        "reward = 1.0 - reward",
        "pass",
        "sums do not add up: the first player",
    ),
    "odd_visits": (
        MINIMAX,
        "@kernel\ndef value",
        "@kernel\ndef inverse_visits(nodes, child, parent):\n    return 0.1\n@kernel\ndef value",
        "sums do not add up: the moves of a node at depth 0 have .* visits by inverse_visits",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_found(tmp_path, name, few_playouts):
    base, old, new, says = FAULTS[name]
    path = tmp_path / f"{name}.py"
    text = base.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(RuleError, match=says) as caught:
        check_rule(str(path), seconds=PATIENCE, compiled=False)
    assert str(caught.value).startswith(f"{name}.py: ") and "\n" not in str(caught.value)


def test_compiled_and_interpreted_must_agree(tmp_path):
    path = tmp_path / "adds_booleans.py"
    two = "((nodes[child].visits > 0) + (nodes[parent].visits > 0))"
    path.write_text(SQRT.read_text().replace(SCORE, f"{SCORE} * {two}"))
    with pytest.raises(
        RuleError, match=r"adds_booleans\.py: compiled and interpreted searches diff"
    ):
        check_rule(str(path), seconds=PATIENCE)


def test_a_rule_that_never_ends_meets_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "waits.py"
    path.write_text(SQRT.read_text().replace(f"return {SCORE}", "while True:\n        pass"))
    jump_while(monkeypatch, "running score, interpreted")
    with pytest.raises(RuleError, match=r"not done after 900 s, while running score, interp"):
        check_rule(str(path), seconds=900)


def search(path, part):
    game = make_game("hex:3").interpreted()
    agent = make_agent(f"uct({part}={path})")
    return Searcher(game, agent).search(Position.start(game), playouts=40)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("no_visits", "backup operator counted 0 visits of the root in 40 playouts; uctlab check"),
        ("visits_twice", "counted 80 visits of the root in 40 playouts"),
        ("large_value", "the backup operator's value of .* not a number from 0 to 1"),
        ("nan_score", "the selection rule's score of .* is nan, not a finite number"),
        ("infinite_score", "the selection rule's score of .* is inf"),
    ],
)
def test_searches_say_so(tmp_path, name, says):
    base, old, new, _ = FAULTS[name]
    path = tmp_path / f"{name}.py"
    text = base.read_text().replace(old, new)
    path.write_text(text.replace("/ nodes[node].visits", "/ max(nodes[node].visits, 1)"))
    with pytest.raises(UsageError, match=says):
        search(path, "select" if base is SQRT else "backup")


def test_moves_whose_visits_are_lost(tmp_path):
    path = tmp_path / "root_only.py"
    counted = "        nodes[node].visits += 1 if level == 0 else 0\n"
    text = MINIMAX.read_text().replace(COUNT, counted)
    path.write_text(text.replace("/ nodes[node].visits", "/ max(nodes[node].visits, 1)"))
    with pytest.raises(UsageError, match="counted 0 visits of its moves in 40 playouts"):
        search(path, "backup")
