"""The papers' experiments, run with tiny budgets."""

import json
import re
import shutil
import sys
from dataclasses import replace

import pytest

from tests.paper_runs import check_report, read_csv, run, small_go
from uctlab.arena.plan import MatchSettings
from uctlab.arena.player import gtp_command, player_name
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu
from uctlab.games import make_game
from uctlab.papers import (
    browne2013,
    gelly2006,
    hashimoto2012,
    reproduce,
    yoshimoto2007,
)
from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.problems import Problem
from uctlab.papers.registry import EXPERIMENTS
from uctlab.papers.reproduce import STORE
from uctlab.protocol.lifeline import GAME_FOLDERS

IDS = [
    "tour",
    *(f"hashimoto2012-table1-{name}" for name in ("othello", "havannah", "havannah-side-5")),
    *(f"hashimoto2012-table1-{name}" for name in ("othello-base-10", "havannah-base-10", "go")),
    "hashimoto2012-table2",
    *("hashimoto2012-fig1", "hashimoto2012-go"),
    *(f"gelly2006-table{number}" for number in (2, 3, 4)),
    *("gelly2006-threads", "gelly2006-threads-time"),
    "yoshimoto2007",
    *("browne2013", "browne2013-go"),
    *("go-problems", "go-strength", "go-strength-13x13", "league", "auto-decay"),
]
AGAINST_GNU_GO = [name for name in IDS if name.startswith("gelly2006-table")]
HERE = MatchSettings(workers=1)
TINIER = ("--games", 1, "--playouts", 10, "--workers", 1)
pytestmark = pytest.mark.usefixtures("quick")


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
    seconds = {row["id"]: row["full_core_seconds"] for row in rows}
    without, with_rave = seconds["hashimoto2012-table1-go"], seconds["hashimoto2012-table2"]
    assert seconds["hashimoto2012-go"] == pytest.approx(2 * without + with_rave)
    assert "with RAVE and base 10" in EXPERIMENTS["hashimoto2012-go"].title


def unit_of(name):
    single = ("hashimoto2012-fig1", "yoshimoto2007", "browne2013", "browne2013-go", "go-problems")
    return "searches" if name in ("tour", *single) else "games"


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
    assert all(map(make_game, {task.game for task in lab.searches}))
    assert all(map(player_name, {task.agent for task in lab.searches}))


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
    small_go(monkeypatch)
    of_havannah = EXPERIMENTS["hashimoto2012-table1-havannah"]
    table = replace(of_havannah.run.__self__, game="hex:4")
    small = replace(of_havannah, run=table.run, cost=table.cost)
    monkeypatch.setitem(EXPERIMENTS, of_havannah.id, small)
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


@pytest.mark.usefixtures("blank_pictures")
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


@pytest.mark.usefixtures("blank_pictures")
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
    return reproduce.reproduce(experiment, Size(2, 30), tmp_path / "out", HERE, command="test")


@pytest.mark.usefixtures("blank_pictures")
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
    monkeypatch.setattr("uctlab.protocol.lifeline.GAME_FOLDERS", str(tmp_path))
    code, out, err = uctlab("reproduce", "gelly2006-table2", "--out", tmp_path / "out")
    assert code == 2 and out == "" and err.count("\n") == 1
    assert "no program 'gnugo' on PATH" in err and "Debian's package gnugo has it" in err


def test_seconds_of_2006():
    """Table 2 of gelly2006: 20 seconds are the size's playouts, the others in proportion."""
    lab = Plans(EXPERIMENTS["gelly2006-table2"].full)
    with pytest.raises(StopIteration):
        EXPERIMENTS["gelly2006-table2"].run(lab)
    assert [plan.playouts for plan in lab.plans] == [17_500, 70_000, 210_000]
    assert len({(plan.a, plan.b) for plan in lab.plans}) == 1
