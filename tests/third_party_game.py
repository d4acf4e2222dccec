"""Lonely, a game that uctlab has never heard of: stones count, but a stone alone is dead.

White, who moves first, and Black put stones on empty cells or pass; two passes end the game.
By the rules all stones count, and Black gets the komi. Programs stop earlier: the referee first
takes off stones that touch no stone of their own colour. Over GTP either colour may move.
"""

from dataclasses import replace

import numpy as np

from uctlab.games import Game, GtpHabits, Position, Verdict
from uctlab.games.diagram import letter_number_names, square_diagram
from uctlab.kernels import hole, kernel

CELLS: int = hole("game.CELLS")
KOMI: float = hole("game.KOMI")


@kernel
def start(s):
    for cell in range(CELLS):
        s.owner[cell] = 0
    s.passes = 0
    s.turn = 0


@kernel
def moves(s, out):
    if s.passes >= 2:
        return 0
    count = 0
    for cell in range(CELLS):
        if s.owner[cell] == 0:
            out[count] = cell
            count += 1
    out[count] = CELLS
    return count + 1


@kernel
def play(s, move):
    if move == CELLS:
        s.passes += 1
    else:
        s.owner[move] = s.turn + 1
        s.passes = 0
    s.turn ^= 1


@kernel
def result(s):
    lead = -KOMI
    for cell in range(CELLS):
        if s.owner[cell] != 0:
            lead += 3.0 - 2.0 * s.owner[cell]
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@kernel
def stones(s, out):
    for cell in range(CELLS):
        out[cell] = s.owner[cell]


@kernel
def setup(s, stones, turn):
    start(s)
    for cell in range(CELLS):
        s.owner[cell] = stones[cell]
    s.turn = turn
    return True


@kernel
def same_board(a, b):
    """Boards never repeat but by passes, which a set-up forgets."""
    for cell in range(CELLS):
        if a.owner[cell] != b.owner[cell]:
            return False
    return True


def referee(position: Position) -> Verdict:
    """Every stone is a chain; those without a neighbour of their own colour are dead."""
    size, komi = position.game.options["size"], position.game.options["komi"]
    board = np.pad(position.stones.reshape(size, size), 1)
    lead, chains = -komi, {}
    for cell in np.flatnonzero(position.stones):
        y, x = divmod(int(cell), size)
        around = (board[y, x + 1], board[y + 2, x + 1], board[y + 1, x], board[y + 1, x + 2])
        owner = board[y + 1, x + 1]
        chains[frozenset({int(cell)})] = "alive" if owner in around else "dead"
        lead += (3 - 2 * int(owner)) * (owner in around)
    return Verdict(lead, chains)


def turned(position: Position, player: int) -> Position:
    """Whoever wants to move is to move."""
    state = position.game.new_states(1)
    state[0] = position.state
    state[0].passes, state[0].turn = 0, player
    return Position(position.game, state[0], position, position.last_move)


def make(size: int = 3, komi: float = 0.5) -> Game:
    """Lonely on a square board; komi is what Black gets."""
    cells = size * size
    columns = "abcdefghjk"[:size]
    return Game(
        name=f"lonely:{size},komi={komi:g}",
        state=np.dtype([("owner", "i1", (cells,)), ("passes", "i1"), ("turn", "i1")], align=True),
        start=start,
        moves=moves,
        play=play,
        result=result,
        constants={"CELLS": cells, "KOMI": float(komi)},
        max_moves=cells + 1,
        max_length=2 * cells + 2,
        move_names=(*letter_number_names(size), "pass"),
        players=("White", "Black"),
        diagram=replace(square_diagram(size, columns, top_label=1), stones_tell_turn=False),
        stones=stones,
        setup=setup,
        same_board=same_board,
        referee=referee,
        gtp=GtpHabits(turned=turned, handicaps={2: (0, cells - 1)}, commands=(f"komi {komi:g}",)),
        sgf_root={"GM": "Lonely", "SZ": str(size)},
    )
