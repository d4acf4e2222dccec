"""Openings and games from files: WTHOR, GGF, SGF, lists of moves; matches that begin with them."""

import json
import random
import struct

import pytest

import uctlab
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.othello_files import FileGame, read_ggf, read_wthor
from uctlab.protocol.files import read_openings

OTHELLO = make_game("othello").interpreted()
HERE = {"workers": 1, "progress": False}
GGF = (
    "(;GM[Othello]PC[GGS/os]DT[1999]PB[ann]PW[bob]RB[1800]RW[1700]TI[15:00//02:00]TY[8]RE[+12.000]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[D3//1.2]W[c3/0.50/2]B[b3]W[b2]B[e6]W[a3]B[a1]W[c1]B[PA]W[e3//3];)\n"
    "(;GM[Othello]PB[a]PW[b]TY[8r]BO[8 --------O------------------O*------*O------------- O]W[d3];)"
)


def played_out(seed):
    rng = random.Random(seed)
    position = Position.start(OTHELLO)
    while not position.is_over:
        position = position.play(rng.choice(position.legal))
    return position


def wthor(games):
    data = struct.pack("<4BIHHBBBB", 20, 26, 11, 16, len(games), 0, 2026, 8, 0, 22, 0)
    for number, moves in enumerate(games):
        cells = [int(m[1]) * 10 + "abcdefgh".index(m[0]) + 1 for m in moves if m != "pass"]
        data += struct.pack("<HHHBB60s", 1, number, 7, 40, 40, bytes(cells))
    return data


def test_wthor():
    """Ten times the row and the column; passes are left out. f5 is 56."""
    games = [played_out(seed) for seed in range(5)]
    names = [tuple(OTHELLO.move_name(move) for move in game.moves) for game in games]
    data = wthor(names)
    assert [game.moves for game in read_wthor(data)] == names
    assert any("pass" in moves for moves in names)
    assert read_wthor(wthor([("f5", "d6", "c3")]))[0].moves == ("f5", "d6", "c3")
    assert (read_wthor(data)[1].black, read_wthor(data)[1].result) == ("#1", "40-24")
    for bad, says in (
        (b"", "too short"),
        (data[:-1], "is not a WTHOR file of 5 games"),
        (data[:-60] + b"\x63" * 60, "game 5 of the WTHOR file has the move 99"),
        (data[:-60] + b"\x0b" * 60, "game 5 of the WTHOR file: othello: move 1, a1, is illegal"),
    ):
        with pytest.raises(UsageError, match=says):
            read_wthor(bad)


def test_ggf():
    """Values and times behind a move do not matter; another start is another game."""
    (game,), others = read_ggf(GGF)
    assert " ".join(game.moves) == "d3 c3 b3 b2 e6 a3 a1 c1 pass e3" and others == 1
    assert (game.black, game.white, game.result) == ("ann", "bob", "+12.000")
    assert read_ggf(GGF.replace("TY[8]", "TY[8a]")) == ([], 2)  # whoever has fewer discs wins
    with pytest.raises(UsageError, match="this is not a GGF file"):
        read_ggf("(;GM[1]SZ[9])")


def test_what_edax_writes(tmp_path):
    """Rows apart in GGF, the start as a set-up and names of cells in SGF."""
    rows = "-------- " * 3 + "---O*--- ---*O--- " + "-------- " * 3
    (game,), _ = read_ggf(f"(;GM[othello]PC[Edax]PB[?]PW[?]BO[8 {rows}*]B[C4]W[C5]B[F6];)")
    assert game.moves == ("c4", "c5", "f6")
    path = tmp_path / "edax.sgf"
    head = "(;FF[4]GM[2]AP[edax:4.6]PB[?]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[B+32]"
    path.write_text(
        f"{head}B[c4];W[c5];B[f6])\n{head}B[d3];W[c3];B[b3];W[b2];B[e6];W[a3];B[a1];W[c1];B[pa])"
    )
    passed = "d3 c3 b3 b2 e6 a3 a1 c1 pass"
    assert read_openings(OTHELLO, str(path)) == ("c4 c5 f6", passed)


def test_openings_of_files(tmp_path):
    rules = make_game("hex:3").interpreted()
    path = tmp_path / "lines.txt"
    path.write_text("# two openings\nb2 a1\n\nA1, c3  # and a comment\nb2 a1\n")
    assert read_openings(rules, str(path)) == ("b2 a1", "a1 c3")
    assert read_openings(rules, f"{path}:1") == ("b2", "a1")
    path.write_text("b2\nb2 b2\n")
    with pytest.raises(UsageError, match=r"lines.txt, line 2: hex:3: move 2, b2, is illegal"):
        read_openings(rules, str(path))
    sgf = tmp_path / "games.sgf"
    game = Position.from_moves(rules, "b2 a1 b1 a2 b3")
    sgf.write_text(game.to_sgf() + Position.from_moves(rules, "c1 a3").to_sgf())
    assert read_openings(rules, f"{sgf}:2") == ("b2 a1", "c1 a3")
    with pytest.raises(UsageError, match=r"game 1 is over after 5 moves; .* write .*games.sgf:8"):
        read_openings(rules, str(sgf))
    (tmp_path / "games.ggf").write_text(GGF)
    with pytest.raises(UsageError, match="has games of Othello, not of hex:3"):
        read_openings(rules, str(tmp_path / "games.ggf"))
    with pytest.raises(UsageError, match=r"cannot read nothing\.txt"):
        read_openings(rules, "nothing.txt")


def test_a_collection_of_little_golem(tmp_path, uctlab):
    """Some games have a swap, and some are on another board."""
    head = "(;FF[4]EV[hex.in.test]PB[{}]PW[b]SZ[{}]RE[W]SO[http://www.littlegolem.com]"
    path = tmp_path / "games.sgf"
    path.write_text(
        head.format("ann", 5) + ";W[ac];B[bb];W[resign])\n"
        f"{head.format('eve', 5)};W[ab];B[swap];W[cc];B[dd])\n{head.format('eve', 7)};W[ab];B[gg])"
    )
    lines = ("a3 b2", "a2 swap-pieces c3 d4")
    assert read_openings(make_game("hex:5,swap=on").interpreted(), str(path)) == lines
    code, out, err = uctlab("games", "import", path)
    assert code == 0
    # Moves have the wrong colours in such files, but not the players and the result.
    assert out.splitlines()[1:] == [f"{lines[0]}  # ann - b W", f"{lines[1]}  # eve - b W"]
    assert "2 games of hex:5,swap=on" in err and "1 with another start or game are left out" in err
    with pytest.raises(UsageError, match="has no openings of hex:6"):
        read_openings(make_game("hex:6").interpreted(), str(path))


def test_matches_begin_with_openings(tmp_path, uctlab):
    path, store = tmp_path / "lines.txt", tmp_path / "games.sqlite"
    path.write_text("b2 a1\na1 c3\n")
    command = ("match", "hex:3", "uct", "mc", "--games", 6, "--playouts", 20, "--workers", 1)
    code, out, _ = uctlab(*command, "--openings", path, "--store", store, "--json")
    assert code == 0 and json.loads(out)["openings"] == ["b2 a1", "a1 c3"]
    uctlab("games", "export", store, "--out", tmp_path / "sgf")
    begun = [file.read_text() for file in sorted((tmp_path / "sgf").rglob("*.sgf"))]
    first = [";B[b2];W[a1]", ";B[b2];W[a1]", ";B[a1];W[c3]", ";B[a1];W[c3]"]
    assert len(begun) == 6
    for text, line in zip(begun, [*first, *first[:2]], strict=True):
        assert line in text.replace("\n", "")
    path.unlink()  # the store has the lines
    assert "2 openings in turn" in uctlab("games", "stored", store)[1]
    code, _, err = uctlab(*command, "--openings", path)
    assert code == 2 and "cannot read" in err


def test_openings_in_python():
    lines = ["b2 a1", "a1 c3"]
    found = uctlab.match("hex:3", "uct", "mc", games=4, playouts=20, openings=lines, **HERE)
    assert found.plan.openings == ("b2 a1", "a1 c3") and "2 openings in turn" in str(found)
    with pytest.raises(UsageError, match="openings must be lines of play"):
        uctlab.match("hex:3", "uct", "mc", games=2, playouts=20, openings=[], **HERE)
    with pytest.raises(UsageError, match="over after the opening"):
        won = ["b1 a1 b2 a2 b3"]
        uctlab.match("hex:3", "uct", "mc", games=2, playouts=20, openings=won, **HERE)


@pytest.mark.parametrize(
    ("result", "black", "resigned"),
    [
        ("33-31", 1.0, False),
        ("32-32", 0.5, False),
        ("-4.00", 0.0, False),
        ("+12.00:r", 1.0, True),
        ("+0", 0.5, False),
        ("W+3.5", 0.0, False),
        ("B+R", 1.0, True),
        ("W+Resign", 0.0, True),
        ("W", 0.0, False),
        ("Draw", 0.5, False),
        ("", None, False),
        ("Void", None, False),
    ],
)
def test_results_of_files(result, black, resigned):
    game = FileGame(("f5",), "a", "b", result)
    assert (game.score_of("B"), game.resigned) == (black, resigned)
    assert game.score_of("W") == (None if black is None else 1 - black)


def test_a_resigned_game_keeps_its_result_and_its_players(tmp_path, uctlab):
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[Havannah]SZ[4]PB[second]PW[first]RE[B+Resign];W[d1];B[e1])")
    assert uctlab("games", "import", path, "--out", tmp_path / "sgf")[0] == 0
    (written,) = (tmp_path / "sgf").iterdir()
    text = written.read_text()
    assert "PB[second]" in text and "PW[first]" in text and "RE[B+Resign]" in text


def test_import(tmp_path, uctlab):
    path = tmp_path / "games.wtb"
    path.write_bytes(wthor([("f5", "d6", "c3"), ("f5", "f6", "e6")]))
    code, out, err = uctlab("games", "import", path, "--moves", 2)
    assert code == 0 and err.strip() == "2 games of othello"
    first, *listed = out.splitlines()
    assert first == "# othello, from games.wtb"
    assert listed == ["f5 d6  # #0 - #7 40-24", "f5 f6  # #1 - #7 40-24"]
    lines = tmp_path / "lines.txt"
    lines.write_text(out)
    assert read_openings(OTHELLO, str(lines)) == ("f5 d6", "f5 f6")
    assert uctlab("games", "import", path, "--out", tmp_path / "sgf")[0] == 0
    files = sorted((tmp_path / "sgf").iterdir())
    assert [len(Position.from_sgf(file).moves) for file in files] == [3, 3]
    assert "RE[B+]" in files[0].read_text()  # 40 discs to 24
    uctlab("games", "import", path, "--out", tmp_path / "begun", "--moves", 2)
    assert "RE[" not in next((tmp_path / "begun").iterdir()).read_text()
    code, _, err = uctlab("games", "import", lines)
    assert code == 2 and "games are read from .sgf, .wtb and .ggf files" in err
