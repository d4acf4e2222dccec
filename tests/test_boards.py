"""Boards as pictures: well-formed, every stone and every move in its place, names escaped."""

import json
import pickle
import random
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests import third_party_game
from tests.searches import grown
from uctlab.drawing import board_svg
from uctlab.drawing.html import table
from uctlab.drawing.squares import star_points
from uctlab.errors import UsageError
from uctlab.games import Diagram, Position, make_game
from uctlab.games.named import letters_of, named_position
from uctlab.games.solve import Solution, solve
from uctlab.mcts.report import SearchReport

CONNECT_FOUR = str(Path(__file__).parent.parent / "examples" / "connect_four.py")
BOARDS = ("othello", "hex:4", "hex:3,swap=on", "havannah:3", "go:4", CONNECT_FOUR)
GAMES = (*BOARDS, "kalah", "deceptive", "deceptive:12,depth=9")
NASTY = "<b>&\"'"


def game_of(spec):
    return make_game(spec).interpreted()


def played(spec, moves, seed=1):
    """A position after that many random moves."""
    position, draw = Position.start(game_of(spec)), random.Random(seed)
    for _ in range(moves):
        if not position.is_over:
            position = position.play(draw.choice(position.legal))
    return position


def drawn(position, **options):
    return ElementTree.fromstring(board_svg(position, **options))


def layer(picture, name):
    """What one layer of a picture contains."""
    return [
        child
        for group in picture.iter("{http://www.w3.org/2000/svg}g")
        if group.get("class") == name
        for child in group
    ]


def at(shape):
    """The middle of a circle, a rectangle, a polygon or a text."""
    if shape.get("points"):
        points = [tuple(map(float, pair.split(","))) for pair in shape.get("points").split()]
        return tuple(sum(values) / len(points) for values in zip(*points, strict=True))
    x, y = (float(shape.get(f"c{name}") or shape.get(name)) for name in "xy")
    if shape.get("width"):
        return x + float(shape.get("width")) / 2, y + float(shape.get("height")) / 2
    return x, y


def is_near(a, b):
    return abs(a[0] - b[0]) < 0.1 and abs(a[1] - b[1]) < 0.1


def words(picture):
    return [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("moves", [0, 5, 300])
def test_a_picture_is_whole_and_contains_nothing_that_runs_or_loads(spec, moves):
    position = played(spec, moves)
    heat = {name: 1 / len(position.legal) for name in position.legal_moves}
    text = board_svg(position, heat=heat, numbers=heat, marks=dict.fromkeys(heat, "x"))
    picture = ElementTree.fromstring(text)
    _, _, width, height = map(float, picture.get("viewBox").split())
    assert picture.get("role") == "img" and width > 100 and height > 100
    assert picture[0].tag.endswith("title") and picture[0].text == picture.get("aria-label")
    assert position.game.name in picture[0].text
    for part in picture.iter():
        assert part.tag.rpartition("}")[2] in (
            *("svg", "title", "g", "rect", "circle", "line", "polygon", "polyline", "text"),
        )
        assert not [name for name in part.attrib if name.startswith("on") or "href" in name]
    assert "url(" not in text and text.isascii()
    for part in picture.iter("{http://www.w3.org/2000/svg}circle"):
        x, y = at(part)
        assert part.get("cy") == "0" or (0 < x < width and 0 < y < height)


@pytest.mark.parametrize("spec", BOARDS)
def test_one_disc_per_stone_in_its_colour(spec):
    for moves in (0, 7, 300):
        position = played(spec, moves)
        counts = np.bincount(position.stones, minlength=3)
        fills = [stone.get("fill") for stone in layer(drawn(position), "stones")]
        assert len(fills) == counts[1] + counts[2]
        names = [name.lower() for name in position.game.players]
        black, white = (counts[1 + names.index(name)] for name in ("black", "white"))
        assert sum(int(fill[1:3], 16) < 128 for fill in fills) == black
        assert sum(int(fill[1:3], 16) > 128 for fill in fills) == white


@pytest.mark.parametrize("spec", [*BOARDS, "deceptive"])
def test_heat_is_where_the_stone_of_the_move_will_be(spec):
    position = played(spec, 4)
    before = {at(stone) for stone in layer(drawn(position), "stones")}
    legal = position.legal_moves
    for name in legal:
        (*heat,) = layer(drawn(position, heat={name: 0.5}), "heat")
        after = drawn(position.play(name))
        new = [place for one in layer(after, "stones") if (place := at(one)) not in before]
        if spec == "deceptive":
            (here,) = (one for one in layer(after, "over") if one.get("stroke-width") == "4")
            new = [at(here)]
        assert len(heat) == len(new) == (name != "pass"), name
        assert all(is_near(at(one), place) for one, place in zip(heat, new, strict=True)), name
    everywhere = drawn(position, heat=dict.fromkeys(legal, 0.1), numbers=dict.fromkeys(legal, 77))
    assert len(layer(everywhere, "heat")) == len([name for name in legal if name != "pass"])
    assert words(everywhere).count("77") == len(layer(everywhere, "heat"))
    assert ("pass 77" in words(everywhere)) == ("pass" in legal)


def test_the_greatest_heat_is_the_strongest():
    position = Position.start(game_of("hex:3"))
    shades = layer(drawn(position, heat={"a1": 0.1, "b2": 0.4, "C3": 0.0}), "heat")
    strengths = [float(shade.get("fill-opacity")) for shade in shades]
    assert strengths[1] > 0.8 and strengths[0] == pytest.approx(0.25, abs=0.01)
    assert 0 < strengths[2] < 0.1
    assert layer(drawn(position, heat={"a1": 0.0}), "heat")


def test_a_swap_has_no_cell_of_its_own():
    position = Position.start(game_of("hex:3,swap=on")).play("a2")
    picture = drawn(position, heat={"swap-pieces": 0.6, "b1": 0.4}, numbers={"swap-pieces": 60})
    assert len(layer(picture, "heat")) == 1 and "swap-pieces 60" in words(picture)
    (mark,) = layer(drawn(position.play("swap-pieces")), "last")
    (stone,) = layer(drawn(position.play("swap-pieces")), "stones")
    assert at(mark) == at(stone)


@pytest.mark.parametrize("spec", BOARDS)
def test_the_last_move_is_marked(spec):
    start = Position.start(game_of(spec))
    assert not layer(drawn(start), "last")
    position = start.play(start.legal[1])
    (mark,) = layer(drawn(position), "last")
    before = {at(stone) for stone in layer(drawn(start), "stones")}
    new = {at(stone) for stone in layer(drawn(position), "stones")} - before
    assert {at(mark)} == new
    assert not layer(drawn(position, last_move=False), "last")


def test_a_pass_leaves_no_mark():
    position = Position.start(game_of("go:4")).play_all("A1 pass")
    assert not layer(drawn(position), "last")


@pytest.mark.parametrize(
    ("spec", "moves", "shape"),
    [
        ("hex:3", "b1 a1 b2 a2 b3", ["b1", "b2", "b3"]),
        ("havannah:3", "c1 c3 d1 d3 e1", ["c1", "d1", "e1"]),
    ],
)
def test_the_shape_that_won_is_shown(spec, moves, shape):
    position = Position.start(game_of(spec)).play_all(moves)
    picture = drawn(position)
    rings = {at(ring) for ring in layer(picture, "won")}
    cells = drawn(position, marks=dict.fromkeys(shape, "*"))
    middles = [(float(one.get("x")), float(one.get("y"))) for one in layer(cells, "words")]
    assert len(rings) == len(shape)
    assert all(any(abs(x - rx) < 1 and abs(y - ry) < 8 for rx, ry in rings) for x, y in middles)
    assert f"{position.game.players[0]} has won" in words(picture)
    assert not layer(drawn(position.before), "won")


def test_coordinates_and_who_is_to_play():
    for spec, labels in {
        "othello": "abcdefgh12345678",
        "go:9": "ABCDEFGHJ123456789",
        "hex:5": "abcde12345",
        "havannah:3": "abcde12345",
        CONNECT_FOUR: "abcdefg123456",
    }.items():
        position = Position.start(game_of(spec))
        found = words(drawn(position))
        assert sorted(found[:-1]) == sorted(labels)
        assert found[-1] == f"{position.game.players[0]} to play"


def test_star_points_are_where_custom_has_them():
    assert star_points(9) == [(2, 2), (2, 6), (6, 2), (6, 6), (4, 4)]
    assert len(star_points(19)) == 9 and {(3, 3), (3, 9), (15, 15)} <= set(star_points(19))
    assert star_points(5) == star_points(8) == []


def test_marks_of_a_paper_and_numbers_share_a_cell():
    position = named_position(game_of("hex:5"), "browne2013")
    letters = letters_of(position)
    found = layer(drawn(position, marks=letters), "words")
    assert sorted(one.text for one in found) == sorted(letters.values())
    both = layer(drawn(position, marks=letters, numbers={"d2": 42}), "words")
    (number,) = (one for one in both if one.text == "42")
    (letter,) = (one for one in both if one.text == "e")
    assert number.get("x") == letter.get("x") and float(letter.get("y")) < float(number.get("y"))


def test_a_notebook_shows_the_text_of_a_picture_as_a_picture():
    picture = board_svg(Position.start(game_of("hex:3")))
    assert picture.startswith("<svg") and picture._repr_svg_() == picture


def test_names_are_escaped():
    rows = ((0, 1), (2, 3))
    game = game_of(CONNECT_FOUR)
    nasty = replace(
        game, name=f"x{NASTY}", players=(NASTY, "White"), diagram=None, stones=None, setup=None
    )
    picture = drawn(Position.start(nasty), marks={"a": NASTY}, numbers={"b": f"\x00{NASTY}"})
    assert picture.get("aria-label") == f"x{NASTY}: {NASTY} to play"
    assert f"a {NASTY}" in words(picture) and f"b  {NASTY}" in words(picture)
    hostile = Diagram(rows=rows, labels=(NASTY, "<"), columns="<&")
    owned = replace(third_party_game.make(2), diagram=hostile).interpreted()
    assert {NASTY, "<", "&"} <= set(words(drawn(Position.start(owned))))
    assert NASTY not in table([NASTY], [[NASTY]])


def test_a_game_without_a_diagram_is_its_text():
    game = replace(game_of(CONNECT_FOUR), diagram=None, stones=None, setup=None)
    position = Position.start(game).play_all("a b c")
    picture = drawn(position, heat={"a": 0.5, "b": 0.1})
    found = words(picture)
    assert "a b c" in [one.replace("\xa0", " ") for one in found] and {"a", "b"} <= set(found)
    assert not layer(picture, "stones")
    assert drawn(position.play_all("d " * 6 + "e " * 6 + "f"))  # longer than a line


def test_a_users_game_gets_a_plain_board_even_with_a_known_name():
    named = replace(third_party_game.make(3), name="go:3", factory=third_party_game.make)
    position = Position.start(named.interpreted()).play("b2")
    picture = drawn(position, heat={"a1": 1, "pass": 0.2})
    assert not list(picture.iter("{http://www.w3.org/2000/svg}line"))
    assert len(layer(picture, "heat")) == 1 and len(layer(picture, "stones")) == 1


def test_mistakes_are_told():
    position = Position.start(game_of("hex:3"))
    for options, told in (
        ({"heat": {"a1": 1.5}}, "heat 1.5 of a1 is out of range; accepted: 0 to 1"),
        ({"heat": {"a1": float("nan")}}, "heat nan of a1"),
        ({"heat": {"z9": 0.5}}, "hex:3 has no move 'z9'"),
        ({"marks": {"z9": "x"}}, "hex:3 has no move 'z9'"),
        ({"size": 0}, "size 0 is out of range; accepted: more than 0 pixels"),
        ({"size": float("inf")}, "size inf is out of range"),
    ):
        with pytest.raises(UsageError, match=told):
            board_svg(position, **options)


def test_the_size_is_that_of_the_longer_side():
    for spec in ("hex:4", "deceptive:2,depth=4"):
        picture = drawn(Position.start(game_of(spec)), size=500)
        assert max(float(picture.get(side)) for side in ("width", "height")) == 500


def test_a_position_shows_its_board():
    position = played("havannah:3", 6)
    assert position._repr_svg_() == board_svg(position)


@pytest.mark.parametrize("spec", ["hex:4", "go:4"])
def test_a_report_shows_board_and_table(spec):
    _, report = grown(spec, "uct", 600)
    page = ElementTree.fromstring(report._repr_html_())
    heat = layer(page, "heat")
    places = {move.move for move in report.moves if move.visits} - {"pass"}
    assert len(heat) == len(places)
    rows = page.findall(".//tbody/tr")
    assert [row.find("th").text for row in rows] == [move.move for move in report.moves[:12]]
    assert [row.findall("td")[0].text for row in rows] == [
        f"{move.visits:,}" for move in report.moves[:12]
    ]
    said = [paragraph.text for paragraph in page.iter("p")]
    assert f"best {report.best}" in said and f"and {len(report.moves) - 12} more moves" in said
    assert report.position is not None and "position" not in report.as_json()
    json.dumps(report.as_json())


def test_a_report_is_equal_and_small_without_its_position():
    _, report = grown("hex:4", "uct", 600)
    again = pickle.loads(pickle.dumps(report))
    assert again == report and again.position is None
    assert again.as_json() == report.as_json() and "position" not in repr(report)
    page = ElementTree.fromstring(again._repr_html_())
    assert page.findall(".//tbody/tr") and not layer(page, "heat")
    hostile: SearchReport = replace(again, agent=NASTY)
    assert NASTY not in hostile._repr_html_() and ElementTree.fromstring(hostile._repr_html_())


def test_a_solution_marks_what_wins():
    position = Position.start(game_of("hex:3")).play_all("b1 a2")
    solution = solve(position)
    page = ElementTree.fromstring(solution._repr_html_())
    marks = [mark.text for mark in layer(page, "words")]
    assert marks.count("W") == len(solution.best) and len(marks) == len(solution.moves)
    assert marks.count("L") == sum(value == 0 for value in solution.moves.values())
    assert any("for the player to move" in (one.text or "") for one in page.iter("p"))
    assert ElementTree.fromstring(Solution(0.5, {"a1": 0.5}, 1)._repr_html_())
    over = position.play_all("b2 a1 b3")
    assert ElementTree.fromstring(solve(over)._repr_html_())
