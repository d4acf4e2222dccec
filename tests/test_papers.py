"""The papers' experiments, run with tiny budgets: reports, going on, mistakes."""

import csv
import io
import json
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial

import pytest

from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import gtp_command, player_name
from uctlab.arena.search_task import SearchTask
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch, _key
from uctlab.cli.reproduce import _folder_name
from uctlab.devices.cpu import Cpu
from uctlab.games import make_game
from uctlab.papers import (
    browne2013,
    deception,
    drawing,
    gelly2006,
    go_problems,
    hashimoto2012,
    reproduce,
    yoshimoto2007,
)
from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.match_table import Cell, MatchTable
from uctlab.papers.problems import Problem
from uctlab.papers.registry import EXPERIMENTS
from uctlab.papers.reproduce import STORE
from uctlab.protocol.gtp_client import GAME_FOLDERS

IDS = [
    *(f"hashimoto2012-table1-{game}" for game in ("othello", "havannah", "havannah-side-5", "go")),
    "hashimoto2012-table2",
    "hashimoto2012-fig1",
    *(f"gelly2006-table{number}" for number in (2, 3, 4)),
    *("gelly2006-threads", "gelly2006-threads-time"),
    "yoshimoto2007",
    *("browne2013", "browne2013-go"),
    *("go-problems", "go-strength"),
]
AGAINST_GNU_GO = [name for name in IDS if name.startswith("gelly2006-table")]
TINY = ("--games", 2, "--playouts", 20, "--workers", 1)
TINIER = ("--games", 1, "--playouts", 10, "--workers", 1)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Coarse pictures, and speeds measured once: nothing here looks at either."""
    monkeypatch.setitem(drawing.STYLE, "savefig.dpi", 40)
    for paper in (browne2013, yoshimoto2007):
        measure = partial(paper.measure_rounds, round_seconds=1e-6)
        monkeypatch.setattr(paper, "measure_rounds", measure)


def read_csv(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


# The list


def test_all_are_listed_with_what_they_cost(uctlab):
    code, out, _ = uctlab("reproduce")
    assert code == 0 and list(EXPERIMENTS) == IDS
    for name in IDS:
        cost = rf"\d+ \w+  [\d,]+ {unit_of(name)} in each cell, .+"
        entry = rf"^{name}: .+\n +--quick +{cost}\n +--full +{cost}$"
        assert re.search(entry, out, re.MULTILINE)
    rows = json.loads(uctlab("reproduce", "--json")[1])["experiments"]
    assert [row["id"] for row in rows] == IDS
    for row in rows:
        assert 1 < row["quick_core_seconds"] < 3600  # minutes, also on one core
        assert row["full_core_seconds"] > 20 * row["quick_core_seconds"]


def unit_of(name):
    single = ("hashimoto2012-fig1", "yoshimoto2007", "browne2013", "browne2013-go", "go-problems")
    return "searches" if name in single else "games"


class Plans:
    """A laboratory that notes what it is asked for and does nothing."""

    seed, early = 3, False

    def __init__(self, size):
        self.size = size
        self.plans, self.searches = [], []

    def matches(self, plans, games=None):
        self.plans += plans
        raise StopIteration

    def tasks(self, tasks):
        self.searches += tasks
        raise StopIteration

    def grid(self, cells):
        self.tasks([task for tasks in cells.values() for task in tasks])

    def derive_seed(self, *what):
        return 0


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("extent", ["quick", "full"])
def test_games_and_agents_exist(name, extent, monkeypatch):
    """All that is planned can be made; programs are not started."""
    monkeypatch.setattr(yoshimoto2007, "_timing", lambda context: (None, {}))
    monkeypatch.setattr(yoshimoto2007, "make_problems", _no_problems)
    assert all(map(make_game, yoshimoto2007.TIMED))
    experiment = EXPERIMENTS[name]
    lab = Plans(getattr(experiment, extent))
    with pytest.raises(StopIteration):
        experiment.run(lab)
    assert lab.plans or lab.searches
    assert len(set(lab.plans)) == len(lab.plans)
    for plan in lab.plans:
        make_game(plan.game)
        for player in (plan.a, plan.b):
            assert player_name(player)
        assert plan.seed == 3 and (plan.playouts is None) != (plan.seconds is None)
    for agent, game in {(task.agent, task.game) for task in lab.searches}:
        assert make_game(game) and player_name(agent)


def _no_problems(game, plies, number, seed):
    return [Problem(game, "", game, frozenset())] * 2


# Tiny reproductions

PUBLISHED = {
    "hashimoto2012-table1-havannah": ["24.2 ± 2.7 %", "58.2 ± 3.1 %", "31.3 ± 2.9 %"],
    "hashimoto2012-fig1": ["The winning move is C"],
    "yoshimoto2007": ["0.97"],
    "browne2013": ["396,000", "101,000", "50,000"],
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_tiny_reproduction(uctlab, tmp_path, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    players = {name: browne2013.PLAYERS[name] for name in ("MC", "UCT", "UCT_r", "AUCT k=3")}
    monkeypatch.setattr(browne2013, "PLAYERS", players)
    monkeypatch.setattr(yoshimoto2007, "TIMED", ("othello",))
    monkeypatch.setattr(yoshimoto2007, "PROBLEMS", {"othello": 50, "hex:4": 4})
    of_go = [replace(p, game="go:9,komi=7.5") for p in go_problems.problems() if "go:9" in p.game]
    monkeypatch.setattr(go_problems, "problems", lambda: of_go)  # one komi, one kernel
    code, out, err = uctlab("reproduce", name, *TINIER, "--out", tmp_path)
    assert code == 0, err
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"{name}-1x10"
    assert f"report: {folder / 'report.md'}" in out and f"picture: {folder}" in out
    told = out.partition("report: ")[0].splitlines()
    assert len(told) > 1 and all(len(line) <= 60 for line in told)
    check_report(folder, PUBLISHED[name])
    text = (folder / "report.md").read_text()
    assert f"command  uctlab reproduce {name} --games 1" in text
    unit = unit_of(name)
    each = {"games": "move", "searches": "search"}[unit]
    assert f"budget   1 {unit} in each cell, 10 playouts per {each}\n" in text
    assert "Incomplete" not in text


def check_report(folder, published):
    """All files are there, whole, and have the published figures in them."""
    files = {path.name for path in folder.iterdir()}
    assert not [name for name in files if name.endswith(".part")]
    text, page = ((folder / f"report.{kind}").read_text() for kind in ("md", "html"))
    for figure in published:
        assert figure in text and figure in page
    ET.fromstring(page.partition("\n")[2])  # well-formed without its first line
    pictures = re.findall(r"\]\((.+?)\.svg\)", text)
    tables = re.findall(r"\]\((.+?)\.csv\)", text)
    assert pictures and tables and page.count("<img ") == len(pictures)
    for name in pictures:
        ET.parse(folder / f"{name}.svg")
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    for name in tables:
        assert read_csv(folder / f"{name}.csv")
    named = {f"{name}{end}" for name in pictures for end in (".svg", ".png")}
    assert files == named | {f"{name}.csv" for name in tables} | {
        *("report.json", "report.md", "report.html", STORE)
    }
    assert "src=" in page and not re.search(r'src="(?!data:)', page)


def test_all_cells_of_table_1_are_played(uctlab, tmp_path):
    facts = run(uctlab, tmp_path, "hashimoto2012-table1-othello")
    rows = facts["tables"]["table"]
    assert [(row[""], row["k"]) for row in rows] == [
        (group, str(k)) for group in ("Accelerated", "Discounted") for k in range(1, 8)
    ]
    column = [figure[0] for half in hashimoto2012.TABLE_1["othello"] for figure in half]
    assert [row["published"]["value"] for row in rows] == column
    for row in rows:
        assert row["games"] == 2 == row["won"] + row["drawn"] + row["lost"]
        assert row["ours"]["value"] == 100 * (row["won"] + row["drawn"] / 2) / 2
        assert row["B"] == "uct(expand=10)" and f"k={row['k']}," in row["A"]
        assert row["A"].startswith("auct" if row[""] == "Accelerated" else "duct")
    halves = {"Accelerated": rows[:7], "Discounted": rows[7:]}
    for sentence, (group, half) in zip(facts["summary"][:2], halves.items(), strict=True):
        ours, published = (
            ", ".join(f"{row[whose]['value']:.1f}" for row in half)
            for whose in ("ours", "published")
        )
        assert sentence.startswith(f"{group} UCT wins {ours} % for k = 1, 2, 3, 4, 5, 6, 7, best ")
        assert sentence.endswith(f"(published {published}).")
    folder = tmp_path / "hashimoto2012-table1-othello-2x20"
    check_report(folder, ["39.2 ± 3.1 %", "56.3 ± 3.2 %", "28.0 ± 2.8 %"])
    lines = read_csv(folder / "table.csv")
    assert [float(line["published"]) for line in lines] == column
    assert [float(line["ours"]) for line in lines] == [row["ours"]["value"] for row in rows]


def run(uctlab, folder, *arguments):
    code, out, _ = uctlab("reproduce", *arguments, *TINY, "--out", folder, "--json")
    assert code == 0
    (facts,) = json.loads(out)["experiments"]
    return facts


SMALL = """
from functools import partial
from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.gelly2006 import _draw
from uctlab.papers.match_table import Cell, MatchTable
from uctlab.papers.report import Percent

TABLE = MatchTable(
    "hex:4",
    (
        Cell("", "1", "uct", "uct(c=2)", Percent.within(61.0, 4.0)),
        Cell("", "2", "uct", "mc(final=visits)", Percent.within(90.0, 3.0)),
    ),
    draw=partial(_draw, title="A small table", axis="cell"),
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


@pytest.mark.parametrize("name", ["hashimoto2012-fig1", "browne2013", "yoshimoto2007", "small"])
def test_an_interrupted_reproduction_goes_on(uctlab, tmp_path, small, monkeypatch, name):
    """Ctrl-C after three games or searches: a report on those, as of a match; then the rest."""
    which = small if name == "small" else name
    players = {name: browne2013.PLAYERS[name] for name in ("UCT", "MC")}
    monkeypatch.setattr(browne2013, "PLAYERS", players)
    monkeypatch.setattr(deception, "AGENTS", ("uct", "auct(k=2)"))
    monkeypatch.setattr(yoshimoto2007, "TIMED", ("go:9",))
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


def test_an_early_end(uctlab, tmp_path, small):
    """A lopsided cell ends early, an even one does not; a later run without --early plays on."""
    command = ("reproduce", small, "--games", 60, "--workers", 1, "--out", tmp_path / "out")
    facts = json.loads(uctlab(*command, "--early", "--json")[1])["experiments"][0]
    even, lopsided = (row["games"] for row in facts["tables"]["table"])
    assert facts["complete"] and lopsided < 60
    (folder,) = (tmp_path / "out").iterdir()
    ended = 1 + (even < 60)
    assert f"{ended} of 2 cells were ended early" in (folder / "report.md").read_text()
    facts = json.loads(uctlab(*command, "--json")[1])["experiments"][0]
    assert [row["games"] for row in facts["tables"]["table"]] == [60, 60]
    with Store(folder / STORE, create=False) as store:
        assert [match.games for match in store.matches()] == [60, 60]


def test_several_at_once(uctlab, tmp_path, small):
    code, out, _ = uctlab("reproduce", small, small, *TINY, "--out", tmp_path / "out", "--json")
    assert code == 0
    first, second = json.loads(out)["experiments"]
    assert first["id"] == second["id"] == "small" and first["tables"] == second["tables"]


def test_folders_of_all_sizes(uctlab, tmp_path, small):
    for options in ((), ("--games", 6), ("--playouts", 40)):
        uctlab("reproduce", small, *options, "--workers", 1, "--out", tmp_path / "out")
    names = {folder.name for folder in (tmp_path / "out").iterdir()}
    assert names == {"small-quick", "small-6x50", "small-4x40"}
    other = EXPERIMENTS["gelly2006-table2"]
    assert _folder_name(other, other.full, 7) == "gelly2006-table2-seed7"
    assert _folder_name(other, other.full, 0) == "gelly2006-table2"
    size = other.full.with_changes(repeats=30, cells={"20": 100})
    assert _folder_name(other, size, 0) == "gelly2006-table2-30x70000"


# GNU Go

ENGINE = """
import sys
taken, cells = [], [f"{c}{r}" for r in range(1, 10) for c in "ABCDEFGHJ"]
while line := sys.stdin.readline():
    number, command, *words = line.split()
    answer = ""
    if command == "clear_board":
        taken = []
    elif command == "genmove":
        answer = "resign" if len(taken) > 4 else next(c for c in cells if c not in taken)
        taken.append(answer)
    elif command == "play":
        taken.append(words[1])
    print(f"={number} {answer}\\n\\n", end="", flush=True)
    if command == "quit":
        break
"""


def with_opponent(experiment, opponent):
    """The same experiment with the first cell alone, against another program."""
    table = experiment.run.__self__
    assert gtp_command(table.cells[0].b).startswith("gnugo --mode gtp --level 10")
    cells = (replace(table.cells[0], b=opponent),)
    small = replace(table, cells=cells)
    return replace(experiment, run=small.run, cost=small.cost)


@pytest.mark.parametrize("name", AGAINST_GNU_GO)
def test_a_cell_against_a_program(tmp_path, name):
    """One that resigns after a few moves."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    experiment = with_opponent(EXPERIMENTS[name], f'gtp:"{sys.executable} -I -S {path}"')
    found = play(experiment, tmp_path)
    (row,) = found.as_json()["tables"]["table"]
    assert found.complete and row["won"] == 2 == row["games"]
    check_report(tmp_path / "out", [str(experiment.run.__self__.cells[0].published)])


def test_a_table_that_was_not_published():
    experiment = EXPERIMENTS["go-strength"]
    nothing = tuple((cell, 0) for cell in experiment.cells)
    found = experiment.run(ExperimentContext(Size(1, 10, nothing), Cpu(1)))
    (table,) = found.tables
    assert "ours" in table.columns and not {"published", "intervals meet"} & set(table.columns)
    assert found.summary == ("No game was finished.",)


def play(experiment, tmp_path):
    return reproduce.reproduce(experiment, Size(2, 30), Cpu(1), tmp_path / "out", command="test")


def test_a_cell_against_gnu_go(tmp_path):
    if not (shutil.which("gnugo") or shutil.which("gnugo", path=GAME_FOLDERS)):
        pytest.skip("GNU Go is not installed (Debian's package gnugo)")
    opponent = gelly2006.GNU_GO.replace("--level 10", "--level 0")
    found = play(with_opponent(EXPERIMENTS["gelly2006-table3"], opponent), tmp_path)
    (row,) = found.as_json()["tables"]["table"]
    assert found.complete and row["games"] == 2 and row["mean length"] > 10
    with Store(tmp_path / "out" / STORE, create=False) as store:
        (match,) = store.matches()
        records = list(store.records(match.id))
    assert [record.ending for record in records] == ["played"] * 2
    for record in records:
        assert record.referee and record.opinion and record.moves.endswith("pass pass")
    disputed = sum(record.referee[0] != record.opinion[0] for record in records)
    note = f"2 games were played to the end and judged by the referee; in {disputed} of them"
    assert note in (tmp_path / "out" / "report.md").read_text()


def test_a_missing_gnu_go(uctlab, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("uctlab.protocol.gtp_client.GAME_FOLDERS", str(tmp_path))
    code, out, err = uctlab("reproduce", "gelly2006-table2", "--out", tmp_path / "out")
    assert code == 2 and out == "" and err.count("\n") == 1
    assert "no program 'gnugo' on PATH" in err and "Debian's package gnugo has it" in err


# Mistakes


MISTAKES = [
    (("hashimoto2013",), "unknown experiment 'hashimoto2013'; known: hashimoto2012-table1-othello"),
    (("browne2013", "nothing"), "unknown experiment 'nothing'"),
    (("browne2013", "--quick", "--full"), "--quick and --full exclude each other"),
    (("--quick", "--full"), "--quick and --full exclude each other"),
    (("none.py",), "there is no file none.py"),
    (("{empty}",), "empty_experiment.py does not define EXPERIMENTS"),
    (("gelly2006-table2", "--cell", "7=9"), "CELL=30; cells: 5, 20, 60"),
    (("gelly2006-table2", "--cell", "20=x"), "--cell '20=x' is not accepted by gelly2006-table2"),
    (("gelly2006-table2", "--cell", "20=-1"), "--cell '20=-1' is not accepted"),
    (("gelly2006-table2", "--cell", "20"), "--cell '20' is not accepted"),
    (("hashimoto2012-fig1", "--cell", "20=1"), "CELL=30; cells: none"),
    (("browne2013", "--games", 0), "Invalid value for '--games'"),
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


# Parts


def test_a_table_without_a_game():
    """Stopped before anything was finished: sentences, no picture, no crash."""
    table = MatchTable(
        "hex:3",
        (Cell("", "1", "uct", "mc", None),),
        draw=lambda played: pytest.fail("there is nothing to draw"),
        tell=partial(gelly2006._tell, what="p"),
        heading="p",
        notes=(),
        seconds_per_game=lambda size: 1.0,
    )
    lab = ExperimentContext(Size(2, 10), _Idle())
    found = table.run(lab)
    assert isinstance(found, Findings) and lab.stopped and not found.figures
    assert found.summary[0] == "No game was finished."


class _Idle:
    def run(self, tasks):
        raise KeyboardInterrupt
        yield


def test_seconds_of_2006():
    """Table 2 of gelly2006: 20 seconds are the size's playouts, the others in proportion."""
    lab = Plans(EXPERIMENTS["gelly2006-table2"].full)
    with pytest.raises(StopIteration):
        EXPERIMENTS["gelly2006-table2"].run(lab)
    assert [plan.playouts for plan in lab.plans] == [17_500, 70_000, 210_000]
    assert len({(plan.a, plan.b) for plan in lab.plans}) == 1


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
            stored = {match.plan.b: match.games for match in store.matches()}
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


def test_an_edited_task_is_done_again(uctlab, tmp_path):
    """Two files under different names, since a module is imported once; one experiment."""
    for name, answer in (("answers_one", 5), ("answers_two", 7)):
        path = tmp_path / f"{name}.py"
        path.write_text(ANSWERS.replace("ANSWER", str(answer)).replace("NAME", "answers"))
        command = ("reproduce", path, "--workers", 1, "--out", tmp_path / "out")
        for _ in "ab":
            assert f"answers [{answer}, {2 * answer}]" in uctlab(*command)[1]


def test_a_stopped_laboratory_does_nothing_more(tmp_path):
    class Stopping:
        def __init__(self):
            self.done = 0

        def run(self, tasks):
            self.done += 1
            yield Batch([(task := next(tasks), task.perform())])
            raise KeyboardInterrupt

    device = Stopping()
    with Store(tmp_path / "store") as store:
        lab = ExperimentContext(Size(2, 5), device, store=store)
        first = [SearchTask("hex:2", "mc", 2, seed) for seed in range(3)]
        assert len(lab.tasks(first)) == 1 and lab.stopped
        assert lab.tasks([SearchTask("hex:2", "mc", 2, 9)]) == {}
        assert len(lab.tasks(first)) == 1  # what is known is still there
        (result,) = lab.matches([MatchPlan("hex:2", "mc", "mc", playouts=2)])
        assert result.score.games == 0 and device.done == 1


def test_seeds_of_a_laboratory():
    labs = [ExperimentContext(Size(1, 1), Cpu(1), seed=seed) for seed in (0, 1)]
    drawn = {lab.derive_seed(i) for lab in labs for i in range(50)}
    assert len(drawn) == 100 and labs[0].derive_seed(3) == ExperimentContext(
        Size(1, 1), Cpu(1)
    ).derive_seed(3)


def test_a_store_finds_searches_by_the_name_they_were_kept_under():
    task = SearchTask("hex:3", "uct", 10, 1)
    assert _key(task).startswith("Choice(game='hex:3'")
