"""reproduce: an experiment's report as an object."""

import tempfile

import matplotlib as mpl
import pytest

from uctlab.api.reproductions import STOPPED, reproduce
from uctlab.errors import UsageError
from uctlab.papers.registry import EXPERIMENTS
from uctlab.papers.report import read_report

ID = "hashimoto2012-fig1"
SMALL = {"games": 2, "playouts": 60, "workers": 1, "progress": False}


@pytest.fixture(scope="module")
def reported(tmp_path_factory):
    """A report, and what the call has left in the current and the temporary folder."""
    here, temporary = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(temporary))
        patch.chdir(here)
        report = reproduce(ID, **SMALL)
    return report, [*here.iterdir(), *temporary.iterdir()]


@pytest.fixture(scope="module")
def report(reported):
    return reported[0]


def test_the_report(report):
    assert report.title == EXPERIMENTS[ID].title and str(report).startswith(report.title)
    assert report.provenance.command == f"uctlab.reproduce({ID!r}, games=2, playouts=60)"
    html = report._repr_html_()
    assert html.startswith("<h1>") and html.count("<img") == len(report.figures)
    assert all(table.title in html for table in report.tables)


def test_its_tables_as_frames(report):
    pytest.importorskip("pandas")
    frames = report.to_frames()
    assert list(frames) == [table.name for table in report.tables]
    first = report.tables[0]
    assert list(report.to_frame().columns) == list(first.columns)
    assert len(report.to_frame(first.name)) == len(first.rows)
    with pytest.raises(UsageError, match=f"no table 'nothing'; it has: {first.name}"):
        report.to_frame("nothing")


def test_its_figures_drawn(report):
    mpl.use("agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    axes = report.plot(report.figures[1].name)
    assert axes and tuple(axes[0].figure.get_size_inches()) == report.figures[1].size
    plt.close("all")


@pytest.mark.usefixtures("blank_pictures")
def test_it_writes_only_where_it_is_told(reported, tmp_path):
    report, left = reported
    assert not left
    kept = reproduce(EXPERIMENTS[ID], **SMALL, out=tmp_path / "results")
    assert kept.tables == report.tables
    (folder,) = (tmp_path / "results").iterdir()
    assert folder.name == f"{ID}-2x60"
    saved = read_report(folder / "report.json")
    assert saved.tables == kept.tables
    assert "<img" not in saved._repr_html_()
    with pytest.raises(UsageError, match="is a picture in a file"):
        saved.plot()


@pytest.mark.usefixtures("blank_pictures")
def test_ctrl_c_leaves_a_report_that_says_so():
    def stop(finished, *_):
        if finished:
            raise KeyboardInterrupt

    report = reproduce(ID, **SMALL | {"progress": stop})
    assert report.notes[-1] == STOPPED


MISTAKES = [
    ((3,), {}, "an experiment is an id such as 'hashimoto2012-fig1'"),
    (("nothing",), {}, "unknown experiment 'nothing'; known: tour"),
    (("tur",), {}, "unknown experiment 'tur'; did you mean tour?"),
    ((ID,), {"games": 0}, "games must be a whole number, at least 1, not 0"),
    ((ID,), {"full": "yes"}, "full must be True or False, not 'yes'"),
    ((ID,), {"cells": {"x": 1}}, "has no cell 'x'; cells: none"),
    ((ID,), {"out": 3}, "out must be a path or None, not a int"),
    ((ID,), {"device": "tpu"}, "unknown device 'tpu'"),
]


@pytest.mark.parametrize(("given", "options", "says"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_mistakes_are_told_in_one_line(given, options, says):
    with pytest.raises(UsageError, match=says):
        reproduce(*given, **options)


def test_a_file_with_several_experiments(tmp_path):
    path = tmp_path / "two_experiments.py"
    path.write_text(
        "from uctlab.papers.registry import EXPERIMENTS as ALL\n"
        "EXPERIMENTS = list(ALL.values())[:2]\n"
    )
    with pytest.raises(UsageError, match=r"has 2 experiments .*; give one of its EXPERIMENTS"):
        reproduce(str(path))
