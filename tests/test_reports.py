"""The pages of reports: all the numbers, the same bytes every time, clear mistakes."""

import base64
import csv
import errno
import json
import math
import os
import re
from pathlib import Path
from unittest.mock import ANY
from xml.etree import ElementTree

import matplotlib
import matplotlib.figure
import matplotlib.style
import numpy as np
import pytest

from uctlab.drawing.style import STYLE
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.papers import figures, search_figures
from uctlab.papers.figures import Panel
from uctlab.papers.pages import write_report
from uctlab.papers.report import Figure, Percent, Provenance, Report, Table, read_report

NASTY = 'a|b *c* _d_ <e> & "f" `g` $h$'


def draw_curves(canvas):
    published = {k: Percent.within(40 + 5 * k, 3.2) for k in (1, 2, 3)}
    ours = {k: Percent.within(41 + 5 * k, 3.2) for k in (1, 3)}
    figures.winning_curves(canvas, [Panel("Accelerated UCT", published, ours)], title="Othello")


def make_report(**changes):
    table = Table(
        "othello",
        "Othello: Accelerated & plain",
        ("k", "published", "ours", "overlap", "games", "seconds", NASTY),
        (
            (
                1,
                Percent(39.2, 36.1, 42.3),
                Percent(100 / 3, 30.0, 37.5),
                True,
                1024,
                0.1 + 0.2,
                NASTY,
            ),
            (2, Percent(52.5), None, False, 12_345, 65_432.1, None),
        ),
    )
    figure = Figure("curves", f"Win rates of {NASTY}", draw_curves)
    parts = {
        "title": f"Table 1 {NASTY}",
        "source": "Hashimoto et al. 2012",
        "summary": ("All agree.", NASTY),
        "tables": (table,),
        "figures": (figure,),
        "notes": (f"note {NASTY}",),
        "provenance": Provenance(
            command="uctlab reproduce x --only 'a_b*|c' <in",
            budget="2 games",
            seed=7,
            versions=("0.1.0", "0.2.0"),
            machines=("a machine",),
            date="2026-11-16",
            seconds=1234.5,
        ),
    }
    return Report(**(parts | changes))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "deep" / "er"
    assert write_report(make_report(), path) == path / "report.md"
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_files_of_a_report(folder):
    assert set(files(folder)) == {
        "report.json", "report.md", "report.html", "othello.csv", "curves.svg", "curves.png"
    }  # fmt: skip


def test_a_board_is_one_svg_in_its_own_size(tmp_path):
    position = Position.start(make_game("hex:3").interpreted()).play("b2")
    figure = search_figures.board("position", "A board", position, shares={"a1": 0.25, "c3": 0.75})
    report = make_report(figures=(figure,))
    write_report(report, tmp_path)
    assert (tmp_path / "position.svg").read_text() == figure.svg and ">75<" in figure.svg
    assert not (tmp_path / "position.png").exists()
    saved = read_report(tmp_path / "report.json")
    assert saved == report and saved.figures[0].board
    page = (tmp_path / "report.html").read_bytes()
    assert b'class="scroll board"' in page
    write_report(saved, tmp_path)
    assert (tmp_path / "report.html").read_bytes() == page


def test_the_same_numbers_give_the_same_bytes(folder, tmp_path):
    with matplotlib.rc_context({"font.size": 20, "svg.hashsalt": "mine", "figure.dpi": 55}):
        write_report(make_report(), tmp_path)
    assert files(tmp_path) == files(folder)
    assert matplotlib.rcParams["svg.hashsalt"] != STYLE["svg.hashsalt"]  # left as it was
    for image in (files(folder)["curves.svg"], files(folder)["curves.png"]):
        assert b"atplotlib" not in image.replace(b"matplotlib.axis", b"")
        assert b"<dc:date>" not in image


def test_csv_has_all_digits(folder):
    with (folder / "othello.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert float(first["ours"]) == 100 / 3 and float(first["ours high"]) == 37.5
    assert float(first["seconds"]) == 0.1 + 0.2
    assert (first["overlap"], second["overlap"]) == ("true", "false")
    assert first[NASTY] == NASTY and second[NASTY] == ""
    assert (second["published"], second["published low"]) == ("52.5", "")
    assert (second["ours"], second["ours low"], second["games"]) == ("", "", "12345")


def test_csv_of_an_empty_table(tmp_path):
    table = Table("none", "Nothing yet", ("k", "ours"), ())
    write_report(make_report(tables=(table,), figures=()), tmp_path)
    assert (tmp_path / "none.csv").read_text() == "k,ours\n"


def test_markdown_shows_numbers_and_escapes_the_rest(folder):
    page = (folder / "report.md").read_text(encoding="utf-8")
    lines = page.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| k |"))
    assert lines[start + 1] == "| ---: | ---: | ---: | --- | ---: | ---: | --- |"
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", lines[start + 2])[1:-1]]
    assert cells[:6] == ["1", "39.2 ± 3.1 %", "33.3 % (30.0 to 37.5)", "yes", "1,024", "0.3"]
    assert cells[6] == r'a\|b \*c\* \_d\_ \<e\> \& "f" \`g\` \$h\$'
    assert lines[start + 3].startswith("| 2 | 52.5 % |  | no | 12,345 | 65,432 |  |")
    caption = re.escape(r'Win rates of a\|b \*c\* \_d\_ \<e\> \& "f" \`g\` \$h\$')
    assert re.search(rf"!\[{caption}\]\(curves\.svg\)", page)
    assert "command  uctlab reproduce x --only 'a_b*|c' <in\n" in page  # to be copied as it is


def test_html_is_one_well_formed_page(folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    root = ElementTree.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
    assert root.findtext(".//h1") == f"Table 1 {NASTY}"
    rows = [["".join(cell.itertext()) for cell in row] for row in root.findall(".//tbody/tr")]
    assert rows[0][:4] == ["1", "39.2 ± 3.1 %", "33.3 % (30.0 to 37.5)", "yes"]
    assert rows[0][6] == NASTY and rows[1][2] == "" and rows[1][3] == "no"
    assert rows[2] == ["command", "uctlab reproduce x --only 'a_b*|c' <in"]
    kinds = [cell.get("class") for cell in root.find(".//tbody/tr")]
    assert kinds == ["number", "number", "number", None, "number", "number", None]
    image = root.find(".//img")
    assert image.get("alt") == f"Win rates of {NASTY}" == root.findtext(".//figcaption")
    kind, data = image.get("src").split(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data) == (folder / "curves.svg").read_bytes()
    assert not root.findall(".//script") and not root.findall(".//link")
    assert not re.search(r"https?:|url\(|@import", page)
    assert "prefers-color-scheme: dark" in page and "width=device-width" in page


def test_json_is_the_whole_report(folder):
    text = (folder / "report.json").read_text(encoding="utf-8")
    assert read_report(folder / "report.json") == make_report()
    facts = json.loads(text)
    assert facts["version"] == 1 and facts["provenance"]["seed"] == 7
    first, second = facts["tables"][0]["rows"]
    assert first[:4] == [1, {"value": 39.2, "low": 36.1, "high": 42.3}, ANY, True]
    assert second[1:3] == [{"value": 52.5, "low": None, "high": None}, None]


def test_numbers_that_json_lacks(tmp_path):
    row = (np.int64(3), np.float64(0.5), np.bool_(True), math.inf)
    table = Table("odd", "Odd numbers", ("a", "b", "c", "d"), (row,))
    write_report(make_report(tables=(table,), figures=()), tmp_path)
    (saved,) = read_report(tmp_path / "report.json").tables[0].rows
    assert saved == (3, 0.5, True, "inf") and "| 3 | 0.5 | yes | inf |" in (
        tmp_path / "report.md"
    ).read_text(encoding="utf-8")


def test_pages_are_made_anew_from_json(folder, tmp_path):
    for name in ("report.json", "curves.svg", "curves.png"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    write_report(read_report(tmp_path / "report.json"), tmp_path)
    assert files(tmp_path) == files(folder)


def test_a_file_that_is_no_report(tmp_path):
    path = tmp_path / "report.json"
    for text, reason in (
        (None, "cannot read the report"),
        ("{", "is not a report"),
        ("[]", "is not a report"),
        ('{"version": 1}', "'tables' is missing"),
        ('{"version": 2}', "this uctlab reads version 1"),
    ):
        if text is not None:
            path.write_text(text)
        with pytest.raises(UsageError, match=reason):
            read_report(path)


def test_svg_is_xml_with_the_caption_as_title(folder):
    root = ElementTree.parse(folder / "curves.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{name}svg" and root.findtext(f"{name}title") == f"Win rates of {NASTY}"


def test_shares_print_their_interval_and_compare():
    assert str(Percent.within(56.3, 3.2)) == "56.3 ± 3.2 %"
    assert str(Percent.within(1.0, 3.0)) == "1.0 % (0.0 to 4.0)"
    assert str(Percent(28.2, 25.5, 31.05)) == "28.2 ± 2.8 %"
    assert Percent.within(50, 2).overlaps(Percent.within(53, 1))
    assert not Percent.within(50, 2).overlaps(Percent.within(54, 1.5))
    assert Percent(50).overlaps(Percent.within(51, 1)) and not Percent(50).overlaps(Percent(50.1))
    with pytest.raises(ValueError, match="two ends"):
        Percent(50, low=40)


# Mistakes


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    for bad in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match=f"folder {re.escape(str(bad))}: "):
            write_report(make_report(figures=()), bad)


def test_a_full_disk_leaves_the_old_report(tmp_path, monkeypatch):
    write_report(make_report(figures=()), tmp_path)
    before = files(tmp_path)

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write_report(make_report(figures=(), title="new"), tmp_path)
    assert files(tmp_path) == before


def test_parts_that_do_not_fit():
    with pytest.raises(ValueError, match="does not fit"):
        Table("t", "T", ("a", "b"), ((1,),))
    table = Table("t", "T", ("a",), ())
    with pytest.raises(ValueError, match="share a file name"):
        make_report(tables=(table, table))


@pytest.mark.parametrize("name", ["../escape", "/tmp/x", "", ".hidden", "a/b"])
def test_names_that_lead_elsewhere(name):
    table = Table(name, "title", ("a",), ((1,),))
    with pytest.raises(UsageError, match="a table or figure cannot be named"):
        make_report(figures=(), tables=(table,))
