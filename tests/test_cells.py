"""Mistakes in the cells of a notebook: one line, with the cell and the line in it."""

import sys
from types import SimpleNamespace

import pytest

import uctlab
from tests.cells import RULE
from uctlab.errors import first_lines

SCORE = "return value(nodes, child) + terms * inverse_visits(nodes, child, parent)"
LINE = 1 + next(i for i, line in enumerate(RULE.splitlines()) if SCORE in line)
PLAIN = uctlab.make_game("hex:3").interpreted()


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run a cell as ipykernel does, as a file that does not exist; returns the rule in it."""
    numbers = {}
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map=numbers))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))

    def run(score, number):
        name = str(tmp_path / f"{number}1869247868.py")
        numbers[name] = number
        cell = {"__name__": "__main__"}
        exec(compile(RULE.replace(SCORE, score), name, "exec"), cell)
        return cell["Mine"]

    return run


def agent(rule):
    return uctlab.Agent("uct", select=rule)


def test_the_check_names_the_cell(run):
    wrong = run("return value(nodes, child) + params.q", 3)
    with pytest.raises(uctlab.UsageError) as told:
        uctlab.check(wrong, compiled=False)
    assert "has no attribute 'q'" in str(told.value)
    assert f"(cell In[3], line {LINE})" in str(told.value)


USES = [
    lambda who: uctlab.search(PLAIN, who, playouts=20),
    lambda who: uctlab.match(PLAIN, who, "mc", games=2, playouts=20, workers=1),
    lambda who: uctlab.sweep(PLAIN, "mc", {"c": [1]}, agent=who, playouts=20, workers=1),
]


@pytest.mark.parametrize("number", range(len(USES)))
def test_so_do_a_search_and_a_match(run, number):
    with pytest.raises(uctlab.UsageError) as told:
        USES[number](agent(run(f"return math.log(-1.0 - {number})", number)))
    assert "a kernel fails: ValueError: " in str(told.value)
    assert f"(cell In[{number}], line {LINE})" in str(told.value)
    assert "\n" not in str(told.value)


def test_a_name_that_is_misspelt(run):
    wrong = agent(run(SCORE.replace("value", "valeu"), 4))
    says = r"kernel score \(cell In\[4\], line \d+\) reads valeu, which is not defined"
    with pytest.raises(uctlab.UsageError, match=says):
        uctlab.search("hex:3", wrong, playouts=20)


def test_errors_of_others_stay_what_they_are(run, monkeypatch):
    rule = run(SCORE, 5)

    def fail(*args, **options):
        raise RuntimeError("not a kernel")

    monkeypatch.setattr("uctlab.mcts.searcher.Searcher.search", fail)
    # Other tests may have loaded files from this folder, which would make this one the user's.
    monkeypatch.setattr("uctlab.api.kernel_errors.loaded_files", list)
    with pytest.raises(RuntimeError, match="not a kernel"):
        uctlab.search(PLAIN, agent(rule), playouts=20)


def test_colours_of_a_message_are_left_out():
    bold = "\x1b[1m\x1b[1mFailed in nopython mode\n\x1b[1mUnknown attribute\x1b[0m\nmore"
    assert first_lines(ValueError(bold)) == "ValueError: Unknown attribute"
