"""Reports and their figures: all the numbers, nothing cut off, the same bytes every time."""

import base64
import csv
import errno
import itertools
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
from matplotlib.colors import to_hex
from matplotlib.text import Text

from uctlab.drawing.style import STYLE
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.papers import figures
from uctlab.papers.drawing import spread
from uctlab.papers.figures import Panel
from uctlab.papers.pages import write_report
from uctlab.papers.report import Figure, Percent, Provenance, Report, Table, read_report

# Hashimoto et al. 2012, table 1, Othello.
ACCELERATED = (39.2, 52.5, 56.3, 52.7, 51.3, 47.4, 48.2)
DISCOUNTED = (0.0, 1.3, 28.0, 47.5, 49.0, 49.2, 48.2)
EPOCHS = [1000 * 2**e for e in range(11)]
NASTY = 'a|b *c* _d_ <e> & "f" `g` $h$'


def by_k(values, margin=3.2):
    return {k: Percent.within(value, margin) for k, value in enumerate(values, 1)}


def panels():
    ours = by_k([value + 1 for value in DISCOUNTED])
    del ours[5]
    return [
        Panel("Accelerated UCT", by_k(ACCELERATED), by_k([value - 1 for value in ACCELERATED])),
        Panel("Discounted UCT", by_k(DISCOUNTED), ours),
    ]


def draw_curves(canvas):
    figures.winning_curves(canvas, panels(), title="Othello: decays against plain UCT")


def draw_bars(canvas):
    names = ("0.05", "0.55", "0.80", "1.0", "1.1", "1.2", "1.4", "3.0", "6.0")
    published = {name: Percent.within(5 + 5 * i, 4.4) for i, name in enumerate(names)}
    ours = {name: Percent.within(8 + 5 * i, 3.1) for i, name in enumerate(names[:-1])}
    figures.winning_bars(
        canvas, published, ours, title="Weights", axis="p, weight of exploration", opponent="GNU Go"
    )


TURNS = {
    "uct": [200_000 + 5_000 * i for i in range(100)],
    "auct(k=2)": [3_000 + 70 * i for i in range(100)],
    "duct(k=1)": [*range(30_000, 60_000, 1_000), *[None] * 70],
    "rave(k=100,playout=bridge)": [0, *[900 + 9 * i for i in range(98)], None],
}


def draw_turns(canvas):
    figures.turning_points(canvas, TURNS, horizon=1_000_000, title="When agents leave the trap")


TRUTH = dict.fromkeys("abcdefghijklmnopqr", "loses") | {"e": "wins", "c": "delays", "g": "delays"}
SHARES = [{"d": 100 - 10 * e, "e": 8.0 * e, "c": 2.0 * e} for e in range(11)]


def draw_choices(canvas):
    figures.choice_shares(canvas, EPOCHS, SHARES, title="What UCT chooses", truth=TRUTH)


def success_curves():
    ends = {"MC": 0, "MC_h": 0.2, "UCB": 0, "UCB_h": 0.1, "UCT": 92, "UCT_r": 90, "UCT_h": 99.5}
    ends["UCT with RAVE and heavy playouts"] = 100
    return {
        name: {x: Percent(end * (i + 1) / 11, 0, 100) for i, x in enumerate(EPOCHS)}
        for name, end in ends.items()
    }


def draw_success(canvas):
    figures.success_by_epoch(canvas, success_curves(), title="Share of searches that find e")


DRAWINGS = [draw_curves, draw_bars, draw_turns, draw_choices, draw_success]


@pytest.fixture(params=DRAWINGS, ids=lambda draw: draw.__name__)
def any_canvas(request):
    return drawn(request.param)


def drawn(draw):
    with matplotlib.style.context(["default", STYLE]):
        canvas = matplotlib.figure.Figure(figsize=(7.2, 4.2), layout="constrained")
        draw(canvas)
        canvas.draw_without_rendering()
    return canvas


def texts(canvas):
    """All text that is seen; ticks outside the limits of their axis are not."""
    hidden = set()
    for axes in canvas.axes:
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                seen = min(limits) <= tick.get_loc() <= max(limits)
                hidden |= set() if seen else {tick.label1, tick.label2}
    found = canvas.findobj(Text)
    return [t for t in found if t.get_visible() and t.get_text().strip() and t not in hidden]


def words(canvas):
    return [text.get_text() for text in texts(canvas)]


# The figures


def test_no_text_is_cut_off_or_covers_another(any_canvas):
    # Of the text alone, without the line that leads to it.
    boxes = {text: Text.get_window_extent(text) for text in texts(any_canvas)}
    assert len(boxes) > 10
    page = any_canvas.bbox
    for text, box in boxes.items():
        inside = page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
        assert inside, f"{text.get_text()} is cut off"
    for one, other in itertools.combinations(boxes, 2):
        across = min(boxes[one].x1, boxes[other].x1) - max(boxes[one].x0, boxes[other].x0)
        along = min(boxes[one].y1, boxes[other].y1) - max(boxes[one].y0, boxes[other].y0)
        # A text's box has room above and below its letters.
        assert across <= 0 or along <= 4, f"{one.get_text()} and {other.get_text()} overlap"


def test_long_titles_are_wrapped():
    title = "Forgetting helps Accelerated UCT a little and ruins Discounted UCT " * 3
    canvas = drawn(lambda canvas: figures.winning_curves(canvas, panels(), title=title))
    assert canvas.legends[0].get_window_extent().x1 <= canvas.bbox.x1


def test_curves_show_every_cell_and_leave_out_the_missing_one():
    canvas = drawn(draw_curves)
    assert [axes.get_title("left") for axes in canvas.axes] == ["Accelerated UCT", "Discounted UCT"]
    for axes, panel in zip(canvas.axes, panels(), strict=True):
        lines = [container.lines[0] for container in axes.containers]
        for line, points in zip(lines, (panel.published, panel.ours), strict=True):
            marks = {
                round(x): y
                for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
                if not math.isnan(y)
            }
            assert marks == {k: share.value for k, share in points.items()}
        published, ours = lines
        assert to_hex(published.get_markerfacecolor()) == "#ffffff" and published.is_dashed()
        assert to_hex(ours.get_markerfacecolor()) == figures.BLUE.lower() and not ours.is_dashed()
        assert list(axes.get_xticks()) == [1, 2, 3, 4, 5, 6, 7]
        assert axes.get_ylim() == (0, 100)
    assert {"published", "ours"} <= set(words(canvas))


def test_intervals_are_drawn_from_end_to_end():
    share = Percent(10.0, 7.0, 18.0)
    panel = Panel("A", {}, {3: share})
    canvas = drawn(lambda canvas: figures.winning_curves(canvas, [panel], title="One cell"))
    (bars,) = canvas.axes[0].containers[0].lines[2]
    ((low, high),) = [segment[:, 1] for segment in bars.get_segments()]
    assert (low, high) == pytest.approx((7.0, 18.0))


def test_bars_carry_their_values():
    canvas = drawn(draw_bars)
    published, ours = [c for c in canvas.axes[0].containers if hasattr(c, "patches")]
    assert [bar.get_height() for bar in published] == [5 + 5 * i for i in range(9)]
    assert [bar.get_height() for bar in ours] == [8 + 5 * i for i in range(8)]
    assert {to_hex(bar.get_facecolor()) for bar in published} == {"#ffffff"}
    assert {"5.0", "8.0", "45.0", "43.0", "6.0"} <= set(words(canvas))


def test_turning_points_show_each_search_and_those_that_never_turn():
    canvas = drawn(draw_turns)
    (axes,) = canvas.axes
    strips = [strip.get_offsets() for strip in axes.collections]
    assert [len(strip) for strip in strips] == [100] * 4
    assert [sum(strip[:, 0] > 1_000_000) for strip in strips] == [0, 0, 70, 1]
    right = axes.get_xlim()[1]
    assert all(strip[:, 0].max() < right for strip in strips)
    shown = words(canvas)
    assert {*TURNS, "70 of 100 (70.0 %)", "1 of 100 (1.0 %)", "none", "never"} <= set(shown)
    assert "445,000" in shown  # the median of uct: half of the searches need no more


def test_turning_points_when_nothing_turns():
    rows = {"uct": [None] * 5, "mc": [None]}
    canvas = drawn(lambda c: figures.turning_points(c, rows, horizon=1000, title="Nothing"))
    assert {"5 of 5 (100.0 %)", "1 of 1 (100.0 %)"} <= set(words(canvas))


def test_choices_are_as_high_as_their_shares_and_coloured_by_truth():
    canvas = drawn(draw_choices)
    (axes,) = canvas.axes
    bars = [bar for container in axes.containers for bar in container if bar.get_height() > 0]
    assert len(bars) == sum(share > 0 for row in SHARES for share in row.values())
    full = max(bar.get_height() for bar in bars) / 100  # d has all of the first row
    seen = {
        (
            10 - round(bar.get_y()),
            "abcdefghijklmnopqr"[round(bar.get_x() + bar.get_width() / 2)],
        ): bar
        for bar in bars
    }
    for row, chosen in enumerate(SHARES):
        for cell, share in chosen.items():
            if share:
                assert seen[row, cell].get_height() == pytest.approx(full * share)
    colours = {cell: to_hex(bar.get_facecolor()) for (_, cell), bar in seen.items()}
    assert colours["e"] == "#000000" and len({colours[cell] for cell in "ecd"}) == 3
    assert {"1,024,000", "80.0 %", "chose e", "wins (e)", "delays (c, g)"} <= set(words(canvas))


def test_success_has_a_line_and_a_label_for_each_player():
    canvas = drawn(draw_success)
    (axes,) = canvas.axes
    curves = success_curves()
    lines = [container.lines[0] for container in axes.containers]
    for line, points in zip(lines, curves.values(), strict=True):
        assert list(line.get_xdata()) == EPOCHS
        assert list(line.get_ydata()) == [share.value for share in points.values()]
    assert set(curves) <= set(words(canvas))


def test_labels_keep_their_order_and_their_distance():
    wanted = {"a": 0.0, "b": 0.1, "c": 0.0, "d": 50.0, "e": 99.0, "f": 100.0}
    places = spread(wanted, 5, 0, 100)
    ordered = sorted(places.values())
    assert all(high - low >= 5 - 1e-9 for low, high in itertools.pairwise(ordered))
    assert ordered[0] >= 0 and ordered[-1] <= 100 and places["d"] == 50
    assert places["c"] < places["b"] and places["e"] < places["f"]


# The pages


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
    figure = figures.board("position", "A board", position, shares={"a1": 0.25, "c3": 0.75})
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
        (None, "cannot be read"),
        ("{", "is not a report"),
        ("[]", "is not a report"),
        ('{"version": 1}', "'provenance' is missing"),
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
