"""Tic-tac-toe on a board of any size: a game to start from.

    uctlab check examples/tic_tac_toe.py
    uctlab play examples/tic_tac_toe.py --playouts 2000
    uctlab lab examples/tic_tac_toe.py
    uctlab match examples/tic_tac_toe.py:5,row=4 uct mc --games 20 --playouts 500

A game is a record that holds a position, and a few functions that change it. Functions marked
@kernel are compiled: they use numbers, loops and the fields of the record, and make no lists or
arrays. `python -m pydoc uctlab.games.api` says what else they, and a game, may have.
"""

import numpy as np

from uctlab import Diagram, Game, UsageError, hole, kernel

# make() fills these in: kernels are compiled anew for each board.
SIZE: int = hole("game.SIZE")
ROW: int = hole("game.ROW")

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


@kernel
def start(s):
    """Makes the first position; every field has to be set."""
    for cell in range(SIZE * SIZE):
        s.cells[cell] = 0
    s.winner = 0
    s.turn = 0


@kernel
def moves(s, out):
    """Writes the legal moves to `out` and returns their number: 0 when the game is over."""
    if s.winner != 0:
        return 0
    count = 0
    for cell in range(SIZE * SIZE):
        if s.cells[cell] == 0:
            out[count] = cell
            count += 1
    return count


@kernel
def stones_on_one_side(s, cell, right, down):
    """How many stones of the same owner follow that cell without a gap."""
    count = 0
    x = cell % SIZE + right
    y = cell // SIZE + down
    while 0 <= x < SIZE and 0 <= y < SIZE and s.cells[y * SIZE + x] == s.cells[cell]:
        count += 1
        x += right
        y += down
    return count


@kernel
def is_in_a_row(s, cell):
    """Whether the stone on that cell is part of a row that wins."""
    for i in range(len(DIRECTIONS)):
        right, down = DIRECTIONS[i]
        before = stones_on_one_side(s, cell, -right, -down)
        if before + 1 + stones_on_one_side(s, cell, right, down) >= ROW:
            return True
    return False


@kernel
def play(s, move):
    """Makes a legal move. The turn always changes: where a player must pass, a pass is a move."""
    s.cells[move] = 1 + s.turn
    if is_in_a_row(s, move):
        s.winner = 1 + s.turn
    s.turn = 1 - s.turn


@kernel
def result(s):
    """Of a game that is over: 1 if the first player has won, 0 if the second, 0.5 for a draw."""
    if s.winner == 0:
        return 0.5
    return 1.0 if s.winner == 1 else 0.0


@kernel
def stones(s, out):
    """For the diagram: whose stone is on each cell, 1 or 2, and 0 for none."""
    for cell in range(SIZE * SIZE):
        out[cell] = s.cells[cell]


@kernel
def setup(s, stones, turn):
    """The reverse of `stones`: makes that position, and returns whether it is acceptable."""
    start(s)
    for cell in range(SIZE * SIZE):
        s.cells[cell] = stones[cell]
    for cell in range(SIZE * SIZE):
        if s.cells[cell] != 0 and is_in_a_row(s, cell):
            s.winner = s.cells[cell]
    s.turn = turn
    return s.winner != 1 + turn  # who has won is not to move


def make(size: int = 3, row: int = 3) -> Game:
    """Its parameters are the game's options; each needs a default."""
    if not 2 <= size <= 9 or not 2 <= row <= size:
        raise UsageError(f"size is 2 to 9 and row 2 to the size, not {size} and {row}")
    cells = size * size
    return Game(
        name=f"tic_tac_toe:{size},row={row}",
        state=np.dtype(
            [("cells", "i1", (cells,)), ("winner", "i1"), ("turn", "i1")],
            align=True,
        ),
        start=start,
        moves=moves,
        play=play,
        result=result,
        max_moves=cells,  # in any position
        max_length=cells,  # of any game
        # A move is a number, the index of its name.
        move_names=tuple(f"{'abcdefghi'[cell % size]}{1 + cell // size}" for cell in range(cells)),
        constants={"SIZE": size, "ROW": row},
        # The rest is for diagrams of the board, and may be left out: all three or none.
        diagram=Diagram(
            rows=tuple(tuple(range(y * size, (y + 1) * size)) for y in range(size)),
            labels=tuple(str(1 + y) for y in range(size)),
            columns="abcdefghi"[:size],
        ),
        stones=stones,
        setup=setup,
        setup_violation="the player to move has won already",
    )
