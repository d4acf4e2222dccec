"""Results as people look at them: frames, plots, HTML."""

import math
import sys
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from tests.matches import WEAK
from uctlab.api.matches import match, sweep, tournament
from uctlab.arena.plan import MatchPlan
from uctlab.arena.result import summarise
from uctlab.drawing import html as markup
from uctlab.errors import UsageError

HERE = {"workers": 1, "progress": False, "playouts": 40}


@pytest.fixture(scope="module")
def played():
    return match("hex:3", "uct", WEAK, games=6, **HERE)


@pytest.fixture(scope="module")
def table():
    return tournament("hex:3", ["uct", WEAK, "uct(c=30)"], games=2, **HERE)


@pytest.fixture(scope="module")
def swept():
    return sweep("hex:3", WEAK, {"c": [0.5, 2], "expand": [1, 9]}, agent="uct", games=2, **HERE)


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    """Figures are drawn in memory, and none is left open."""
    mpl.use("agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    yield
    plt.close("all")


def cells(html):
    """The rows of the first table, as text."""
    tree = ElementTree.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in tree.find("table").iter("tr")]


def test_a_match_as_a_frame(played):
    pandas = pytest.importorskip("pandas")
    (row,) = played.to_frame().to_dict("records")
    assert (row["game"], row["a"], row["b"]) == ("hex:3", "uct", WEAK)
    assert row["games"] == 6 and row["score"] == played.score.percent
    assert (row["score_low"], row["score_high"]) == played.score.wilson
    assert row["elo"] == played.elo
    games = played.games_frame()
    assert isinstance(games, pandas.DataFrame) and len(games) == 6
    assert list(games["score"]) == [record.score for record in played.records]


def test_a_tournament_as_a_frame(table):
    pytest.importorskip("pandas")
    frame = table.to_frame()
    assert list(frame["player"]) == [rating.name for rating in table.ratings]
    best, second = frame["player"][:2]
    points = table.points()[table.players.index(best)][table.players.index(second)]
    assert frame[second][0] == points and math.isnan(frame[best][0])


def test_a_sweep_as_a_frame(swept):
    pytest.importorskip("pandas")
    frame = swept.to_frame()
    assert list(frame["c"]) == [0.5, 0.5, 2, 2] and list(frame["expand"]) == [1, 9, 1, 9]
    assert list(frame["score"]) == [row.result.score.percent for row in swept.rows]
    assert set(frame["games"]) == {2} and set(frame["verdict"]) == {""}


def test_frames_without_pandas(played, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"to_frame needs pandas: pip install 'uctlab\[frames\]'"):
        played.to_frame()


def test_a_match_in_html(played):
    head, first, second, both = cells(played._repr_html_())
    assert head == ["", "games", "won", "drawn", "lost", "A scores", "95 % interval"]
    low, high = played.score.wilson
    score = played.score
    assert both[1:5] == [str(n) for n in (6, score.wins, score.draws, score.losses)]
    assert both[5:] == [f"{score.percent:.1f} %", f"{low:.1f} to {high:.1f} %"]
    assert [row[0] for row in (first, second, both)] == ["A first", "A second", "all"]
    assert "Elo" in played._repr_html_() and WEAK in played._repr_html_()


def test_a_match_without_games():
    nothing = summarise(MatchPlan("hex:3", "uct", "mc", playouts=5), [], wanted=2, seconds=0.0)
    assert "no game was finished" in nothing._repr_html_()
    assert cells(nothing._repr_html_())[-1] == ["all", "0", "0", "0", "0", "", ""]
    with pytest.raises(UsageError, match="there is no finished game to draw"):
        nothing.plot()


def test_a_tournament_in_html(table):
    head, *rows = cells(table._repr_html_())
    assert head[:3] == ["", "player", "Elo"] and head[-3:] == ["1", "2", "3"]
    assert [row[1] for row in rows] == [rating.name for rating in table.ratings]
    assert rows[0][6] == "" and " of 2: " in rows[0][7] and " to " in rows[0][7]


def test_a_sweep_in_html(swept):
    head, *rows = cells(swept._repr_html_())
    assert head == ["c", "expand", "games", "score", "95 %", "Elo", "95 %", "LOS"]
    assert [row[:3] for row in rows][:2] == [["0.5", "1", "2"], ["0.5", "9", "2"]]


def test_html_is_escaped():
    html = markup.table(["<a>"], [["<b>&"]], caption="<c>")
    assert cells(html) == [["<a>"], ["<b>&"]] and "<c>" not in html


def test_a_match_drawn(played):
    axes = played.plot()
    (line,) = [one for one in axes.lines if one.get_label() == "score"]
    assert list(line.get_xdata()) == [1, 2, 3, 4, 5, 6]
    assert line.get_ydata()[-1] == pytest.approx(played.score.percent)
    assert axes.get_title(loc="left") == f"hex:3: uct against {WEAK}"


def test_drawing_leaves_a_notebooks_backend_on(played, monkeypatch):
    """It is loaded with the first figure, and shows figures only while it is interactive."""
    import matplotlib.pyplot as plt  # noqa: PLC0415

    def first_figure(*args, make=plt.figure, **options):
        mpl.interactive(True)
        return make(*args, **options)

    monkeypatch.setattr(plt, "figure", first_figure)
    assert not mpl.is_interactive()
    played.plot()
    assert mpl.is_interactive()
    mpl.interactive(False)


def test_a_tournament_drawn(table):
    axes = table.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == [r.name for r in table.ratings]


def test_a_sweep_drawn_on_given_axes(swept):
    import matplotlib.pyplot as plt  # noqa: PLC0415

    _, given = plt.subplots()
    assert swept.plot(ax=given) is given
    labels = given.get_legend_handles_labels()[1]
    assert labels == ["expand = 1", "expand = 9"] and given.get_xlabel() == "c"


def test_a_sweep_of_words_drawn():
    found = sweep("hex:3", WEAK, {"final": ["visits", "value"]}, agent="uct", games=1, **HERE)
    axes = found.plot()
    assert [label.get_text() for label in axes.get_xticklabels()] == ["visits", "value"]
    assert axes.get_legend() is None
