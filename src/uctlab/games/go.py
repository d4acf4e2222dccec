"""Go: area scoring, no suicide, two passes end the game.

       A B C
    3  . . .        Move y * SIZE + x with row 0 at the top; move SIZE * SIZE is the pass.
    2  . . .
    1  . . .

Kernels know simple ko only. Positional superko holds in a `Position`, by means of `same_board`.

Stones are kept on a board with a border one point wide; `at` is an index there, unsigned, so that
no code is spent on negative ones. A chain is a ring of stones (`next`) that all name one of them,
the head. The head counts pseudo-liberties: pairs of a stone and an empty neighbour, zero exactly
when the chain has no liberty. Points without a stone name head 0, whose count means nothing, so
that counts can be updated without asking what stands there.
"""

from __future__ import annotations

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.border import steps
from uctlab.games.diagram import square_diagram
from uctlab.games.notation import GO_COLUMNS, go_names, sgf_square_names
from uctlab.kernel import UNBOUND, below, kernel

SIZE: int = UNBOUND
WIDTH: int = UNBOUND  # SIZE + 1: the border column at the left serves the row above at its right
KOMI: float = UNBOUND
NEAR: tuple[np.uint64, ...] = UNBOUND  # steps to the four neighbours
DIAGONAL: tuple[np.uint64, ...] = UNBOUND
TRACE: bool = UNBOUND

# A border point counts as a stone of both: a point is shut in by `color` when
# the colours of its four neighbours have that bit in common.
EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
NO_POINT = np.uint64(0)


def state_dtype(size: int) -> np.dtype:
    board = ((size + 2) * (size + 1) + 1,)
    return np.dtype(
        [
            ("color", "u1", board),
            ("head", "u2", board),
            ("next", "u2", board),
            ("liberties", "i2", board),  # of a head: the chain's pseudo-liberties
            ("stones", "i2", board),  # of a head: the chain's stones
            ("scratch", "u1", board),  # which colours touch an empty point's region
            ("empties", "u2", (size * size,)),
            ("count", "i2"),  # empty points
            ("lead", "i2"),  # Black's stones less White's
            ("ko", "u2"),  # where the player to move may not play, or 0
            ("komi", "f4"),
            ("passes", "i1"),  # in a row, just before this position
            ("turn", "i1"),
        ],
        align=True,
    )


@kernel
def start(s):
    for at in range((SIZE + 2) * WIDTH + 1):
        s.color[at] = BORDER
        s.head[at] = 0
        s.liberties[at] = 0
    for code in range(SIZE * SIZE):
        at = _index(code)
        s.color[at] = EMPTY
        s.empties[code] = at
    s.count = SIZE * SIZE
    s.lead = 0
    s.ko = 0
    s.komi = KOMI
    s.passes = 0
    s.turn = 0


@kernel
def _index(code):
    return np.uint64(code + code // SIZE + WIDTH + 1)


@kernel
def _code(at):
    row = np.int64(at) // WIDTH
    return np.int64(at) - WIDTH - row  # at = (y + 1) * WIDTH + x + 1 and row = y + 1


@kernel
def _merge(s, a, b):
    """Join two chains, given by their heads; the head of the whole."""
    if s.stones[a] < s.stones[b]:
        a, b = b, a
    s.liberties[a] += s.liberties[b]
    s.stones[a] += s.stones[b]
    at = b
    while True:
        s.head[at] = a
        at = np.uint64(s.next[at])
        if at == b:
            break
    s.next[a], s.next[b] = s.next[b], s.next[a]
    return a


@kernel
def _capture(s, first):
    """Take off the chain of that stone; how many stones."""
    head = s.head
    liberties = s.liberties
    count = np.int64(s.count)
    taken = 0
    at = first
    while True:
        s.color[at] = EMPTY
        head[at] = 0
        s.empties[count] = at
        count += 1
        liberties[head[at + NEAR[0]]] += 1
        liberties[head[at + NEAR[1]]] += 1
        liberties[head[at + NEAR[2]]] += 1
        liberties[head[at + NEAR[3]]] += 1
        taken += 1
        at = np.uint64(s.next[at])
        if at == first:
            break
    s.count = count
    return taken


@kernel
def _how_many(color, c0, c1, c2, c3):
    return (
        np.int64(c0 == color)
        + np.int64(c1 == color)
        + np.int64(c2 == color)
        + np.int64(c3 == color)
    )


@kernel
def _place(s, i, color):
    """Put a stone on the empty point number i, which must be legal, and take what it captures."""
    colors = s.color
    head = s.head
    liberties = s.liberties
    after = s.next
    # Step 1. Off the list of empty points, onto the board.
    at = np.uint64(s.empties[i])
    count = np.int64(s.count) - 1
    s.count = count
    s.empties[i] = s.empties[np.uint64(count)]
    colors[at] = color
    # Step 2. The chains around lose a liberty.
    west, east, north, south = at + NEAR[0], at + NEAR[1], at + NEAR[2], at + NEAR[3]
    c0, c1, c2, c3 = colors[west], colors[east], colors[north], colors[south]
    h0, h1 = np.uint64(head[west]), np.uint64(head[east])
    h2, h3 = np.uint64(head[north]), np.uint64(head[south])
    liberties[h0] -= 1
    liberties[h1] -= 1
    liberties[h2] -= 1
    liberties[h3] -= 1
    # Step 3. The stone starts a chain, or joins one and ties others to it.
    free = _how_many(EMPTY, c0, c1, c2, c3)
    own = _how_many(color, c0, c1, c2, c3)
    if own == 0:
        head[at] = at
        after[at] = at
        s.stones[at] = 1
        liberties[at] = free
    else:
        chain = h0
        if c1 == color:
            chain = h1
        if c2 == color:
            chain = h2
        if c3 == color:
            chain = h3
        head[at] = chain
        after[at] = after[chain]
        after[chain] = at
        s.stones[chain] += 1
        liberties[chain] += free
        if own > 1:
            for near in (west, east, north, south):
                if colors[near] == color and head[near] != chain:
                    chain = _merge(s, chain, np.uint64(head[near]))
    # Step 4. Chains without liberties leave the board. A lone stone that takes one stone and has
    # no other liberty could be taken back at once: ko.
    other = 3 - color
    taken = 0
    ko = NO_POINT
    if (
        ((c0 == other) & (liberties[h0] == 0))
        | ((c1 == other) & (liberties[h1] == 0))
        | ((c2 == other) & (liberties[h2] == 0))
        | ((c3 == other) & (liberties[h3] == 0))
    ):
        for near in (west, east, north, south):
            if colors[near] == other and liberties[head[near]] == 0:
                taken += _capture(s, near)
                ko = near
        if taken > 1 or own > 0 or free > 0:
            ko = NO_POINT
    s.ko = ko
    s.lead += (1 + taken) * (3 - 2 * color)


@kernel
def _open(s, at):
    """Whether a point has an empty neighbour, and so may be played by anyone."""
    colors = s.color
    return (
        (colors[at + NEAR[0]] == EMPTY)
        | (colors[at + NEAR[1]] == EMPTY)
        | (colors[at + NEAR[2]] == EMPTY)
        | (colors[at + NEAR[3]] == EMPTY)
    )


@kernel
def _legal_shut(s, at, color):
    """Whether a point that is not open may be played: not by ko, nor by suicide."""
    if at == s.ko:
        return False
    colors = s.color
    c0, c1 = colors[at + NEAR[0]], colors[at + NEAR[1]]
    c2, c3 = colors[at + NEAR[2]], colors[at + NEAR[3]]
    head = s.head
    liberties = s.liberties
    h0, h1 = np.uint64(head[at + NEAR[0]]), np.uint64(head[at + NEAR[1]])
    h2, h3 = np.uint64(head[at + NEAR[2]]), np.uint64(head[at + NEAR[3]])
    liberties[h0] -= 1
    liberties[h1] -= 1
    liberties[h2] -= 1
    liberties[h3] -= 1
    legal = (
        ((c0 != BORDER) & ((liberties[h0] != 0) == (c0 == color)))
        | ((c1 != BORDER) & ((liberties[h1] != 0) == (c1 == color)))
        | ((c2 != BORDER) & ((liberties[h2] != 0) == (c2 == color)))
        | ((c3 != BORDER) & ((liberties[h3] != 0) == (c3 == color)))
    )
    liberties[h0] += 1
    liberties[h1] += 1
    liberties[h2] += 1
    liberties[h3] += 1
    return legal


@kernel
def _owner_around(s, at):
    """BLACK or WHITE where all neighbours on the board are that player's stones, else EMPTY."""
    colors = s.color
    return np.int64(
        colors[at + NEAR[0]] & colors[at + NEAR[1]] & colors[at + NEAR[2]] & colors[at + NEAR[3]]
    )


@kernel
def _eye(s, at, color):
    """An own eye: shut in, and the enemy on at most one diagonal point, at the edge on none."""
    if _owner_around(s, at) & color == 0:
        return False
    other = 3 - color
    enemies = 0
    edge = 0
    for step in DIAGONAL:
        c = s.color[at + step]
        enemies += np.int64(c == other)
        edge |= np.int64(c == BORDER)
    return enemies + edge < 2


@kernel
def moves(s, out):
    if s.passes >= 2:
        return 0
    color = np.int64(s.turn) + 1
    count = 0
    for i in range(s.count):
        at = np.uint64(s.empties[i])
        if _open(s, at) or _legal_shut(s, at, color):
            out[count] = _code(at)
            count += 1
    out[count] = SIZE * SIZE
    return count + 1


@kernel
def play(s, move):
    if move == SIZE * SIZE:
        s.passes += 1
        s.ko = 0
    else:
        at = _index(np.int64(move))
        i = np.uint64(0)
        while s.empties[i] != at:
            i += np.uint64(1)
        s.passes = 0
        _place(s, i, np.int64(s.turn) + 1)
    s.turn ^= 1


@kernel
def _area_lead(s):
    """Black's area less White's: stones, and empty regions that touch one colour only."""
    touch = s.scratch
    for i in range(s.count):
        at = np.uint64(s.empties[i])
        touch[at] = 0
        for step in NEAR:
            if s.color[at + step] != BORDER:
                touch[at] |= s.color[at + step]
    news = True
    while news:
        news = False
        for i in range(s.count):
            at = np.uint64(s.empties[i])
            seen = np.int64(touch[at])
            for step in NEAR:
                if s.color[at + step] == EMPTY:
                    seen |= np.int64(touch[at + step])
            if seen != touch[at]:
                touch[at] = seen
                news = True
    lead = np.int64(s.lead)
    for i in range(s.count):
        seen = touch[np.uint64(s.empties[i])]
        lead += np.int64(seen == BLACK) - np.int64(seen == WHITE)
    return lead


@kernel
def result(s):
    return _result_of(_area_lead(s), s.komi)


@kernel
def _result_of(lead, komi):
    return 1.0 if lead > komi else (0.5 if lead == komi else 0.0)


@kernel
def playout(s, rng, out, trace):
    """Random moves that fill no own eye; pass when there is none. At most 3 * SIZE**2 moves."""
    color = np.int64(s.turn) + 1
    empties = s.empties
    passes = np.int64(s.passes)
    length = 0
    while passes < 2 and length < 3 * SIZE * SIZE:
        passes += 1
        untried = np.int64(s.count)
        while untried > 0:
            i = np.uint64(below(rng, untried))
            at = np.uint64(empties[i])
            if _open(s, at) or (not _eye(s, at, color) and _legal_shut(s, at, color)):
                if TRACE:
                    trace[length] = _code(at)
                _place(s, i, color)
                passes = 0
                break
            untried -= 1
            empties[i] = empties[np.uint64(untried)]
            empties[np.uint64(untried)] = at
        if passes > 0:
            s.ko = 0
            if TRACE:
                trace[length] = SIZE * SIZE
        color = 3 - color
        length += 1
    if passes < 2 or length < 2:
        return result(s), length
    # Neither player found a move, so no two empty points touch: each is a region of its own.
    lead = np.int64(s.lead)
    for i in range(s.count):
        owner = _owner_around(s, np.uint64(empties[i]))
        lead += (owner & 1) - (owner >> 1)
    return _result_of(lead, s.komi), length


@kernel
def stones(s, out):
    for code in range(SIZE * SIZE):
        out[code] = s.color[_index(code)]


@kernel
def setup(s, stones, turn):
    """False if a chain has no liberty."""
    start(s)
    for code in range(SIZE * SIZE):
        if stones[code] != EMPTY:
            at = _index(code)
            i = 0
            while s.empties[i] != at:
                i += 1
            _place(s, np.uint64(i), np.int64(stones[code]))
    s.turn = turn
    s.ko = 0
    for code in range(SIZE * SIZE):
        if stones[code] != s.color[_index(code)]:
            return False
    for code in range(SIZE * SIZE):
        if stones[code] != EMPTY and s.liberties[s.head[_index(code)]] == 0:
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
        playouts={"uniform": playout},
        constants={
            "SIZE": size,
            "WIDTH": width,
            "KOMI": komi,
            "NEAR": steps(width, ((-1, 0), (1, 0), (0, -1), (0, 1))),
            "DIAGONAL": steps(width, ((-1, -1), (1, -1), (-1, 1), (1, 1))),
        },
        max_moves=size * size + 1,
        max_length=3 * size * size,
        move_names=(*go_names(size), "pass"),
        diagram=square_diagram(size, GO_COLUMNS[:size], top_label=size, stones_tell_turn=False),
        stones=stones,
        setup=setup,
        setup_rule="a chain has no liberty",
        same_board=same_board,
        sgf_root={"GM": "1", "SZ": str(size), "KM": f"{komi:g}"},
        sgf_points=(*sgf_square_names(size), ""),
    )
