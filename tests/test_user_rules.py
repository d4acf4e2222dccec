"""Rules of the user's own, by path and as modules."""

import sys
from pathlib import Path

import numpy as np
import pytest

from tests.searches import searched, used_nodes
from uctlab.agents import make_agent, with_rules
from uctlab.errors import UsageError
from uctlab.user_modules import load_module

EXAMPLES = Path(__file__).parents[1] / "examples"
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")
UCB_SQRT = str(EXAMPLES / "ucb_sqrt.py")
MINIMAX = str(EXAMPLES / "minimax_backup.py")


def test_rule_files_that_do_not_work(tmp_path):
    broken = tmp_path / "rule_that_raises.py"
    broken.write_text("1 / 0\n")
    with pytest.raises(UsageError, match=r"rule_that_raises\.py cannot be loaded: ZeroDivision"):
        make_agent(f"uct(select={broken})")
    text = tmp_path / "rule.txt"
    text.write_text("")
    with pytest.raises(UsageError, match="is not a Python file"):
        make_agent(f"uct(select={text})")
    twin = tmp_path / "json.py"
    twin.write_text("")
    with pytest.raises(UsageError, match="needs another name: a module json is already loaded"):
        make_agent(f"uct(backup={twin})")
    with pytest.raises(UsageError, match="there is no file"):
        make_agent(f"uct(select={tmp_path})")


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
    assert given.name == f"{base}*{Path(path).name}" and given.params == make_agent(base).params
    plain = used_nodes(searched(base if part == "select" else "uct", 20_000)[0])
    assert len(plain) != len(used_nodes(by_path)) or not np.array_equal(
        plain["visits"], used_nodes(by_path)["visits"]
    )
    # The plain interpreter makes a few hundred playouts per second.
    assert max(report.playouts_per_second, same.playouts_per_second) > 2_000


def test_both_rules_together():
    searcher, report = searched(f"uct(c=0.5,a=0.3,select={UCB_SQRT},backup={MINIMAX})", 3000)
    assert report.playouts == 3000 and searcher.tree.nodes[0].visits == 3000
    assert {"total", "mixed"} <= set(searcher.tree.node_type.names)


def test_minimax_without_weight_is_uct(spec=CONNECT_FOUR):
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
        "from uctlab.kernels import kernel\n"
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
    visits = [int(searcher.tree.nodes[child].visits) for child in range(1, 8)]
    assert visits == [94, 1, 1, 1, 1, 1, 1]
    assert report.best == searcher.game.move_name(int(searcher.tree.nodes[1].move))


FIELDS = ["('visits', 'f8')", "('mixed', 'nonsense')", "'mixed'"]


@pytest.mark.parametrize("field", FIELDS)
def test_fields_that_do_not_fit_into_a_node(tmp_path, field):
    path = tmp_path / f"bad_fields_{FIELDS.index(field)}.py"
    path.write_text(Path(MINIMAX).read_text().replace('("mixed", "f8")', field))
    with pytest.raises(UsageError, match="FIELDS of its backup operator do not fit into a node"):
        searched(f"uct(backup={path})")


def test_a_field_with_a_name_of_numpys(tmp_path):
    """Compiled it would work; interpreted, `nodes[node].mean` is a method of NumPy's."""
    path = tmp_path / "mean_field.py"
    path.write_text(Path(MINIMAX).read_text().replace("mixed", "mean"))
    with pytest.raises(UsageError, match="field 'mean' of a node needs another name"):
        searched(f"uct(backup={path})")
