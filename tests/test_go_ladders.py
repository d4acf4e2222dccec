"""Ladders: diagrams, and random boards compared with a slow twin."""

import random

import pytest

from tests.naive.go import Board
from tests.test_go_safety import owners_of, random_board
from uctlab.games import Position, make_game
from uctlab.games.go.ladders import LadderReader

RUNS = """
. . . . . . .
. . O . . . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
. . . . . . .
X to play
"""


def read(diagram, name):
    size = len(diagram.split("\n")[1].split())
    game = make_game(f"go:{size}").interpreted()
    position = Position.from_diagram(game, diagram)
    return LadderReader(position.stones.tolist(), size).moves_to_capture(game.parse_move(name))


def test_a_lone_stone_with_an_open_side_escapes():
    assert read(RUNS, "c5") is None


LADDER = """
. . . . . . .
. . O O . . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
. . . . . . .
X to play
"""


def test_a_ladder_runs_to_the_edge():
    """d5 e5 d4 d3 e4 f4 e3 e2 f3 g3 f2 f1 g2, and g1 captures."""
    assert read(LADDER, "c5") == 14


@pytest.mark.parametrize(("row", "column"), [(3, 4), (4, 5), (5, 5)])
def test_a_breaker_on_its_way(row, column):
    lines = [line.split() for line in LADDER.strip().split("\n")]
    lines[row][column] = "X"
    assert read("\n" + "\n".join(map(" ".join, lines)) + "\n", "c5") is None


def test_a_stone_of_the_hunter_on_its_way_shortens_it():
    lines = [line.split() for line in LADDER.strip().split("\n")]
    lines[4][4] = "O"
    caught = read("\n" + "\n".join(map(" ".join, lines)) + "\n", "c5")
    assert caught is not None and caught < 14


EDGE = """
. . . . .
. . . . .
. . . . .
O O . . .
O X . . .
X to play
"""


def test_along_the_edge():
    """c1 c2 d1 d2 e1, and e2 captures."""
    assert read(EDGE, "b1") == 6


CORNER = """
. . . . .
. . . . .
O O . . .
X X O . .
. X O . .
X to play
"""


def test_a_move_that_leaves_no_liberty_is_no_move():
    assert read(CORNER, "a2") == 0


CAPTURED = """
. . . . . .
. . X . . .
. X O . . .
. O X . . .
. X O . . .
. . . . . .
X to play
"""


def test_the_prey_captures_what_attacks_it():
    """c4 is taken at d4, and c3 has liberties enough."""
    assert read(CAPTURED, "c3") is None


LATER = """
. . . . . . .
. . O O X . .
. O X . . . .
. . O . . . .
. . . . . . .
. . . . . . .
. . . . . . .
X to play
"""


def test_a_stone_beside_the_way_gives_atari_to_the_hunter():
    assert read(LATER, "c5") is None


KO = """
. X O . .
X O . O .
. X O . .
. . . . .
. . . . .
X to play
"""


def test_ko_is_obeyed():
    """b5 is saved by the capture at c4; where that is ko it runs to a5, and a3 captures."""
    game = make_game("go:5").interpreted()
    owners = Position.from_diagram(game, KO).stones.tolist()
    at, ko = game.parse_move("b5"), game.parse_move("c4")
    assert LadderReader(owners, 5).moves_to_capture(at) is None
    assert LadderReader(owners, 5, ko).moves_to_capture(at) == 2


def naive(board, stone, prey):
    """Moves until capture with the longest resistance, or None; the hunter's best is the shortest.

    `board.turn` moves; every move that may matter is tried, by the rules of the naive board.
    """
    stones, liberties = board.chain(board.cells, stone)
    if board.turn == prey:
        moves = set(liberties)
        for near in {near for at in stones for near in board.near(at)}:
            if board.cells[near] == 1 - prey:
                free = board.chain(board.cells, near)[1]
                moves |= free if len(free) == 1 else set()
        lengths = [naive(played(board, m), stone, prey) for m in moves if legal(board, m)]
        return None if None in lengths else 1 + max(lengths, default=-1)
    if len(liberties) != 2:
        return 1 if len(liberties) == 1 else None
    lengths = [naive(played(board, m), stone, prey) for m in liberties if legal(board, m)]
    caught = [length for length in lengths if length is not None]
    return 1 + min(caught) if caught else None


def legal(board, move):
    return board.allowed(move, superko=False)


def played(board, move):
    after = board.copy()
    after.play(move)
    return after


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_random_boards(size):
    """Caught or not is the same; a hunter that takes the first way may take longer."""
    rng, seen = random.Random(size), []
    while len(seen) < 150:
        board = random_board(rng, size)
        for stone, owner in enumerate(board.cells):
            if owner == board.turn and len(board.chain(board.cells, stone)[1]) == 1:
                wanted = naive(board, stone, owner)
                found = LadderReader(owners_of(board).tolist(), size).moves_to_capture(stone)
                assert (found is None) == (wanted is None)
                assert found is None or found >= wanted
                seen.append(found)
    assert any(found is None for found in seen) and any(found and found >= 4 for found in seen)


def test_a_board_is_left_as_it_was():
    board = Board.from_stones(5, {0: 0, 1: 1}, turn=0)
    owners = owners_of(board).tolist()
    before = list(owners)
    LadderReader(owners, 5).moves_to_capture(0)
    assert owners == before


def test_a_ladder_across_the_largest_board():
    """From c17 to the far corner, well within the positions that are looked at."""
    stones = {(2, 2): 1, (1, 2): 2, (1, 3): 2, (2, 1): 2, (3, 2): 2}
    owners = [stones.get(divmod(cell, 19), 0) for cell in range(19 * 19)]
    assert LadderReader(owners, 19).moves_to_capture(2 * 19 + 2) == 62
