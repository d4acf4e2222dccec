"""The tour of `make run`: its page, and sentences that say what the numbers say."""

import json
import re
from itertools import pairwise

import pytest

from tests.paper_runs import TINY, check_report
from uctlab.arena.search_task import SearchTask
from uctlab.arena.statistics import Score
from uctlab.devices.cpu import Cpu
from uctlab.papers import browne2013, tour_hex, tour_othello, tour_tree
from uctlab.papers.measured import Difference
from uctlab.papers.pages import write_report
from uctlab.papers.report import Percent, read_report

pytestmark = pytest.mark.usefixtures("quick")
PLAYERS = ("UCT", "UCT_rh")  # other tests have compiled these


@pytest.fixture
def few_players(monkeypatch):
    names = {name: tour_hex.NAMES[name] for name in PLAYERS}
    monkeypatch.setattr(tour_hex, "NAMES", names)


def share(wins, games=50):
    return Percent.of(Score(wins, 0, games - wins))


# The page


@pytest.mark.usefixtures("few_players")
def test_one_page_with_everything(uctlab, tmp_path, monkeypatch):
    command = ("reproduce", "tour", *TINY, "--out", tmp_path)
    code, out, err = uctlab(*command)
    assert code == 0, err
    folder = tmp_path / "tour-2x20"
    path = folder / "report.html"
    assert out.splitlines()[-2:] == [f"page: {path}", f"in a browser: {path.as_uri()}"]
    assert "kept" not in out
    check_report(folder, ["39.2 ± 3.1 %", "52.5 ± 3.2 %"])
    page = path.read_text()
    assert not re.search(r"https?:", page) and page.count("<img ") == 3
    assert "compiling included" in page and "uctlab is a laboratory" in page
    order = [page.index(f"<h2>{title}</h2>") for title in _titles(folder)]
    order += [page.index(f"<h2>{title}</h2>") for title in ("Notes", "What to try next")]
    assert order == sorted(order)
    for left, right in pairwise(order[:4]):  # each figure is between its own sentences
        part = page[left:right]
        assert part.index("<p>") < part.index("<img ") < part.index('class="seen"')
        assert re.search(r"In full: <code>uctlab reproduce \S+ --full</code>", part)

    # A second run has nothing to do and says so.
    monkeypatch.setattr(Cpu, "run", _refuse)
    code, out, _ = uctlab(*command)
    assert code == 0 and re.search(r"^results kept from earlier: \d+; new: 0$", out, re.MULTILINE)
    assert out.splitlines()[-2] == f"page: {path}"


def _titles(folder):
    return [part["title"] for part in json.loads((folder / "report.json").read_text())["sections"]]


def _refuse(self, tasks):
    for task in tasks:
        pytest.fail(f"{task} is done again")
        yield


@pytest.mark.usefixtures("few_players", "blank_pictures")
def test_stopped_after_the_first_result(uctlab, tmp_path, monkeypatch):
    run = Cpu.run

    def stop(self, tasks):
        yield next(run(self, tasks))
        raise KeyboardInterrupt

    monkeypatch.setattr(Cpu, "run", stop)
    code, out, err = uctlab("reproduce", "tour", *TINY, "--out", tmp_path)
    assert code == 0, err
    assert "Incomplete" in out and out.count("Nothing is finished yet.") == 3
    page = (tmp_path / "tour-2x20" / "report.html").read_text()
    assert "<img " not in page


@pytest.mark.usefixtures("few_players", "blank_pictures")
def test_its_file_has_the_sections(uctlab, tmp_path):
    assert uctlab("reproduce", "tour", *TINY, "--out", tmp_path)[0] == 0
    folder = tmp_path / "tour-2x20"
    report = read_report(folder / "report.json")
    assert [part.figure for part in report.sections] == ["tree", "hex", "othello"]
    assert len(report.next_steps) == 5 and not report.other_figures
    before = {name: (folder / name).read_bytes() for name in ("report.html", "report.md")}
    write_report(report, folder)
    assert before == {name: (folder / name).read_bytes() for name in before}


# What it says


def test_an_interval_of_a_difference():
    """The first example of Newcombe (1998), method 10: 56 of 70 against 48 of 80."""
    found = Difference.of(share(56, 70), share(48, 80))
    assert (found.low, found.high) == pytest.approx((5.24, 33.39), abs=0.01)
    assert found.sign == 1 and Difference.of(share(48, 80), share(56, 70)).sign == -1
    assert Difference.of(share(5), share(5)).sign == 0


def test_the_tree():
    turns = {
        "uct": [500] * 20,
        "auct(k=1)": [200] * 20,
        "auct(k=2)": [500] * 20,
        "duct(k=1)": [None] * 20,
        "duct(k=2)": [600] * 20,
    }
    conclusion, numbers, _ = tour_tree.tell(turns, 1000)
    assert conclusion == (
        "Forgetting can help: the winning move is found sooner than by plain UCT by Accelerated "
        "UCT with k = 1; later, or never: Discounted UCT with k = 1 and Discounted UCT with k = 2."
    )
    told = numbers.split(". ")
    assert told[0] == "Plain UCT turns to C at playout 500 in the median"
    assert told[1].endswith("at playout 200 in the median, sooner than plain UCT in 20 of 20 "
                            "pairs of searches")  # fmt: skip
    assert told[2].endswith("in 0 of 20 pairs of searches, which does not tell the two apart")
    assert told[3].endswith("does not turn to C within 1,000 playouts in 20 of 20 searches, later "
                            "than plain UCT in 20 of 20 pairs of searches")  # fmt: skip
    assert "playout 600 in the median, later than plain UCT in 20 of 20" in told[4]
    same = tour_tree.tell({"uct": [500] * 20, "auct(k=1)": [500] * 20}, 1000)[0]
    assert same == "Forgetting does not help in this run: no agent is sooner than plain UCT."


def test_the_hex_problem():
    shares = {
        "UCT": {1000: share(2), 2000: share(15)},
        "AUCT k=4": {1000: share(2), 2000: share(17)},
        "DUCT k=4": {1000: share(3), 2000: share(48)},
        "UCT_rh": {1000: share(50)},
    }
    conclusion, numbers, _ = tour_hex.tell(shares)
    assert conclusion == (
        "With 2,000 playouts plain UCT still misses the win in 70 % of its searches; with no more "
        "than these it is found more often by Discounted UCT with k = 4 and UCT with RAVE and "
        "bridges."
    )
    told = numbers.split(". ")
    assert (
        told[0] == "Plain UCT chooses the winning move in 30 % of its searches with 2,000 playouts"
    )
    assert told[1].endswith("does not tell apart from plain UCT with as many (30 %)")
    assert "96 %" in told[2] and "more often than plain UCT with as many (30 %)" in told[2]
    assert "in half of them from 1,400 playouts on" in told[2]
    assert "100 %" in told[3] and "more often than plain UCT with as many (4 %)" in told[3]
    none, worse, _ = tour_hex.tell({"UCT": {1000: share(48)}, "DUCT k=4": {1000: share(15)}})
    assert none.endswith("4 % of its searches; no other player finds it more often in this run.")
    assert "30 % of its searches with 1,000 playouts, less often than plain UCT" in worse


LESS = "Accelerated UCT loses far less by forgetting than Discounted UCT, with k = 1."
NOT = "This run does not show that Accelerated UCT loses less by forgetting."


@pytest.mark.parametrize(
    ("accelerated", "discounted", "conclusion", "verdict"),
    [
        (45, 1, LESS, "which tells them apart"),
        (45, 44, NOT, "which does not tell them apart"),
        (1, 45, NOT, "which tells them apart, unlike in the paper in favour of Discounted UCT"),
    ],
)
def test_othello(monkeypatch, accelerated, discounted, conclusion, verdict):
    scores = {"Accelerated": share(accelerated, 100), "Discounted": share(discounted, 100)}
    monkeypatch.setattr(tour_othello, "group_of", lambda played, group: {"1": scores[group]})
    published = {"Accelerated": {"1": Percent(39.2)}, "Discounted": {"1": Percent(0.0)}}
    monkeypatch.setattr(tour_othello, "published_of", lambda played, group: published[group])
    told, numbers = tour_othello.tell([])
    assert told == conclusion
    assert numbers.startswith(
        f"With k = 1 Accelerated UCT scores {accelerated}.0 % and Discounted UCT {discounted}.0 % "
        f"(published: 39.2 and 0.0 %), {verdict} (95 % interval of the difference: "
    )


# The searches


def test_a_watched_search_is_a_search():
    """After each number of playouts it prefers what a search of that many chooses."""
    agent = browne2013.PLAYERS["UCT"][0]
    chosen = tour_hex.Watched(agent, (50, 200, 1000), seed=5).perform()
    assert chosen == [
        SearchTask(browne2013.GAME, agent, budget, 5, diagram=browne2013.POSITION).perform()
        for budget in (50, 200, 1000)
    ]
