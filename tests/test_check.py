"""The conformance check passes good games and finds each planted fault."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.patience import jump_while
from uctlab.games import ConformanceError, check, check_chances, check_walk, guard, make_game
from uctlab.kernels import below, hole, kernel

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
LONELY = str(Path(__file__).parent / "third_party_game.py")
SOUND = ["othello", "hex:4", "hex:4,swap=on", "havannah:3", "go:4"]


@pytest.fixture
def few_playouts(monkeypatch):
    """Fewer playouts whose first moves and results are counted, and less room beyond a limit."""
    monkeypatch.setattr(guard, "RESERVE", 10000)
    monkeypatch.setattr(check_chances, "MOST", 600)
    monkeypatch.setattr(check_chances, "LEAST", 600)


@pytest.mark.parametrize("spec", [*SOUND, EXAMPLE, LONELY])
def test_sound_games_pass(spec, few_playouts):
    report = check(make_game(spec), games=5)
    assert report.games == 5 and report.plies > 10 and report.playouts > 0
    assert "keeps the contract" in str(report)


@pytest.mark.parametrize("spec", ["hex:2", "havannah:2", "go:2"])
def test_smallest_boards_pass(spec, few_playouts):
    """In plain Python, which finds a wrong index too."""
    assert check(make_game(spec), games=5, compiled=False).plies > 2


@pytest.mark.parametrize("spec", ["hex:19", "havannah:10", "go:19"])
def test_largest_boards_pass(spec, monkeypatch):
    monkeypatch.setattr(check_chances, "MOST", 50)  # arrays and limits are what matters here
    monkeypatch.setattr(check_chances, "LEAST", 50)
    monkeypatch.setattr(check_walk, "PLAIN_PLIES", 20)
    monkeypatch.setattr(check_walk, "MAX_PLAYOUTS", 1)
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


def found(game, says, **options):
    """The message of the check, which must find the fault without compiling anything."""
    with pytest.raises(ConformanceError, match=says) as caught:
        check(game, compiled=False, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_pile_game_is_sound():
    assert check(pile()).plies > 50
    assert str(check(pile(), compiled=False)).endswith("playouts, interpreted")


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


@kernel
def forgets_to_count(s):
    s.turn = 0


@kernel
def play_on(s, rng, trace, first, chance):
    """Random moves, one instead of two with a chance in eight from the `first` move on."""
    length = 0
    while s.left > 0:
        move = below(rng, min(2, np.int64(s.left)))
        if length >= first and below(rng, 8) < chance:
            move = 0
        if TRACE:
            trace[length] = move
        length += 1
        s.left -= move + 1
        s.turn ^= 1
    return result(s), length


@kernel
def takes_one_only(s, rng, out, trace):
    return play_on(s, rng, trace, 0, 8)


@kernel
def prefers_one(s, rng, out, trace):
    return play_on(s, rng, trace, 0, 2)


@kernel
def drifts(s, rng, out, trace):
    """Only the first move is uniform."""
    return play_on(s, rng, trace, 1, 8)


@kernel
def breaks_late(s, move):
    s.left -= move + 1
    if s.left > 3:
        s.turn ^= 1


FAULTS = [
    ({"start": start_for_the_second}, "not the first player's turn"),
    ({"moves": lists_a_move_twice}, "listed twice"),
    ({"moves": takes_while_it_looks}, "moves changes the position"),
    ({"play": forgets_the_turn}, "turn does not change"),
    ({"play": never_ends}, "73 moves or more and max_length is 9: .* exceeded by 64 or more"),
    ({"start": forgets_to_count}, "start leaves left unset, or varies"),
    ({"result": result_of_the_mover}, "not 0, 0.5 or 1"),
    ({"playouts": {"uniform": stops_early}}, "stops before the end"),
    ({"playouts": {"uniform": lies_about_the_result}}, "the result does not fit"),
    ({"playouts": {"uniform": makes_an_illegal_move}}, "illegal move"),
    ({"playouts": {"uniform": always_traces}}, "writes trace where playout.TRACE is false"),
    ({"playouts": {"heavy": stops_early}}, "no playout policy named 'uniform'"),
    ({"max_moves": 1}, "moves lists 2 moves and max_moves is 1: max_moves is exceeded by 1"),
    ({"max_length": 2}, r"uniform playout: \d moves and max_length is 2: max_length is exceeded"),
    ({"max_length": 0}, "max_length is 0, not at least 1"),
    (
        {"playouts": {"uniform": takes_one_only}},
        "its first moves are not uniform: two came first 0",
    ),
    ({"playouts": {"uniform": prefers_one}}, "its first moves are not uniform: two came first"),
    ({"playouts": {"uniform": drifts}}, "its results are not those of random moves"),
    ({"move_names": ("one", "one")}, "the same name"),
    ({"move_names": ("one",)}, "has no name"),
    ({"stones": pile_moves}, "belong together"),
    ({"state": np.dtype([("left", "i4"), ("scratch_sum", "i4")], align=True)}, "no field 'turn'"),
    ({"state": np.dtype([("left", "i4"), ("turn", "i1")])}, "align=True"),
    ({"state": np.dtype([("sum", "i4"), ("turn", "i1")], align=True)}, "needs another name"),
]


@pytest.mark.parametrize(("fault", "says"), FAULTS, ids=[says for _, says in FAULTS])
def test_each_fault_is_found(fault, says, few_playouts):
    found(replace(pile(), **fault), says)


def test_a_message_says_where():
    text = found(replace(pile(), play=breaks_late), "the turn does not change")
    assert "(interpreted, after" in text


four = make_game(EXAMPLE)
four_setup, four_stones, four_moves = four.setup, four.stones, four.moves


@kernel
def setup_that_forgets_the_win(s, stones, turn):
    possible = four_setup(s, stones, turn)
    s.won = 0
    return possible


@kernel
def setup_that_leaves_the_win(s, stones, turn):
    won = s.won
    possible = four_setup(s, stones, turn)
    if s.won == 0:
        s.won = won
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
    count = four_moves(s, out)
    return count if two == 2 or count < 2 else count - 1


@kernel
def start_wide(s):
    start(s)
    for i in range(3):
        s.wide[i] = 0


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
    ({"setup": setup_that_leaves_the_win}, "setup leaves won unset"),
]


@pytest.mark.parametrize(("fault", "says"), FOUR_FAULTS)
def test_faults_of_a_board_game_are_found(fault, says):
    found(replace(four, **fault), says)


def test_compiled_and_plain_must_agree():
    with pytest.raises(ConformanceError, match=r"compiled and plain legal .*\(compiled, at the s"):
        check(replace(four, moves=moves_that_add_booleans), games=1)


def test_an_index_out_of_range_is_no_crash():
    wide = np.dtype(
        [("left", "i4"), ("scratch_sum", "i4"), ("wide", "u1", (3,)), ("turn", "i1")], align=True
    )
    broken = replace(pile(), state=wide, start=start_wide, play=play_beyond_the_record)
    text = found(broken, "an array is too short")
    assert line_of("s.wide[s.left] = 1") in text


@kernel
def misspelt(s, move):
    s.lef -= move
    s.turn ^= 1


def line_of(source):
    lines = Path(__file__).read_text().splitlines()
    return f"test_check.py, line {1 + next(i for i, line in enumerate(lines) if source in line)}"


def test_a_kernel_with_a_mistake_is_one_line():
    text = found(replace(pile(), play=misspelt), "^pile: the uniform playout: .*lef")
    assert line_of("s.lef -= move") in text


# What only compiled code does: these faults show in none of the games in plain Python.


@kernel
def long_in_machine_code(s, rng, out, trace):
    """Seven moves more than there is room for, in one playout in a thousand."""
    length = 0
    while s.left > 0:
        move = below(rng, min(2, np.int64(s.left)))
        if TRACE:
            trace[length] = move
        length += 1
        s.left -= move + 1
        s.turn ^= 1
    if s.turn >= 0 and below(rng, 1000) == 0:
        for i in range(length, 16):
            if TRACE:
                trace[i] = 0
        length = 16
    return result(s), length


@kernel
def crashes_in_machine_code(s, rng, out, trace):
    """True + True is 2 there, and True in NumPy."""
    if (s.turn >= 0) + (s.turn <= 1) == 2:
        for i in range(1 << 40):
            trace[i] = 1
    return play_on(s, rng, trace, 0, 0)


@kernel
def hangs_in_machine_code(s, rng, out, trace):
    while (s.turn >= 0) + (s.turn <= 1) == 2:
        s.scratch_sum += 1
    return play_on(s, rng, trace, 0, 0)


def test_a_rare_playout_that_is_too_long_is_measured():
    with pytest.raises(ConformanceError, match=r"16 moves and max_length is 9: .* by 7 \(compiled"):
        check(replace(pile(), playouts={"uniform": long_in_machine_code}), games=1)


def test_a_crash_is_told_in_a_line():
    broken = replace(pile(), playouts={"uniform": crashes_in_machine_code})
    says = "pile: the check was killed by SIG[A-Z]+ while running the uniform playout, compiled, at"
    with pytest.raises(ConformanceError, match=says):
        check(broken, games=1)


def test_a_playout_that_never_ends_meets_the_limit(monkeypatch):
    jump_while(monkeypatch, "running the uniform playout, compiled")
    broken = replace(pile(), playouts={"uniform": hangs_in_machine_code})
    says = "not done after 900 s, while running the uniform playout, compiled, at the start"
    with pytest.raises(ConformanceError, match=says):
        check(broken, games=1)
