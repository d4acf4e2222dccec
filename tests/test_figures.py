"""The figures of reports: all the numbers, and nothing cut off or covered."""

import itertools
import math

import matplotlib
import matplotlib.figure
import matplotlib.style
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from uctlab.drawing.style import STYLE
from uctlab.papers import figures, search_figures
from uctlab.papers.figures import Panel
from uctlab.papers.report import Percent
from uctlab.papers.search_figures import spread

# Hashimoto et al. 2012, table 1, Othello.
ACCELERATED = (39.2, 52.5, 56.3, 52.7, 51.3, 47.4, 48.2)
DISCOUNTED = (0.0, 1.3, 28.0, 47.5, 49.0, 49.2, 48.2)
EPOCHS = [1000 * 2**e for e in range(11)]


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
    search_figures.turning_points(
        canvas, TURNS, horizon=1_000_000, title="When agents leave the trap"
    )


TRUTH = dict.fromkeys("abcdefghijklmnopqr", "loses") | {"e": "wins", "c": "delays", "g": "delays"}
SHARES = [{"d": 100 - 10 * e, "e": 8.0 * e, "c": 2.0 * e} for e in range(11)]


def draw_choices(canvas):
    search_figures.choice_shares(canvas, EPOCHS, SHARES, title="What UCT chooses", truth=TRUTH)


def success_curves():
    ends = {"MC": 0, "MC_h": 0.2, "UCB": 0, "UCB_h": 0.1, "UCT": 92, "UCT_r": 90, "UCT_h": 99.5}
    ends["UCT with RAVE and heavy playouts"] = 100
    return {
        name: {x: Percent(end * (i + 1) / 11, 0, 100) for i, x in enumerate(EPOCHS)}
        for name, end in ends.items()
    }


def draw_success(canvas):
    search_figures.success_by_epoch(canvas, success_curves(), title="Share of searches that find e")


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
    canvas = drawn(lambda c: search_figures.turning_points(c, rows, horizon=1000, title="Nothing"))
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
