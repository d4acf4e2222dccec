"""What each part of Go's heavy playouts would choose from.

Lists of points are kept in `out`, each point once. `me` is the colour to move; `last` is the
enemy's last move and `last2` our own before it, NO_POINT for a pass.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import BORDER, EMPTY, NO_POINT, is_open
from uctlab.games.go.exact import a_liberty
from uctlab.games.go.shape import gains, seen_before, self_atari_apart, tied
from uctlab.kernels import hole, keep_apart, kernel, low_bit

SIZE: int = hole("game.SIZE")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")
# Steps to all eight points, in the order of the patterns' bits.
AROUND: tuple[np.uint64, ...] = hole("game.AROUND")
PATTERNS: np.ndarray = hole("game.PATTERNS")  # two bits per neighbourhood
ON_GPU: bool = hole("device.ON_GPU", False)

# The parts of the policy, each on or off: see policy.py.
CAPTURE: bool = hole("policy.CAPTURE")
SAVE: bool = hole("policy.SAVE")
LIBERTIES: bool = hole("policy.LIBERTIES")
PATTERN: bool = hole("policy.PATTERN")


@kernel
def _add(out, count, at):
    """Add a point to the list, unless it is in it; returns the length of the list."""
    for i in range(count):
        if out[i] == at:
            return count
    out[count] = at
    return count + 1


@kernel
def fit(s, at, me):
    """Whether a move on that empty point is legal and does not fill an own eye.

    An eye has own neighbours only, none of them in atari; diagonals do not matter.
    """
    if is_open(s, at):
        return True
    if at == s.ko:
        return False
    lives = False
    eye = True
    for step in NEAR:
        color = s.color[at + step]
        if color != BORDER:
            atari = s.scratch_exact[s.head[at + step]] == 1
            own = color == me
            lives |= atari != own
            eye &= own & (not atari)
    return lives and not eye


@kernel
def good(s, at, me):
    """Whether a move is fit and not self-atari."""
    return fit(s, at, me) and not self_atari_apart(s, at, me)


@kernel
def capture_moves(s, last, out):
    if s.scratch_exact[s.head[last]] == 1:
        out[0] = a_liberty(s, last, NO_POINT)
        return 1
    return 0


@kernel
def save_moves(s, last, me, out):
    """Extensions that are not self-atari, and captures."""
    count = 0
    if ON_GPU:  # as in liberty_moves
        hunted = np.uint64(0)
        for direction in range(4):
            stone = last + NEAR[direction]
            if s.color[stone] == me and s.scratch_exact[s.head[stone]] == 1:
                hunted |= np.uint64(1 << direction)
        while hunted != np.uint64(0):
            count = _add_savers(s, last + NEAR[low_bit(hunted)], me, out, count)
            hunted &= hunted - np.uint64(1)
        return count
    for step in NEAR:
        stone = last + step
        if s.color[stone] == me and s.scratch_exact[s.head[stone]] == 1:
            count = _add_savers(s, stone, me, out, count)
    return count


@kernel
def _add_savers(s, stone, me, out, count):
    """The same for one chain in atari."""
    at = a_liberty(s, stone, NO_POINT)
    if good(s, at, me):
        count = _add(out, count, at)
    return _add_captures_around(s, stone, me, out, count)


@kernel
def _add_captures_around(s, stone, me, out, count):
    """Captures of enemy chains that touch a chain of ours."""
    enemy = 3 - me
    at = stone
    while True:
        for step in NEAR:
            near = at + step
            if s.color[near] == enemy and s.scratch_exact[s.head[near]] == 1:
                count = _add(out, count, a_liberty(s, near, NO_POINT))
        at = np.uint64(s.next[at])
        if at == stone:
            break
    return count


@kernel
def liberty_moves(s, last, me, out):
    """Liberties that gain; they may be unfit, and self-atari."""
    count = np.int64(0)
    if ON_GPU:
        # Those chains first, a bit each, so that there is one copy of the long code for them.
        short = np.uint64(s.scratch_exact[s.head[last]] == 2)
        for direction in range(4):
            stone = last + NEAR[direction]
            two = s.color[stone] == me and s.scratch_exact[s.head[stone]] == 2
            if two and not seen_before(s, last, direction, me):
                short |= np.uint64(2 << direction)
        while short != np.uint64(0):
            i = low_bit(short)
            short &= short - np.uint64(1)
            stone = last if i == 0 else last + NEAR[i - 1]
            count = _add_gains(s, stone, out, count)
        return count
    if s.scratch_exact[s.head[last]] == 2:
        count = _add_gains(s, last, out, count)
    for direction in range(4):
        stone = last + NEAR[direction]
        two = s.color[stone] == me and s.scratch_exact[s.head[stone]] == 2
        if two and not seen_before(s, last, direction, me):
            count = _add_gains(s, stone, out, count)
    return count


@kernel
def _add_gains(s, stone, out, count):
    """The same for a chain with two liberties."""
    first = a_liberty(s, stone, NO_POINT)
    second = a_liberty(s, stone, first)
    one = gains(s, stone, first, second)
    other = gains(s, stone, second, first)
    if (one or other) and not tied(s, stone, first, second):
        if one:
            count = _add(out, count, first)
        if other:
            count = _add(out, count, second)
    return count


@kernel
def matches(s, at, me):
    """Whether some pattern says to play on that empty point."""
    number = np.int64(s.scratch_around[at])
    return PATTERNS[number >> 2] >> (2 * (number & 3)) & me != 0


@kernel
def patterns_around(s, center, me):
    """Which of the eight points around are empty and match: a bit each, in the order of AROUND."""
    # No branch per point: it would mostly be mispredicted.
    found = np.uint64(0)
    if center != NO_POINT:
        bit = np.uint64(1)
        for step in AROUND:
            at = center + step
            found |= bit * np.uint64((s.color[at] == EMPTY) & matches(s, at, me))
            bit += bit
    return found


@kernel
def _pattern_moves(s, last, last2, me, out):
    """Around the last two moves; they may be unfit, and self-atari."""
    count = 0
    for center in (last, last2):
        found = patterns_around(s, center, me)
        while found != np.uint64(0):
            count = _add(out, count, center + AROUND[low_bit(found)])
            found &= found - np.uint64(1)
    return count


@kernel
def keep_fit(s, me, out, count, strict):
    """Keep the candidates that are fit and, if that is asked, no self-atari; returns how many."""
    kept = 0
    for i in range(count):
        at = np.uint64(out[i])
        if good(s, at, me) if strict else fit(s, at, me):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def local_moves(s, last, last2, me, out):
    """Candidates of the first part that finds any near the last moves: (how many, which part), the
    parts being counted from 1; 0 if none does."""
    count = 0
    part = 0
    if last != NO_POINT:
        if CAPTURE:
            part = 1
            count = keep_fit(s, me, out, capture_moves(s, last, out), False)
        if SAVE and count == 0:
            part = 2
            count = keep_fit(s, me, out, save_moves(s, last, me, out), False)
        if LIBERTIES and count == 0:
            part = 3
            count = keep_fit(s, me, out, liberty_moves(s, last, me, out), True)
    if PATTERN and count == 0:
        part = 4
        count = keep_fit(s, me, out, _pattern_moves(s, last, last2, me, out), True)
    return count, part if count > 0 else 0


@kernel
def _note_atari(s, stone, known):
    """Remember a chain that is in atari; returns how many are remembered."""
    if s.scratch_exact[s.head[stone]] == 1:
        if known == SIZE * SIZE:
            known = _forget_saved(s, known)
        s.scratch_atari[known] = stone
        known += 1
    return known


@kernel
def _forget_saved(s, known):
    """Keep one stone of each chain that is still in atari."""
    keep_apart()
    kept = 0
    for i in range(known):
        stone = np.uint64(s.scratch_atari[i])
        if s.color[stone] != EMPTY and s.scratch_exact[s.head[stone]] == 1:
            new = True
            for k in range(kept):
                new &= s.head[s.scratch_atari[k]] != s.head[stone]
            if new:
                s.scratch_atari[kept] = stone
                kept += 1
    return kept


@kernel
def note_all(s):
    known = 0
    for point in range(1, (SIZE + 2) * (SIZE + 1)):
        stone = np.uint64(point)
        if s.head[stone] == stone:
            known = _note_atari(s, stone, known)
    return known


@kernel
def note_around(s, at, known):
    """After a move, its own chain and the enemy chains next to it may be in atari."""
    known = _note_atari(s, at, known)
    enemy = 3 - s.color[at]
    for step in NEAR:
        if s.color[at + step] == enemy:
            known = _note_atari(s, at + step, known)
    return known


@kernel
def prey_moves(s, me, known, out):
    """(candidates, which may be unfit, chains known to be in atari)."""
    enemy = 3 - me
    count = 0
    i = 0
    while i < known:
        stone = np.uint64(s.scratch_atari[i])
        if s.color[stone] != EMPTY and s.scratch_exact[s.head[stone]] == 1:
            if s.color[stone] == enemy:
                count = _add(out, count, a_liberty(s, stone, NO_POINT))
            i += 1
        else:
            known -= 1
            s.scratch_atari[i] = s.scratch_atari[known]
    return count, known
