"""SGF: what we write reads back, and what others write is understood."""

import numpy as np
import pytest
from sgfmill import sgf

from tests.test_positions import random_game
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.sgf import read_sgf, sgf_game, write_sgf


@pytest.mark.parametrize(
    "spec", ["othello", "hex:7", "hex:4,swap=on", "havannah:4", "go:9", "go:19"]
)
@pytest.mark.parametrize("plies", [0, 1, 20, 400])
def test_games_read_back(spec, plies):
    plies = min(plies, 120) if spec == "go:19" else plies  # whose long games are slow
    for seed in (1, 2):
        position = random_game(spec, plies, seed)
        again = read_sgf(position.game, write_sgf(position))
        assert again.moves == position.moves
        assert str(again) == str(position)


@pytest.mark.parametrize("spec", ["othello", "hex:7", "havannah:4", "go:9"])
@pytest.mark.parametrize("turn", [0, 1])
def test_set_ups_read_back(spec, turn):
    middle = random_game(spec, 17)
    set_up = Position.from_stones(middle.game, middle.stones, turn)
    position = set_up.play(set_up.legal[0])
    again = read_sgf(position.game, write_sgf(position))
    assert str(again) == str(position) and again.moves == position.moves


def test_another_reader_sees_the_same_board_of_go():
    position = random_game("go:9", 60)
    board = sgf.Sgf_game.from_bytes(write_sgf(position))
    assert board.get_size() == 9 and board.get_komi() == 7.5
    points = [node.get_move() for node in board.get_main_sequence()[1:]]
    for (colour, point), move, turn in zip(points, position.moves, [0, 1] * 30, strict=True):
        assert colour == "bw"[turn]
        expected = None if move == 81 else (8 - move // 9, move % 9)  # (row from below, column)
        assert point == expected


def test_files_of_others():
    go9 = make_game("go:9")
    handicap = read_sgf(go9, b"(;GM[1]SZ[9]HA[2]AB[gc][cg];W[ee];B[](;W[tt])(;W[aa]))")
    assert handicap.turn == 0 and handicap.is_over  # the first variation is the main line
    assert handicap.stones.sum() == 1 + 1 + 2
    assert read_sgf(go9, b"(;GM[1]SZ[9]HA[2]AB[gc][cg])").turn == 1
    assert read_sgf(go9, b"(;GM[1]SZ[9]HA[2]AB[gc][cg];B[ee])").first.turn == 0
    assert read_sgf(go9, b"(;GM[1]SZ[9]HA[0]AB[gc][cg])").turn == 0
    block = read_sgf(go9, b"(;SZ[9]AB[aa:cb]AW[ii]PL[W])")
    assert np.flatnonzero(block.stones == 1).tolist() == [0, 1, 2, 9, 10, 11] and block.turn == 1
    later = read_sgf(go9, b"(;SZ[9];B[ee];AE[ee]AW[ef]PL[B])")
    assert later.stones.sum() == 2 and later.turn == 0
    swap = read_sgf(make_game("hex:5,swap=on"), b"(;FF[4]GM[11]SZ[5];B[a3];W[swap-pieces];B[c3])")
    assert swap.legal_moves[0] == "a1" and "c1" not in swap.legal_moves


def test_othello_files_may_leave_passes_out():
    game = make_game("othello")
    rows = ["XO......"] + ["........"] * 7
    stuck = Position.from_diagram(game, "\n".join(rows) + "\nO to play")
    after = stuck.play("pass").play("c1")
    data = write_sgf(after)
    assert b";W[]" in data
    assert str(read_sgf(game, data.replace(b";W[]", b"").replace(b"\n", b""))) == str(after)


def test_the_result_is_written():
    for moves, result in (("C3 pass pass", b"RE[B+]"), ("pass pass", b"RE[W+]"), ("C3", b"")):
        data = write_sgf(Position.start(make_game("go:4")).play_all(moves))
        assert result in data and (b"RE" in data) == bool(result)


def test_two_moves_in_a_row_where_nobody_can_pass():
    with pytest.raises(UsageError, match="two moves of Black in a row, with b2"):
        read_sgf(make_game("hex:5"), b"(;GM[11]SZ[5];B[a1];B[b2])")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"hello", "not an SGF file"),
        (b"", "not an SGF file"),
        (b"(;GM[1]SZ[9]", "not an SGF file"),
        (b"(;GM[2]SZ[9])", r"has GM\[2\]; for go:9 it must be GM\[1\]"),
        (b"(;GM[1]SZ[19])", r"has SZ\[19\]; for go:9 it must be SZ\[9\]"),
        (b"(;SZ[9];B[zz])", r"the point \[zz\], which go:9 does not have"),
        (b"(;SZ[9];B[ee];W[ee])", "move 2, E5, is illegal"),
        (b"(;SZ[9]PL[red])", r"PL\[red\]; accepted: B, W"),
        (b"(;SZ[9]AB[aa:zz])", r"the point \[zz\]"),
        (b"(;SZ[9]AB[])", r"the point \[\] is not a cell"),
        (b"(;SZ[9]AB[ab][ba]AW[aa])", "no liberty"),
        (b"(;SZ[9];B[\xff\xfe])", "which go:9 does not have"),
    ],
)
def test_bad_files(data, says):
    with pytest.raises(UsageError, match=says):
        read_sgf(make_game("go:9"), data)


TWOGTP = "(;FF[4]CA[UTF-8]AP[gogui-twogtp:1.6.0]SZ[{}]\nKM[6.5]PB[uctlab uct:0.2.0]RE[B+R]\n{})"


def test_hexgui():
    """A resignation ends the game; players who change sides leave the stones alone."""
    head = b"(;AP[HexGui:0.10.GIT]FF[4]GM[11]SZ[5]"
    position = Position.from_sgf(head + b";B[b2];W[c3];B[resign])")
    assert position.game.name == "hex:5" and len(position.moves) == 2
    position = Position.from_sgf(head + b";B[b4];W[swap-pieces];B[c3];W[a1])")
    assert position.game.name == "hex:5,swap=on" and position.stones[8] == 2  # d2
    position = Position.from_sgf(head + b";B[b4];W[swap-sides];W[c3])")
    assert position.game.name == "hex:5" and position.stones[[16, 12]].tolist() == [1, 2]
    old = head.replace(b"0.10", b"0.9")
    assert str(Position.from_sgf(old + b";B[b4];W[swap-pieces];W[c3])")) == str(position)


def test_little_golem():
    """No GM; White moves first in older files, and is whoever joins top and bottom."""
    head = b"(;FF[4]EV[%b.in.test]PB[b]PW[a]SZ[%b]RE[W]GC[ game #1]SO[http://www.littlegolem.com]"
    position = Position.from_sgf(head % (b"hex", b"13") + b";W[ll];B[swap];W[kj];B[ie];W[resign])")
    assert position.game.name == "hex:13,swap=on"
    assert position.stones[11 * 13 + 11] == 2  # on the long diagonal
    assert [position.stones[9 * 13 + 10], position.stones[4 * 13 + 8]] == [1, 2]
    newer = Position.from_sgf(head % (b"hex", b"13") + b";B[ll];W[swap];B[kj];W[ie];B[resign])")
    assert str(newer) == str(position)
    position = Position.from_sgf(head % (b"havannah", b"4") + b";B[d4];W[swap];B[ee];W[c3])")
    assert position.game.name == "havannah:4,swap=on"
    assert np.flatnonzero(position.stones == 2).tolist() == [16, 24]  # c3 d4
    with pytest.raises(UsageError, match="has a swap, which hex:13 has not; try hex:13,swap=on"):
        read_sgf(make_game("hex:13"), head % (b"hex", b"13") + b";W[ll];B[swap])")


def test_games_that_gogui_twogtp_saved():
    """It counts rows of squares from the bottom, and hexagons as we do; it knows no game but Go."""
    othello = ";B[fd];W[dc];B[ce];W[fe];B[ff];W[gd];B[cb];W[bf]"
    position = read_sgf(make_game("othello"), TWOGTP.format(8, othello).encode())
    names = [position.game.move_name(move) for move in position.moves]
    assert " ".join(names) == "f5 d6 c4 f4 f3 g5 c7 b3"
    hexes = ";B[dc];W[ea];B[ae];W[bc];B[db];W[de];B[da];W[aa];B[cc];W[ee];B[bd];W[];B[]"
    position = read_sgf(make_game("hex:5"), TWOGTP.format(5, hexes).encode())
    assert position.result == 1.0 and len(position.moves) == 11
    havannah = ";B[eb];W[bg];B[ga];W[db];B[df];W[cd];B[cg];W[fa];B[bf];W[dd];B[ea];W[fe];B[fc]"
    havannah += ";W[ec];B[bd];W[fb];B[de];W[gb];B[ef];W[cb];B[da];W[cc]"
    position = read_sgf(make_game("havannah:4"), TWOGTP.format(7, havannah).encode())
    assert position.result == 1.0 and len(position.moves) == 22  # White has won


def test_games_that_gogui_twogtp_saved_of_squares():
    """With --no-hexagons rows are counted from the bottom; the file tells how programs were run."""
    commands = "C[Black command: uctlab gtp --client gogui --no-hexagons\nWhite command: gtp]\n"
    hexes = f"{commands};B[dd];W[db];B[cb];W[ca];B[ba];W[dc];B[cc];W[de];B[ee]"
    position = read_sgf(make_game("hex:5"), TWOGTP.format(5, hexes).encode())
    assert position.result == 1.0 and position.moves[0] == 8  # d2
    havannah = f"{commands};B[ce];W[ed];B[aa];W[ac];B[ee];W[dd];B[de]"
    position = read_sgf(make_game("havannah:3"), TWOGTP.format(5, havannah).encode())
    assert position.result == 0.0 and len(position.moves) == 7  # Black, who has begun, has won


KOMI = {"375": 7.5, "3.75": 7.5, "325": 6.5, "650": 6.5, "0": 0, "-5.5": -5.5}


@pytest.mark.parametrize(("km", "komi"), KOMI.items())
def test_komi_of_other_programs(km, komi):
    """In hundredths, and in stones of area, each of which is two points."""
    game = sgf_game(f"(;GM[1]SZ[9]KM[{km}];B[ee])".encode())
    assert game.options["komi"] == komi


def test_a_komi_of_our_own_is_what_it_says():
    large = make_game("go:9,komi=375")
    assert sgf_game(write_sgf(Position.start(large))).name == large.name
