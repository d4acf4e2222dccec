"""`uctlab reproduce`: experiments of the user's own, going on, mistakes."""

import json
import subprocess
import sys

import pytest

from tests.paper_runs import TINY, check_report, run, small_go
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch
from uctlab.devices.cpu import Cpu
from uctlab.papers import (
    browne2013,
    deception,
    yoshimoto2007,
)
from uctlab.papers.registry import EXPERIMENTS
from uctlab.papers.reproduce import STORE

pytestmark = pytest.mark.usefixtures("quick")
SMALL = """
from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.match_table import Bars, Cell, MatchTable
from uctlab.papers.report import Percent

TABLE = MatchTable(
    "hex:4",
    (
        Cell("", "1", "uct", "uct(c=2)", Percent.within(61.0, 4.0)),
        Cell("", "2", "uct", "uct(c=0,fpu=0)", Percent.within(90.0, 3.0)),
    ),
    draw=Bars("A small table", "cell", "UCT", "Winning percentage (up to {games} games)."),
    tell=lambda played: [f"It has {len(played)} cells."],
    heading="cell",
    notes=("A note.",),
    seconds_per_game=lambda size: 0.01,
)
EXPERIMENTS = [
    Experiment("small", "A small table", "Nobody.", Size(4, 50), Size(100, 500), TABLE.run,
               TABLE.cost, cells=TABLE.names)
]
"""


@pytest.fixture
def small(tmp_path, monkeypatch):
    """An experiment of the user's own; each test has its own module."""
    monkeypatch.setattr(sys, "path", sys.path[:])  # its folder is added
    path = tmp_path / "small_experiment.py"
    path.write_text(SMALL)
    yield path
    sys.modules.pop("small_experiment", None)


def test_an_experiment_of_ones_own(uctlab, tmp_path, small):
    code, out, _ = uctlab("reproduce", small, "--workers", 1, "--out", tmp_path / "out")
    assert code == 0 and "It has 2 cells." in out and "A small table" in out
    assert out.count("page: ") == out.count("in a browser: file:///") == 1
    check_report(tmp_path / "out" / "small-quick", ["61.0 ± 4.0 %", "90.0 ± 3.0 %", "A note."])


OWN_TASK = """
from dataclasses import dataclass
from os import getpid
from uctlab.papers.experiment import Experiment, Findings, Size

@dataclass(frozen=True)
class Square:
    number: int
    def perform(self):
        return [self.number**2, getpid()]

def run(lab):
    tasks = [Square(number) for number in range(lab.size.repeats)]
    outcomes = lab.tasks(tasks)
    squares, workers = zip(*(outcomes[task] for task in tasks))
    return Findings((f"{squares} by {len({*workers} - {getpid()})} workers",), (), ())

EXPERIMENTS = [
    Experiment("squares", "Squares", "Nobody.", Size(4, 1), Size(9, 1), run, lambda size: 1.0)
]
"""


@pytest.mark.usefixtures("blank_pictures")
def test_workers_find_tasks_of_ones_own(uctlab, tmp_path, monkeypatch):
    """The file is not in the current folder."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "elsewhere" / "squares_experiment.py"
    path.parent.mkdir()
    path.write_text(OWN_TASK)
    try:
        code, out, err = uctlab("reproduce", "elsewhere/squares_experiment.py", "--workers", 2)
    finally:
        sys.modules.pop("squares_experiment", None)
    assert (code, err) == (0, "") and "(0, 1, 4, 9) by 2 workers" in out


def test_a_second_run_plays_nothing(uctlab, tmp_path, small, monkeypatch):
    command = ("reproduce", small, "--workers", 1, "--out", tmp_path / "out")
    uctlab(*command)
    folder = tmp_path / "out" / "small-quick"
    kept = ("table.csv", "figure.svg", "figure.png")
    before = [(folder / name).read_bytes() for name in kept]
    monkeypatch.setattr(Cpu, "run", lambda self, tasks: _none(tasks))
    assert uctlab(*command)[0] == 0
    assert [(folder / name).read_bytes() for name in kept] == before
    facts = json.loads(uctlab(*command, "--json")[1])["experiments"][0]
    assert facts["complete"] and [row["games"] for row in facts["tables"]["table"]] == [4, 4]


def _none(tasks):
    for task in tasks:
        pytest.fail(f"{task} is played again")
        yield


@pytest.mark.usefixtures("blank_pictures")
@pytest.mark.parametrize("name", ["hashimoto2012-fig1", "browne2013", "yoshimoto2007", "small"])
def test_an_interrupted_reproduction_goes_on(uctlab, tmp_path, small, monkeypatch, name):
    """Ctrl-C after three games or searches: a report on those, as of a match; then the rest."""
    which = small if name == "small" else name
    players = {name: browne2013.PLAYERS[name] for name in ("UCT", "MC")}
    monkeypatch.setattr(browne2013, "PLAYERS", players)
    monkeypatch.setattr(deception, "AGENTS", ("uct", "auct(k=2)"))
    monkeypatch.setattr(yoshimoto2007, "TIMED", ("go:4",))
    small_go(monkeypatch)
    monkeypatch.setattr(yoshimoto2007, "PROBLEMS", {"hex:4": 4})
    whole = run(uctlab, tmp_path / "whole", which)
    done = []

    def interrupted(self, tasks):
        for task in tasks:
            if len(done) == 3:
                raise KeyboardInterrupt
            yield Batch([(task, task.perform())])
            done.append(task)

    with monkeypatch.context() as broken:
        broken.setattr(Cpu, "run", interrupted)
        part = run(uctlab, tmp_path / "part", which)
    assert not part["complete"]
    (folder,) = (tmp_path / "part").iterdir()
    assert "Incomplete" in (folder / "report.md").read_text()
    played = []

    def noted(self, tasks):
        for task in tasks:
            played.append(task)
            yield Batch([(task, task.perform())])

    monkeypatch.setattr(Cpu, "run", noted)
    after = run(uctlab, tmp_path / "part", which)
    assert after["complete"] and played_of(after) == played_of(whole)
    assert played and not set(played) & set(done)
    assert "Incomplete" not in (folder / "report.md").read_text()


def played_of(facts):
    """The tables without those of speeds."""
    return {name: rows for name, rows in facts["tables"].items() if name not in ("speed", "time")}


@pytest.mark.usefixtures("blank_pictures")
def test_an_early_end(uctlab, tmp_path, small):
    """A lopsided cell ends early, an even one does not; a later run without --early plays on."""
    command = ("reproduce", small, "--games", 40, "--workers", 1, "--out", tmp_path / "out")
    facts = json.loads(uctlab(*command, "--early", "--json")[1])["experiments"][0]
    even, lopsided = (row["games"] for row in facts["tables"]["table"])
    assert facts["complete"] and lopsided < 40
    (folder,) = (tmp_path / "out").iterdir()
    ended = 1 + (even < 40)
    assert f"{ended} of 2 cells were ended early" in (folder / "report.md").read_text()
    facts = json.loads(uctlab(*command, "--json")[1])["experiments"][0]
    assert [row["games"] for row in facts["tables"]["table"]] == [40, 40]
    with Store(folder / STORE, create=False) as store:
        assert [len(store.games(match.id)) for match in store.matches()] == [40, 40]


@pytest.mark.usefixtures("blank_pictures")
def test_several_at_once(uctlab, tmp_path, small):
    code, out, _ = uctlab("reproduce", small, small, *TINY, "--out", tmp_path / "out", "--json")
    assert code == 0
    first, second = json.loads(out)["experiments"]
    assert first["id"] == second["id"] == "small" and first["tables"] == second["tables"]


@pytest.mark.parametrize(
    ("options", "ends", "says"),
    [
        (("--stored",), 2, "has no results, so no report is written"),
        (("--workers", 1), 130, "Stopped before the report"),
    ],
)
def test_a_report_stays_where_there_is_nothing_to_report_on(
    uctlab, tmp_path, small, monkeypatch, options, ends, says
):
    """As in a clone, which has reports without their stores."""
    folder = tmp_path / "out" / "small-quick"
    folder.mkdir(parents=True)
    (folder / "report.json").write_text("good")
    monkeypatch.setattr(Cpu, "run", lambda self, tasks: (t for t in ()))  # as if stopped
    code, out, err = uctlab("reproduce", small, "--out", tmp_path / "out", *options)
    assert code == ends and not out and err.count("\n") == 1 and says in err
    assert (folder / "report.json").read_text() == "good"
    assert (folder / STORE).exists() != (ends == 2) and not (folder / "report.md").exists()


@pytest.mark.usefixtures("blank_pictures")
def test_folders_of_all_sizes(uctlab, tmp_path, small):
    for options in ((), ("--games", 6), ("--playouts", 40)):
        uctlab("reproduce", small, *options, "--workers", 1, "--out", tmp_path / "out")
    names = {folder.name for folder in (tmp_path / "out").iterdir()}
    assert names == {"small-quick", "small-6x50", "small-4x40"}
    other = EXPERIMENTS["gelly2006-table2"]
    assert other.folder_name(other.full, 7) == "gelly2006-table2-seed7"
    assert other.folder_name(other.full, 0) == "gelly2006-table2"
    size = other.full.with_changes(repeats=30, cells={"20": 100})
    assert other.folder_name(size, 0) == "gelly2006-table2-30x70000"


MISTAKES = [
    (("hashimoto2013",), "unknown experiment 'hashimoto2013'; did you mean hashimoto2012-"),
    (("browne2013", "nothing"), "unknown experiment 'nothing'"),
    (("browne2013", "--quick", "--full"), "--quick and --full cannot be used together"),
    (("--quick", "--full"), "--quick and --full cannot be used together"),
    (("none.py",), "there is no file none.py"),
    (("{empty}",), "empty_experiment.py does not define EXPERIMENTS"),
    (("gelly2006-table2", "--cell", "7=9"), "CELL=30; cells: 5, 20, 60"),
    (("gelly2006-table2", "--cell", "20=x"), "--cell '20=x' is not accepted by gelly2006-table2"),
    (("gelly2006-table2", "--cell", "20=-1"), "--cell '20=-1' is not accepted"),
    (("gelly2006-table2", "--cell", "20"), "--cell '20' is not accepted"),
    (("hashimoto2012-fig1", "--cell", "20=1"), "CELL=30; cells: none"),
    (("browne2013", "--games", 0), "--games takes a whole number"),
    (("browne2013", "--device", "gpu"), "unknown device 'gpu'"),
    (("browne2013", "--workers", 0), "there must be 1 to 1024 workers, not 0"),
    (("browne2013", "--out", "{empty}"), "cannot be created: Not a directory"),
]


@pytest.mark.parametrize(("arguments", "says"), MISTAKES, ids=[says for _, says in MISTAKES])
def test_mistakes_are_one_line_and_code_two(uctlab, tmp_path, arguments, says):
    empty = tmp_path / "empty_experiment.py"
    empty.write_text("")
    try:
        code, out, err = uctlab("reproduce", *[str(a).format(empty=empty) for a in arguments])
    finally:
        sys.modules.pop("empty_experiment", None)
    assert code == 2 and out == ""
    assert err.startswith("uctlab: ") and err.count("\n") == 1 and says in err


@pytest.mark.usefixtures("blank_pictures")
def test_a_cell_with_games_of_its_own(uctlab, tmp_path, small):
    """A cell without games is in the table all the same; later ones find what is played."""
    games = {}
    for cells in (("1=0",), ("2=3", "1=1"), ("2=1",)):
        options = [word for cell in cells for word in ("--cell", cell)]
        facts = run(uctlab, tmp_path, small, *options)
        assert facts["complete"] and facts["report"].endswith("small-2x20/report.md")
        rows = facts["tables"]["table"]
        games[cells] = {row["cell"]: row["games"] for row in rows}
        with Store(tmp_path / "small-2x20" / STORE, create=False) as store:
            stored = {match.plan.b: len(store.games(match.id)) for match in store.matches()}
    assert list(games.values()) == [{"1": 0, "2": 2}, {"1": 1, "2": 3}, {"1": 2, "2": 1}]
    assert sorted(stored.values()) == [2, 3]
    text = (tmp_path / "small-2x20" / "report.md").read_text()
    assert "2 games in each cell, 1 in 2, 20 playouts per move" in text


ANSWERS = """
from dataclasses import dataclass
from uctlab.papers.experiment import Experiment, Findings, Size

@dataclass(frozen=True)
class Answer:
    number: int

    def perform(self):
        return ANSWER * self.number

def run(lab):
    found = lab.tasks([Answer(1), Answer(2)])
    return Findings((f"answers {sorted(found.values())}",), (), ())

SIZE = Size(repeats=1, playouts=1)
EXPERIMENTS = (
    Experiment("NAME", "Answers", "nowhere", SIZE, Size(2, 2), run, lambda size: 1.0),
)
"""


@pytest.mark.usefixtures("blank_pictures")
def test_an_edited_task_is_done_again(uctlab, tmp_path):
    """Two files under different names, since a module is imported once; one experiment."""
    for name, answer in (("answers_one", 5), ("answers_two", 7)):
        path = tmp_path / f"{name}.py"
        path.write_text(ANSWERS.replace("ANSWER", str(answer)).replace("NAME", "answers"))
        command = ("reproduce", path, "--workers", 1, "--out", tmp_path / "out")
        for _ in "ab":
            assert f"answers [{answer}, {2 * answer}]" in uctlab(*command)[1]


NOT_EXPERIMENTS = [
    ("EXPERIMENTS = [", "EXPERIMENTS = (", "EXPERIMENTS is a Experiment, not a list"),
    ("EXPERIMENTS = [", "EXPERIMENTS = [7, ", "EXPERIMENTS contains a int, which is no Experiment"),
    ('"small"', '"../../escape"', "the id '../../escape' is not accepted"),
    ('"small"', '"/tmp/escape"', "the id '/tmp/escape' is not accepted"),
    ('"small"', '".."', "the id '..' is not accepted"),
    ('"small"', "None", "the id None is not accepted"),
    ("draw=Bars", "draw=(lambda *_: lambda played: None)",
     "small: a figure is a NoneType, not a Figure"),
    ("TABLE.run", "lambda context: None", "small: run() returns a NoneType, not Findings"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "says"), NOT_EXPERIMENTS, ids=[n[2] for n in NOT_EXPERIMENTS]
)
def test_experiments_that_are_none(uctlab, tmp_path, small, old, new, says):
    text = SMALL.replace(old, new)
    small.write_text(text[:-2] + ")\n" if new.endswith("(") else text)
    inside = tmp_path / "a" / "b" / "c"
    code, out, err = uctlab("reproduce", small, "--workers", 1, "--out", inside)
    assert code == 2 and out == ""
    assert err.count("\n") == 1 and says in err
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith("escape")]


def test_ctrl_c_while_an_experiment_is_loaded(uctlab, small):
    small.write_text("raise KeyboardInterrupt\nEXPERIMENTS = ()\n")
    assert uctlab("reproduce", small) == (130, "", "")
    assert "small_experiment" not in sys.modules


def test_ctrl_c_while_the_program_is_loaded(tmp_path):
    (tmp_path / "numpy.py").write_text("raise KeyboardInterrupt\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
    code += "from uctlab.cli.start import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "show", "othello"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 130 and done.stdout == ""
    assert done.stderr == "uctlab: stopped while it was starting\n"


def test_runs_without_games_add_up_their_time(tmp_path):
    for task in ("one", "two"):
        with Store(tmp_path / STORE) as store:
            store._opened -= 100
            store.keep({task: 1})
    with Store(tmp_path / STORE) as store:
        assert store.run_seconds() >= 200
        store.keep({})
        assert len(store.runs()) == 2
