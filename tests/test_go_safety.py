"""Benson's theorem and what follows from it, compared with brute force on small boards."""

import itertools
import random

import numpy as np
import pytest

from tests.naive.go import Board
from uctlab.games import Position, make_game
from uctlab.games.go.safety import idle_moves, safety


def owners_of(board):
    return np.array([0 if owner is None else owner + 1 for owner in board.cells], np.int8)


def random_board(rng, size):
    """Crowded, since chains are seldom safe on an open board."""
    while True:
        density = rng.choice([0.5, 0.65, 0.8])
        bias = rng.choice([0.5, 0.75, 0.9])
        stones = {
            point: int(rng.random() > bias)
            for point in range(size * size)
            if rng.random() < density
        }
        try:
            return Board.from_stones(size, stones, turn=0, superko=False)
        except AssertionError:  # a chain without liberties
            continue


def attacked(board, attacker):
    """All points that the attacker can capture, moving alone as long as it likes."""
    lost, seen, todo = set(), set(), [tuple(board.cells)]
    while todo:
        cells = todo.pop()
        if cells in seen:
            continue
        seen.add(cells)
        now = Board(board.size, superko=False)
        now.cells, now.turn = list(cells), attacker
        for point, owner in enumerate(cells):
            if owner is None and now.allowed(point, superko=False):
                after, captured = now.after(point)
                lost |= captured
                todo.append(tuple(after))
    return lost


def captures(board, stone, depth):
    """Whether Black captures that stone of White's within so many moves of both."""
    if depth == 0:
        return False
    for move in board.legal():
        if board.turn == 0 and move < board.size**2 and stone in board.after(move)[1]:
            return True
    for move in board.legal():
        after = board.copy()
        after.play(move)
        after.passes = 0  # White may pass for ever
        found = captures(after, stone, depth - 1)
        if found == (board.turn == 0):
            return found
    return board.turn == 1


def stones_and_dead(board, player):
    found = safety(owners_of(board), board.size, player + 1)
    return set(found.stones), set(found.territory), set(found.dead)


@pytest.mark.parametrize(("size", "boards"), [(2, 100), (3, 250), (4, 100)])
def test_safe_chains_are_those_that_cannot_be_captured(size, boards):
    """The theorem says both: safe chains cannot be, and all others can."""
    rng = random.Random(size)
    safe_chains = 0
    for _ in range(boards):
        board = random_board(rng, size)
        if board.cells.count(None) > 7:  # each of them makes it three times slower
            continue
        for player in (0, 1):
            stones = {p for p, owner in enumerate(board.cells) if owner == player}
            safe = stones_and_dead(board, player)[0]
            assert safe == stones - attacked(board, 1 - player), board.cells
            safe_chains += bool(safe)
    assert size == 2 or safe_chains > 20


@pytest.mark.parametrize("size", [3, 4, 5])
def test_dead_stones_can_be_captured(size):
    """Whoever begins, and without a loss of safe chains (that they are safe is tested above)."""
    rng = random.Random(size)
    tried = 0
    for _ in range(60_000):
        board = random_board(rng, size)
        dead = stones_and_dead(board, 0)[2]
        if not dead or board.cells.count(None) > 6:
            continue
        tried += 1
        for stone, turn in itertools.product(dead, (0, 1)):
            board.turn = turn
            assert any(captures(board, stone, depth) for depth in (1, 2, 3, 5, 7, 9)), board.cells
        if tried == 40:
            break
    assert tried > 10


# The left is Black's, the right White's, where two stones of Black's can still be captured.
LAND = """
    X X X X X O O O O
    X X X X X O . O O
    X X X X X O O O .
    X X X X X O O O O
    X X X X . X O . O
    X X X X X X O O O
    X X X X X O O x O
    . X . X X O x . O
    . X X X X O O O O"""
GAME = make_game("go:9")


def names_of_idle(text, turn):
    position = Position.from_diagram(GAME, f"{text.upper()}\n{turn} to play")
    return {GAME.move_name(move) for move in idle_moves(position)}


def test_idle_moves():
    """In eyes and in the other's land, as far as moves are legal there; a capture is not idle."""
    assert names_of_idle(LAND, "X") == {"A1", "A2", "C2", "E5"}
    assert names_of_idle(LAND, "O") == {"G8", "J7", "H5"} | {"A1", "A2"}


def test_moves_that_may_gain_are_not_idle():
    """An open board, the eye of a chain in atari, dead stones in one's own land."""
    assert names_of_idle("\n".join([". . . . . . . . ."] * 9), "X") == set()
    lone = """
        . O . . . . . . .
        O X O . . . . . .
        X . X O . . . . .
        O X O . . . . . .
        . O . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . ."""
    assert names_of_idle(lone, "X") == set()  # C8 and C6 would be lost
    assert names_of_idle(lone, "O") == set()
