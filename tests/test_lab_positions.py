"""Boards as the browser gets them: positions, set-ups, SGF, winning shapes. Nothing is compiled."""

import itertools
import random
from collections import deque

import pytest

from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.sgf import sgf_game
from uctlab.games.shapes import STEPS
from uctlab.lab.positions import Positions, game_of, winning_cells
from uctlab.lab.records import open_text, save_sgf
from uctlab.lab.requests import PositionValue

BROWNE = {"name": "browne2013"}


def shown(game, *moves, start=None):
    return Positions().position(PositionValue(game, start, moves))


def won(game, moves):
    position = Position.start(make_game(game).interpreted()).play_all(moves)
    assert position.is_over
    return winning_cells(position)


def test_a_position_says_all_that_a_board_shows():
    found = shown("othello", "F5")
    assert found["position"] == {"game": "othello", "start": None, "moves": ["f5"]}
    assert (found["turn"], found["to_move"], found["text"]) == (1, "White", "White to move")
    assert found["stones"] == dict.fromkeys(("d5", "e4", "e5", "f5"), "first") | {"d4": "second"}
    assert found["legal"] == ["f4", "d6", "f6"] and not found["passes"]
    assert (found["last"], found["over"], found["result"], found["win"]) == ("f5", False, None, [])
    assert found["ascii"].endswith("O to play")
    corners = [cell for cell in found["cells"] if cell["name"] in ("a1", "h8")]
    assert [(cell["x"], cell["y"]) for cell in corners] == [(0, 0), (7, 7)]


def test_letters_of_a_named_position():
    found = shown("hex:5", "d2", start=BROWNE)
    assert found["letters"]["d2"] == "e" and found["players"] == ["Black", "White"]
    assert shown("hex:5")["letters"] is None


@pytest.mark.parametrize("game", ["hex:4", "havannah:3"])
def test_neighbours_are_one_width_apart(game):
    """On the page, the six nearest cells are those that touch."""
    rules = make_game(game)
    line = rules.constants.get("LINE") or rules.constants["SIZE"]
    place = {cell["name"]: (cell["x"], cell["y"]) for cell in shown(game)["cells"]}
    for a, b in itertools.combinations(place, 2):
        codes = rules.parse_move(a), rules.parse_move(b)
        step = (codes[1] % line - codes[0] % line, codes[1] // line - codes[0] // line)
        distance = sum((p - q) ** 2 for p, q in zip(place[a], place[b], strict=True)) ** 0.5
        assert (distance < 1.1) == (step in STEPS), (a, b)
        assert distance > 0.99


def test_a_longer_line_follows_from_a_shorter_one_and_undo_works():
    positions = Positions()
    moves = ("a1", "b1", "c1", "d1")
    for count in (1, 2, 4, 3, 0):
        found = positions.position(PositionValue("hex:5", None, moves[:count]))
        assert len(found["stones"]) == count and found["last"] == (moves[:count] or [None])[-1]
    with pytest.raises(UsageError, match="illegal"):
        positions.position(PositionValue("hex:5", None, ("a1", "a1")))


def test_set_up_stones_become_a_diagram():
    positions = Positions()
    found = positions.setup("havannah:3", {"c3": 1, "a3": 2}, 1)
    assert found["stones"] == {"c3": "first", "a3": "second"} and found["turn"] == 1
    again = positions.position(PositionValue("havannah:3", found["position"]["start"], ("a4",)))
    assert again["stones"] == {**found["stones"], "a4": "second"}
    for game, stones, message in (
        ("hex:3", {"z9": 1}, "no move 'z9'"),
        ("othello", {"pass": 1}, "not a cell"),
        ("deceptive:2", {}, "no set-up"),
    ):
        with pytest.raises(UsageError, match=message):
            positions.setup(game, stones, 0)


@pytest.mark.parametrize(
    ("game", "start", "moves"),
    [
        ("othello", None, ("f5", "d6")),
        ("hex:5", BROWNE, ("d2",)),
        ("havannah:3", None, ("a3", "c3")),
    ],
)
def test_sgf_there_and_back(game, start, moves):
    positions = Positions()
    value = PositionValue(game, start, moves)
    before = positions.position(value)
    nodes = [(-1, "", {"PB": ["Ann ]"]})] + [(i, move, {}) for i, move in enumerate(moves)]
    other = positions.position(PositionValue(game, start, ()))["legal"][-1]
    nodes.append((0, other, {"C": ["another\nway"]}))
    after = open_text(save_sgf(PositionValue(game, start, ()), tuple(nodes)), "hex:3")
    assert sorted(map(str, after["nodes"])) == sorted(str(list(node)) for node in nodes)
    for part in ("stones", "turn", "last", "legal"):
        assert before[part] == after[part]
    assert after["position"]["moves"] == list(moves)


def test_sgf_files_name_their_game():
    assert sgf_game(b"(;GM[1]SZ[9]KM[5.5])").name == "go:9,komi=5.5"
    assert sgf_game(b"(;FF[4])").name == "go:19"
    assert sgf_game(b"(;GM[11]SZ[7:7])").name == "hex:7"
    for text in (b"", b"(", b"hello", b"(;GM[3])", b"(;GM[1]SZ[x])", b"(;GM[1]KM[x])"):
        with pytest.raises(UsageError):
            sgf_game(text)


def test_what_cannot_be_kept_of_a_file_is_told():
    text = "(;GM[1]SZ[5];B[cc](;W[bb];B[dd])(;W[cc])(;AB[aa];W[bb]))"
    found = open_text(text, "hex:3")
    assert found["position"]["moves"] == ["C3", "B4", "D2"]
    assert len(found["nodes"]) == 4
    placing, illegal = sorted(found["left_out"])
    assert placing == "a variation that places stones" and "C3, is illegal" in illegal


def test_diagrams_are_opened_on_a_board_of_their_size():
    board = ". X .\n . O .\n  . . .\nX to play"
    found = open_text(board, "hex:11")
    assert found["position"]["game"] == "hex:3" and found["turn"] == 0
    assert found["stones"] == {"b1": "first", "b2": "second"}
    for text in ("hello", "", "(hello)"):
        with pytest.raises(UsageError):
            open_text(text, "hex:3")


def test_points_are_counted():
    othello = shown("othello", "f5")
    assert othello["count"] == "Black 4, White 1" and othello["area"] is None
    go = shown("go:4", "B3", "pass", "pass")
    assert go["over"] and go["count"] == "Black 16, White 0 and 7.5 komi" and go["lead"] == 8.5
    assert len(go["area"]) == 16 and set(go["area"].values()) == {"first"} and go["referee"]
    assert shown("hex:3")["count"] is None


def test_a_diagram_that_makes_no_sense_is_refused():
    for diagram in ("", "X", "X . .\n" * 99, "Z . .\n . . .\n  . . .\nX to play"):
        with pytest.raises(UsageError):
            shown("hex:3", start={"diagram": diagram})
    with pytest.raises(UsageError, match="browne2013"):
        shown("hex:5", start={"name": "x"})


def test_the_deceptive_tree_as_a_board():
    nodes = shown("deceptive:2", "B")["cells"]
    assert [node["name"] for node in nodes] == list("ABDEFCGHI")
    truth = {node["name"]: node["truth"] for node in nodes}
    assert truth == {"A": 1, "B": 0, "D": 1, "E": 1, "F": 0, "C": 1, "G": 1, "H": 1, "I": 0}
    assert [node["parent"] for node in nodes] == [None, 0, 1, 1, 1, 0, 5, 6, 6]
    assert [node["result"] for node in nodes if node["to_move"] is None] == [1, 1, 0, 1, 0]
    deep = shown("deceptive:3,depth=3")["cells"]
    assert len({tuple(node["path"]) for node in deep}) == len(deep) and deep[0]["truth"] == 1


def test_hex_chains():
    assert won("hex:3", "b1 a1 b2 a2 b3") == ["b1", "b2", "b3"]
    assert won("hex:3", "a1 a2 c1 b2 a3 c2") == ["a2", "b2", "c2"]
    # Stones that are not needed for the chain are left out.
    assert won("hex:3", "a1 c1 a2 c2 b1 c3 a3") == ["a1", "a2", "a3"]
    assert shown("othello")["win"] == []


def test_havannah_bridge_fork_and_ring():
    # Side 4: corners d1, g1, a4, g4, a7, d7.
    assert won("havannah:4", "d1 d5 e1 d6 f1 c6 g1") == ["d1", "e1", "f1", "g1"]
    ring = won("havannah:4", "d3 a5 e3 b6 c4 c6 e4 b5 c5 e6 d5")
    assert sorted(ring) == ["c4", "c5", "d3", "d5", "e3", "e4"]
    fork = won("havannah:4", "e1 c6 e2 b6 e3 c5 d4 b5 c4 a6 b4 d5 b3 a5 f3 f4 g2")
    assert fork and {"e1", "g2"} <= set(fork)


def ways_apart(cells, line):
    """Whether every cell of a shape is joined to every other by cells of the shape."""
    queue, seen = deque(cells[:1]), set(cells[:1])
    while queue:
        x, y = queue.popleft()
        for dx, dy in STEPS:
            other = (x + dx, y + dy)
            if other in cells and other not in seen:
                seen.add(other)
                queue.append(other)
    return len(seen) == len(cells)


@pytest.mark.parametrize("game", ["hex:4", "havannah:4"])
def test_shapes_of_random_games_are_joined_belong_to_the_winner_and_are_needed(game):
    rules = game_of(game)
    line = rules.constants.get("LINE") or rules.constants["SIZE"]
    draw = random.Random(3)
    shapes = 0
    for _ in range(40):
        position = Position.start(rules)
        while not position.is_over:
            position = position.play(draw.choice(position.legal))
        names = winning_cells(position)
        assert bool(names) == (position.result != 0.5)
        if not names:
            continue
        shapes += 1
        owner = 1 if position.result == 1 else 2
        codes = [rules.parse_move(name) for name in names]
        assert all(position.stones[code] == owner for code in codes)
        assert ways_apart([(code % line, code // line) for code in codes], line)
        # These stones alone win, and without any one of them they do not.
        for missing in (None, *codes):
            stones = position.stones * 0
            stones[[code for code in codes if code != missing]] = owner
            alone = Position.from_stones(rules, stones, 0)
            assert (alone.is_over and alone.result == position.result) == (missing is None)
    assert shapes > 20
