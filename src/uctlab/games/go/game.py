"""The rules of Go: area scoring, no suicide, two passes end the game.

       A B C
    3  . . .        Move y * SIZE + x with row 0 at the top; move SIZE * SIZE is the pass.
    2  . . .
    1  . . .

Kernels know only simple ko. A `Position` obeys positional superko, by means of `same_board`.
"""

from __future__ import annotations

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.border import steps
from uctlab.games.diagram import GO_COLUMNS, go_names, sgf_square_names, square_diagram
from uctlab.games.go import light, policy
from uctlab.games.go.board import (
    BORDER,
    EMPTY,
    area_lead,
    code_of,
    find_empty,
    index_of,
    is_open,
    legal_shut,
    result_of,
    state_dtype,
)
from uctlab.games.go.eyes import prune
from uctlab.games.go.gtp import habits
from uctlab.games.go.patterns import AROUND, pattern_table
from uctlab.games.go.placing import place
from uctlab.games.go.priors import priors
from uctlab.games.go.referee import area_without, judge, standing_lead
from uctlab.games.go.root_filter import root_filter
from uctlab.games.go.safety import idle_moves
from uctlab.games.go.trained_priors import trained_priors
from uctlab.games.go.trained_weights import trained_weights
from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")
# SIZE + 1: a row's left border is also the right border of the row above.
WIDTH: int = hole("game.WIDTH")
KOMI: float = hole("game.KOMI")

LARGE_BOARD = {"rave_initial": 0.9, "length_cost": 0.00028}  # Fuego's numbers, from 15x15 on


@kernel
def start(s):
    for at in range((SIZE + 2) * WIDTH + 1):
        s.color[at] = BORDER
        s.head[at] = 0
        s.next[at] = 0
        s.liberties[at] = 0
        s.stones[at] = 0
    for code in range(SIZE * SIZE):
        at = index_of(code)
        s.color[at] = EMPTY
        s.empties[code] = at
    s.count = SIZE * SIZE
    s.lead = 0
    s.ko = 0
    s.last = 0
    s.last2 = 0
    s.komi = KOMI
    s.passes = 0
    s.turn = 0


@kernel
def moves(s, out):
    if s.passes >= 2:
        return 0
    color = np.int64(s.turn) + 1
    count = 0
    for i in range(s.count):
        at = np.uint64(s.empties[i])
        if is_open(s, at) or legal_shut(s, at, color):
            out[count] = code_of(at)
            count += 1
    out[count] = SIZE * SIZE
    return count + 1


@kernel
def play(s, move):
    s.last2 = s.last
    if move == SIZE * SIZE:
        s.passes += 1
        s.ko = 0
        s.last = 0
    else:
        at = index_of(np.int64(move))
        s.passes = 0
        place(s, find_empty(s, at), np.int64(s.turn) + 1)
        s.last = at
    s.turn ^= 1


@kernel
def result(s):
    return result_of(area_lead(s), s.komi)


@kernel
def stones(s, out):
    for code in range(SIZE * SIZE):
        out[code] = s.color[index_of(code)]


@kernel
def setup(s, stones, turn):
    """False if a chain has no liberty."""
    start(s)
    for code in range(SIZE * SIZE):
        if stones[code] != EMPTY:
            at = index_of(code)
            place(s, find_empty(s, at), np.int64(stones[code]))
    s.turn = turn
    s.ko = 0
    for code in range(SIZE * SIZE):
        if stones[code] != s.color[index_of(code)]:
            return False
    for code in range(SIZE * SIZE):
        if stones[code] != EMPTY and s.liberties[s.head[index_of(code)]] == 0:
            return False
    return True


@kernel
def same_board(a, b):
    for at in range(WIDTH, (SIZE + 1) * WIDTH + 1):
        if a.color[at] != b.color[at]:
            return False
    return True


def make(size: int = 9, komi: float = 7.5) -> Game:
    """Go, area scoring; komi is what White gets for moving second."""
    if not 2 <= size <= 19:
        raise UsageError(f"go: size {size} is out of range; accepted: 2 to 19")
    if not (2 * komi).is_integer() or abs(komi) > 1000:
        raise UsageError(f"go: komi {komi} is not accepted; accepted: halves such as 0, 5.5, 7.5")
    width = size + 1
    return Game(
        name=f"go:{size}" + (f",komi={komi:g}" if komi != 7.5 else ""),
        state=state_dtype(size),
        start=start,
        moves=moves,
        play=play,
        result=result,
        playouts={"uniform": light.playout, "heavy": policy.playout},
        playout_moves=light.playout_moves,
        playout_parts=policy.PARTS,
        grading_part="score",
        preset_numbers=LARGE_BOARD if size >= 15 else {},
        priors=priors,
        trained_priors=trained_priors,
        prune=prune,
        root_filter=root_filter,
        constants={
            "SIZE": size,
            "WIDTH": width,
            "KOMI": komi,
            "NEAR": steps(width, ((-1, 0), (1, 0), (0, -1), (0, 1))),
            "DIAGONAL": steps(width, ((-1, -1), (1, -1), (-1, 1), (1, 1))),
            "AROUND": steps(width, AROUND),
            "PATTERNS": pattern_table(),
            "WEIGHTS": trained_weights(),
            "MERCY_STONES": int(0.3 * size * size),
        },
        agent="fuego",
        max_moves=size * size + 1,
        max_length=3 * size * size,
        move_names=(*go_names(size), "pass"),
        diagram=square_diagram(size, GO_COLUMNS[:size], top_label=size, stones_tell_turn=False),
        stones=stones,
        setup=setup,
        setup_violation="a chain has no liberty",
        same_board=same_board,
        point_lead=standing_lead,
        area=area_without,
        referee=judge,
        idle_moves=idle_moves,
        gtp=habits(size, komi),
        sgf_root={"GM": "1", "SZ": str(size), "KM": f"{komi:g}"},
        sgf_points=(*sgf_square_names(size), ""),
    )
