"""Reports say which version made them, and which of their figures no later one has repeated."""

import re
import sys
import time
from dataclasses import replace

import pytest

from tests.doc_blocks import DOCS, ROOT
from uctlab import __version__
from uctlab.papers.pages import render_html_body, render_markdown, saved_page
from uctlab.papers.report import Provenance, Report, read_report
from uctlab.papers.reproduce import last_day

sys.path.insert(0, str(DOCS / "tools"))
import reports

FOLDERS = reports.folders()
WITH_DATA = [folder for folder in FOLDERS if (folder / "report.json").exists()]
NEW = f"{__version__} (source 1)"
RENEW = "run: python docs/tools/renew_reports.py"


def origin(*versions):
    return Provenance("uctlab reproduce x", "1 game", 1, versions, ("one",), "2026-11-16", 1.0)


@pytest.mark.parametrize(
    ("versions", "release", "older"),
    [
        (("0.2.0 (source aaaaaaaa)", "0.2.0 (source bbbbbbbb)"), "0.2.0", ()),
        (("0.1.0", "0.2.0 (source aaaaaaaa)"), "0.2.0", ("0.1.0",)),
        (("0.9.0",), "0.10.0", ("0.9.0",)),
        (("0.3.0",), "0.2.0", ()),
    ],
)
def test_which_releases_are_older(versions, release, older):
    assert origin(*versions).older_than(release) == older


def test_a_report_on_games_of_long_ago_is_of_that_day():
    """Not of the day on which `--stored` wrote its pages."""
    days = [{"started": time.mktime((2024, 5, day, 12, 0, 0, 0, 0, -1))} for day in (3, 4)]
    assert last_day(days) == "2024-05-04" and last_day([]) == time.strftime("%Y-%m-%d")


def test_the_heading_of_a_page():
    report = Report("Title", "Source", ("Summary",), (), (), (), origin(NEW))
    line = f"Made by uctlab {__version__} on 2026-11-16."
    for page in (render_markdown(report), render_html_body(report)):
        assert line in page.partition("Summary")[0] and "measured again" not in page
    old = replace(report, provenance=origin("0.1.0 (source 2)", NEW))
    line = (
        f"Made by uctlab 0.1.0 and {__version__} on 2026-11-16. What 0.1.0 measured has not been "
        f"measured again with {__version__} and may be different now."
    )
    assert f"\n**{line}**\n" in render_markdown(old).partition("Summary")[0]
    assert f"<strong>{line}</strong>" in render_html_body(old).partition("Summary")[0]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_kept_report_of_an_older_version_bears_the_line(folder):
    """Also those whose page a person wrote."""
    heading = (folder / "report.md").read_text(encoding="utf-8").split("\n\n", 4)[:4]
    older = origin(*reports.releases_of(folder).split(" and ")).older_than(__version__)
    says = f"measured again with {__version__} and may be different now."
    assert any(part.strip("*").startswith("Made by uctlab ") for part in heading)
    assert any(says in part for part in heading) == bool(older), RENEW


@pytest.mark.parametrize("folder", WITH_DATA, ids=lambda folder: folder.name)
def test_kept_pages_are_those_of_the_data(folder):
    report = read_report(folder / "report.json")
    assert (folder / "report.md").read_text(encoding="utf-8") == render_markdown(report), RENEW
    assert report.provenance.made_by(__version__) in saved_page(folder)


def test_parts_on_other_pages_bear_it_too():
    name = "hashimoto2012-table1-othello"
    made_by = read_report(reports.RESULTS / name / "report.json").provenance.made_by
    for part in (reports.beside(name), reports.summary(name), reports.figure(name, "figure")):
        assert part.endswith(f"\n\n*{made_by(__version__)}*") and "0.1.0" in part
    assert "Made by" not in reports.beside("browne2013")  # of this version
    assert f"({name}/report.md), by uctlab 0.1.0\n" in reports.all_reports()


def test_the_readme_names_the_version_of_an_older_report():
    """In the paragraph that has its figure or links to it, or in the next one."""
    paragraphs = (ROOT / "README.md").read_text(encoding="utf-8").split("\n\n")
    for number, paragraph in enumerate(paragraphs):
        for name in re.findall(r"\]\(results/([^/)]+)/", paragraph):
            for release in reports.releases_of(reports.RESULTS / name).split(" and "):
                if release != __version__:
                    assert release in "".join(paragraphs[number : number + 2]), name
