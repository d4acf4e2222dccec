"""The conformance check passes good games and finds each planted fault."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from uctlab.games import ConformanceError, check, make_game
from uctlab.kernel import hole, kernel

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
SOUND = ["othello", "hex:2", "hex:5", "hex:4,swap=on", "havannah:2", "havannah:4", "go:4"]


@pytest.mark.parametrize("spec", [*SOUND, EXAMPLE])
def test_sound_games_pass(spec):
    report = check(make_game(spec), games=10)
    assert report.games == 10 and report.plies > 20 and report.playouts > 0
    assert "keeps the contract" in str(report)


@pytest.mark.parametrize("spec", ["hex:19", "havannah:10", "go:19"])
def test_largest_boards_pass(spec):
    assert check(make_game(spec), games=1).plies > 60


PILE = np.dtype([("left", "i4"), ("scratch_sum", "i4"), ("turn", "i1")], align=True)
moves, play, result = hole("game.moves"), hole("game.play"), hole("game.result")
TRACE: bool = hole("playout.TRACE")


@kernel
def start(s):
    s.left = 9
    s.turn = 0


@kernel
def pile_moves(s, out):
    s.scratch_sum += 1
    count = min(2, np.int64(s.left))
    for i in range(count):
        out[i] = i
    return count


@kernel
def pile_play(s, move):
    s.left -= move + 1
    s.turn ^= 1


@kernel
def pile_result(s):
    return 1.0 if s.turn == 1 else 0.0


def pile():
    """Take one or two; who takes the last has won."""
    return make_game("othello").__class__(
        name="pile",
        state=PILE,
        start=start,
        moves=pile_moves,
        play=pile_play,
        result=pile_result,
        max_moves=2,
        max_length=9,
        move_names=("one", "two"),
    )


def test_the_pile_game_is_sound():
    assert check(pile()).plies > 50


@kernel
def start_for_the_second(s):
    s.left = 9
    s.turn = 1


@kernel
def lists_a_move_twice(s, out):
    count = min(2, np.int64(s.left))
    for i in range(count):
        out[i] = 0
    return count


@kernel
def takes_while_it_looks(s, out):
    s.left -= 1
    return pile_moves(s, out)


@kernel
def forgets_the_turn(s, move):
    s.left -= move + 1


@kernel
def never_ends(s, move):
    s.turn ^= 1


@kernel
def result_of_the_mover(s):
    return 1.0 if s.turn == 1 else -1.0


@kernel
def stops_early(s, rng, out, trace):
    return 1.0, 0


@kernel
def lies_about_the_result(s, rng, out, trace):
    length = 0
    while s.left > 0:
        if TRACE:
            trace[length] = 0
        length += 1
        s.left -= 1
        s.turn ^= 1
    return 1.0 - result(s), length


@kernel
def makes_an_illegal_move(s, rng, out, trace):
    if TRACE:
        for i in range(5):
            trace[i] = 1
    return 1.0, 5


@kernel
def always_traces(s, rng, out, trace):
    length = 0
    while s.left > 0:
        trace[length] = 0
        length += 1
        s.left -= 1
        s.turn ^= 1
    return result(s), length


FAULTS = [
    ({"start": start_for_the_second}, "not the first player's turn"),
    ({"moves": lists_a_move_twice}, "listed twice"),
    ({"moves": takes_while_it_looks}, "moves changes the position"),
    ({"play": forgets_the_turn}, "turn does not change"),
    ({"play": never_ends}, "beyond max_length|array is too short"),
    ({"result": result_of_the_mover}, "not 0, 0.5 or 1"),
    ({"playouts": {"uniform": stops_early}}, "stops before the end"),
    ({"playouts": {"uniform": lies_about_the_result}}, "the result does not fit"),
    ({"playouts": {"uniform": makes_an_illegal_move}}, "illegal move"),
    ({"playouts": {"uniform": always_traces}}, "writes trace where playout.TRACE is false"),
    ({"playouts": {"heavy": stops_early}}, "no playout policy named 'uniform'"),
    ({"max_moves": 1}, "max_moves is exceeded"),
    ({"max_length": 2}, "array is too short"),
    ({"move_names": ("one", "one")}, "the same name"),
    ({"move_names": ("one",)}, "has no name"),
    ({"stones": pile_moves}, "belong together"),
    ({"state": np.dtype([("left", "i4"), ("scratch_sum", "i4")], align=True)}, "no field 'turn'"),
    ({"state": np.dtype([("left", "i4"), ("turn", "i1")])}, "align=True"),
    ({"state": np.dtype([("sum", "i4"), ("turn", "i1")], align=True)}, "needs another name"),
]


@pytest.mark.parametrize(("fault", "says"), FAULTS, ids=[says for _, says in FAULTS])
def test_each_fault_is_found(fault, says):
    with pytest.raises(ConformanceError, match=says):
        check(replace(pile(), **fault))


four = make_game(EXAMPLE)
four_setup, four_stones, four_moves = four.setup, four.stones, four.moves


@kernel
def setup_that_forgets_the_win(s, stones, turn):
    possible = four_setup(s, stones, turn)
    s.won = 0
    return possible


@kernel
def setup_for_the_other_player(s, stones, turn):
    return four_setup(s, stones, 1 - turn)


@kernel
def setup_that_refuses(s, stones, turn):
    return four_setup(s, stones, turn) and s.both == np.uint64(0)


@kernel
def stones_of_nobody(s, out):
    for cell in range(len(out)):
        out[cell] = 0


@kernel
def moves_that_add_booleans(s, out):
    """True + True is 2 in machine code and True in NumPy."""
    two = (s.turn >= 0) + (s.turn <= 1)
    return four_moves(s, out) - (0 if two == 2 else 1)


@kernel
def play_beyond_the_record(s, move):
    s.left -= move + 1
    s.turn ^= 1
    s.wide[s.left] = 1


FOUR_FAULTS = [
    ({"setup": setup_that_forgets_the_win}, "setup changes which moves are legal"),
    ({"setup": setup_for_the_other_player}, "setup and stones do not agree"),
    ({"setup": setup_that_refuses}, "setup refuses a position"),
    ({"stones": stones_of_nobody}, "setup changes which moves are legal"),
    ({"moves": moves_that_add_booleans}, "compiled and plain"),
]


@pytest.mark.parametrize(("fault", "says"), FOUR_FAULTS)
def test_faults_of_a_board_game_are_found(fault, says):
    with pytest.raises(ConformanceError, match=says):
        check(replace(four, **fault))


def test_an_index_out_of_range_is_no_crash():
    wide = np.dtype(
        [("left", "i4"), ("scratch_sum", "i4"), ("wide", "u1", (3,)), ("turn", "i1")], align=True
    )
    with pytest.raises(ConformanceError, match="an array is too short"):
        check(replace(pile(), state=wide, play=play_beyond_the_record))


@kernel
def misspelt(s, move):
    s.lef -= move
    s.turn ^= 1


def test_a_kernel_that_cannot_be_compiled_is_one_line():
    with pytest.raises(ConformanceError, match=r"^pile: \w+: .*lef") as caught:
        check(replace(pile(), play=misspelt))
    assert "\n" not in str(caught.value)
