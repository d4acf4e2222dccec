"""Positions, diagrams and names of games: what is accepted, and how mistakes are told."""

import sys
from pathlib import Path

import numpy as np
import pytest

from uctlab import search
from uctlab.errors import UsageError
from uctlab.games import FAMILIES, Position, make_game

CONNECT_FOUR = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
HANGING = "\n...O...\n..X...."


def random_game(spec, plies, seed=3):
    rng = np.random.default_rng(seed)
    position = Position.start(make_game(spec))
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(int(rng.choice(position.legal)))
    return position


@pytest.mark.parametrize("spec", ["othello", "hex:7", "havannah:4", "go:9", "go:19"])
def test_a_drawn_board_reads_back(spec):
    for plies in (0, 1, 12, 33):
        position = random_game(spec, plies)
        again = Position.from_diagram(position.game, str(position))
        assert str(again) == str(position)
        assert again.turn == position.turn and again.moves == ()


@pytest.mark.parametrize(
    ("spec", "diagram", "violation"),
    [
        ("go:2", "X O\nO .\nX to play", "a chain has no liberty"),
        ("havannah:2", "X X\n. . .\nO O\nX to play", "both players have won"),
        (CONNECT_FOUR, "......." + "\n......." * 3 + HANGING, "a stone hangs in the air"),
    ],
)
def test_a_position_that_the_rules_do_not_allow(spec, diagram, violation):
    """The message says what is wrong with it."""
    game = make_game(spec).interpreted()
    with pytest.raises(
        UsageError, match=f"^{game.name}: this position is not allowed: {violation}$"
    ):
        Position.from_diagram(game, diagram)


def test_a_position_is_not_changed_by_playing_on():
    opening = Position.start(make_game("othello"))
    text = str(opening)
    after = opening.play("f5").play("d6")
    assert str(opening) == text
    assert after.before.before is opening
    assert [after.game.move_name(move) for move in after.moves] == ["f5", "d6"]
    assert opening.play_all("f5, d6").moves == after.moves


def test_diagrams_are_read_leniently():
    tight = Position.from_diagram(make_game("hex:3"), "X..\n.O.\n...")
    wide = Position.from_diagram(make_game("hex:3"), "\n  a b c\n1 X . .\n 2 . O .\n  3 . . .\n\n")
    assert str(tight) == str(wide) and tight.turn == 0
    assert Position.from_diagram(make_game("hex:3"), "X..\n...\n...").turn == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("X..\n...", "the diagram has 2 rows; accepted: 3 rows"),
        ("X..\n....\n...", "row 2 of the diagram has 4 cells, not 3"),
        ("X..\n.b.\n...", "row 2 of the diagram has 'b'; accepted: X, O, dot"),
        ("X..\n...\n...\nZ to play", "'Z to play'; accepted: X or O"),
        ("", "the diagram has 0 rows"),
        ("XXX\n...\n...", "does not say whose turn it is; end it with 'X to play'"),
    ],
)
def test_malformed_diagrams(text, says):
    with pytest.raises(UsageError, match=says):
        Position.from_diagram(make_game("hex:3"), text)


@pytest.mark.parametrize("spec", ["othello", "go:4"])
def test_counting_does_not_tell_the_turn_where_stones_change_or_leave(spec):
    board = str(Position.start(make_game(spec))).replace("X to play", "")
    with pytest.raises(UsageError, match="does not say whose turn it is"):
        Position.from_diagram(make_game(spec), board)


@pytest.mark.parametrize(
    ("stones", "turn"),
    [([1] * 24, 0), ([1] * 26, 0), ([100] * 25, 0), ([0] * 25, 2), ([0] * 25, -1)],
)
def test_set_ups_are_checked_before_compiled_code_sees_them(stones, turn):
    with pytest.raises(UsageError, match="a set-up takes 25 owners"):
        Position.from_stones(make_game("hex:5"), np.array(stones), turn)


def test_both_players_cannot_have_won():
    with pytest.raises(UsageError, match="both players have won"):
        Position.from_diagram(
            make_game("havannah:3"), "X X X\n. . . .\n. . . . .\n. . . .\nO O O\nX to play"
        )


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("chess", "unknown game 'chess'; known: othello, hex, havannah, go"),
        ("hex:1", "size 1 is out of range; accepted: 2 to 19"),
        ("hex:20", "size 20 is out of range; accepted: 2 to 19"),
        ("havannah:11", "side 11 is out of range; accepted: 2 to 10"),
        ("go:20", "size 20 is out of range; accepted: 2 to 19"),
        ("go:9,komi=7.3", "komi 7.3 is not accepted"),
        ("go:9,komi=nan", "komi nan is not accepted"),
        ("go:9,komi=many", "komi must be a number, not 'many'"),
        ("hex:five", "size must be a whole number, not 'five'"),
        ("hex:5,swap=yes", "swap=yes is not accepted; accepted: on, off"),
        ("hex:5,colour=red", "unknown parameter 'colour=red'; accepted: size=, swap="),
        ("hex:5,swp=on", "unknown parameter 'swp=on'; did you mean swap=\\? Accepted: size="),
        ("othello:8", "unknown parameter '8'; accepted: none"),
        ("", "unknown game ''"),
        ("hex:5,size=7", "size is given twice"),
        ("x" * 300 + ".py", "there is no file"),
        ("missing.py", "there is no file missing.py"),
    ],
)
def test_unknown_games(spec, says):
    with pytest.raises(UsageError, match=says):
        make_game(spec)


def test_no_moves_are_the_start():
    assert str(Position.from_moves("hex:3")) == str(Position.start("hex:3"))
    with pytest.raises(UsageError, match=r"Position\.start\(game\) and Position\.from_moves"):
        Position("hex:5")


@pytest.mark.parametrize(
    "text",
    [
        "from uctlab.games.hex import make",
        "from uctlab.games.hex import *",
        "import uctlab.games.hex as h\nif True:\n    make, x = h.make, 1",
        "import uctlab.games.hex as h\ntry:\n    make: object = h.make\nfinally:\n    pass",
    ],
)
def test_a_game_may_have_its_make_from_elsewhere(tmp_path, text):
    path = tmp_path / "borrowed_game.py"
    path.write_text(text)
    try:
        assert make_game(f"{path}:3").name == "hex:3"
    finally:
        sys.modules.pop("borrowed_game", None)


def test_a_file_that_is_no_game(tmp_path):
    path = tmp_path / "not_a_game.py"
    path.write_text("def f():\n    make = 1\n\nraise RuntimeError('it ran')\n")
    with pytest.raises(UsageError, match=r"not_a_game\.py does not define make"):
        make_game(str(path))
    path = tmp_path / "broken_game.py"
    path.write_text("def make(:\n")
    with pytest.raises(UsageError, match=r"broken_game\.py cannot be loaded: SyntaxError"):
        make_game(str(path))
    for name, body, says in (
        ("returns_none", "def make():\n    return None\n", "returns a NoneType, not a Game"),
        ("raises", "def make():\n    return 1 / 0\n", "does not return a game: ZeroDivisionError"),
    ):
        path = tmp_path / f"{name}.py"
        path.write_text(body)
        with pytest.raises(UsageError, match=says):
            make_game(str(path))
    path = tmp_path / "no_default.py"
    path.write_text("def make(size):\n    return None\n")
    with pytest.raises(UsageError, match="needs a default for size"):
        make_game(f"{path}:5")
    path = tmp_path / "numpy.py"
    path.write_text("def make():\n    return None\n")
    with pytest.raises(UsageError, match="another name"):
        make_game(str(path))


@pytest.mark.parametrize("family", FAMILIES)
def test_names_are_canonical(family):
    game = make_game(family)
    assert make_game(FAMILIES[family].usage).name == game.name
    assert make_game(game.name).name == game.name


def test_parameters_reach_the_game():
    assert make_game("hex:size=7,swap=on").name == "hex:7,swap=on"
    assert make_game("go:5,komi=0.5").name == "go:5,komi=0.5"
    assert make_game("go").name == "go:9"


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("f5 z9", "othello has no move 'z9'; moves are named a1 to pass"),
        ("f5 f5", "move 2, f5, is illegal; legal: f4 d6 f6"),
        ("pass", "move 1, pass, is illegal"),
    ],
)
def test_illegal_moves(moves, says):
    with pytest.raises(UsageError, match=says):
        Position.start(make_game("othello")).play_all(moves)


def test_a_move_after_the_end():
    over = Position.start(make_game("go:4")).play("pass").play("pass")
    with pytest.raises(UsageError, match="comes after the end of the game"):
        over.play("A1")


@pytest.mark.parametrize("code", [-1, 64, 1000])
def test_a_move_code_out_of_range(code):
    with pytest.raises(UsageError, match=r"illegal|no move"):
        Position.start(make_game("othello")).play(code)


def test_a_position_of_a_paper_has_a_name_and_letters():
    position = Position.named("browne2013")
    assert position.game.name == "hex:5" and set(position.letters) == set(position.legal_moves)
    assert position.play("d2").letters["d2"] == "e"
    assert not Position.start("hex:5").letters
    with pytest.raises(UsageError, match="no position 'nobody'; named positions: br"):
        Position.named("nobody")


def test_a_search_of_it_tells_the_letters():
    report = search(Position.named("browne2013"), "uct", playouts=50)
    assert {move.move: move.letter for move in report.moves}["d2"] == "e"
    assert f"best {report.best} (" in str(report)


def test_lines_that_part_share_their_past_and_nothing_else():
    """In Go no board may come back; a long game takes linear time."""
    game = make_game("go:4").interpreted()
    ko = "B4 B2 A2 A1 C4 D3 D4 B1 B3 A3 pass A4"
    one = Position.from_moves(game, ko)
    moves = ko.split()
    for parted in (7, 10, 11):
        at = one.line[parted]
        others = [at.play(move) for move in at.legal_moves if move != moves[parted]]
        for other in (*others[:3], at.play(moves[parted])):
            told = [game.move_name(move) for move in other.moves]
            assert other.legal == Position.from_moves(game, told).legal
    assert "A2" not in one.legal_moves and one.legal == Position.from_moves(game, ko).legal
    assert len({id(position._past.line) for position in one.line}) == 1
