"""The heavy playouts of Go, as in Fuego 1.1: the parts of the policy and the playout itself.

Each part lists candidates, which are then drawn at random. The first one that passes the tests of
its part, and whose shape is not refused, is played; if there is none, the next part is asked. `me`
is the colour to move; `last` is the enemy's last move and `last2` our own before it, NO_POINT for a
pass. Lists of points are kept in `out`, each point once.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import BORDER, EMPTY, NO_POINT, area_lead, code_of, is_open
from uctlab.games.go.exact import a_liberty, legal, prepare, put
from uctlab.games.go.shape import (
    gains,
    mutual_atari,
    only_liberty,
    seen_before,
    self_atari_apart,
    tied,
    wasted,
)
from uctlab.kernel import below, hole, keep_apart, kernel, low_bit, opaque, popcount

SIZE: int = hole("game.SIZE")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")
AROUND: tuple[np.uint64, ...] = hole(
    "game.AROUND"
)  # steps to all eight points, in the order of the patterns' bits
PATTERNS: np.ndarray = hole("game.PATTERNS")  # two bits per neighbourhood
MERCY_STONES: int = hole("game.MERCY_STONES")  # a lead that ends a playout
TRACE: bool = hole("playout.TRACE")
ON_GPU: bool = hole("device.ON_GPU", False)

# The parts of the policy, each on or off.
CAPTURE: bool = hole("policy.CAPTURE")
SAVE: bool = hole("policy.SAVE")
LIBERTIES: bool = hole("policy.LIBERTIES")
PATTERN: bool = hole("policy.PATTERN")
PREY: bool = hole("policy.PREY")
SHAPE: bool = hole("policy.SHAPE")
MERCY: bool = hole("policy.MERCY")
SCORE: bool = hole("policy.SCORE")
CAREFUL: bool = hole("policy.CAREFUL", False)  # no part of "heavy": for the referee

PARTS = {
    "capture": "take the stones just played, when they are in atari",
    "save": "save stones that the last move put in atari: extend, or take what attacks them",
    "liberties": "where a chain has two liberties after the last move, play the one that makes "
    "more; not if both touch one other chain of that side",
    "pattern": "3x3 patterns around the last two moves",
    "prey": "take any chain that is in atari",
    "shape": "instead of self-atari play the chain's other liberty, if that is none; refuse mutual "
    "atari of more than two stones unless it is nakade",
    "mercy": "end a playout when one side has many more stones, three tenths of the points",
    "score": "a little bonus for winning by more, 0.02 in all; not where mercy ended the playout",
}
BONUS = 0.02


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
def _good(s, at, me):
    """Whether a move is fit and not self-atari."""
    return fit(s, at, me) and not self_atari_apart(s, at, me)


@kernel
def _capture_moves(s, last, out):
    if s.scratch_exact[s.head[last]] == 1:
        out[0] = a_liberty(s, last, NO_POINT)
        return 1
    return 0


@kernel
def _save_moves(s, last, me, out):
    """Extensions that are not self-atari, and captures."""
    count = 0
    if ON_GPU:  # as in _liberty_moves
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
    if _good(s, at, me):
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
def _liberty_moves(s, last, me, out):
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
def _patterns_around(s, center, me):
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
        found = _patterns_around(s, center, me)
        while found != np.uint64(0):
            count = _add(out, count, center + AROUND[low_bit(found)])
            found &= found - np.uint64(1)
    return count


@kernel
def _beside(at, center):
    """Whether a point is one of the eight around another."""
    found = False
    for step in AROUND:
        found |= at == center + step
    return found


@kernel
def _draw_pattern(s, rng, last, last2, me):
    """One of the pattern moves that are fit and no self-atari, or NO_POINT; without a list."""
    found = _patterns_around(s, last, me) | _patterns_around(s, last2, me) << np.uint64(8)
    while found != np.uint64(0):
        rest = found
        for _ in range(below(rng, popcount(found))):
            rest &= rest - np.uint64(1)
        i = low_bit(rest)
        if i < 8:
            at = last + AROUND[i]
            new = True
        else:
            at = last2 + AROUND[i - 8]
            new = last == NO_POINT or not _beside(at, last)  # else it has been found twice
        if new and _good(s, at, me):
            return at
        found ^= rest & (np.uint64(0) - rest)
    return NO_POINT


@kernel
def keep_fit(s, me, out, count):
    """Keep the candidates that are fit; returns how many."""
    kept = 0
    for i in range(count):
        if fit(s, np.uint64(out[i]), me):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def _keep_good(s, me, out, count):
    """Keep those that are no self-atari either."""
    kept = 0
    for i in range(count):
        if _good(s, np.uint64(out[i]), me):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def local_moves(s, last, last2, me, out):
    """Candidates of the first part that finds any near the last moves; returns how many."""
    count = 0
    if last != NO_POINT:
        if CAPTURE:
            count = keep_fit(s, me, out, _capture_moves(s, last, out))
        if SAVE and count == 0:
            count = keep_fit(s, me, out, _save_moves(s, last, me, out))
        if LIBERTIES and count == 0:
            count = _keep_good(s, me, out, _liberty_moves(s, last, me, out))
    if PATTERN and count == 0:
        count = _keep_good(s, me, out, _pattern_moves(s, last, last2, me, out))
    return count


@kernel
def _played(s, at, me):
    """What is played for a candidate; NO_POINT if it is unfit or refused."""
    if not fit(s, at, me):
        return NO_POINT
    return better_shape(s, at, me) if SHAPE else at


@kernel
def _draw(s, rng, me, out, count):
    """What is played for one of those candidates; NO_POINT if there is none."""
    while count > 0:
        i = below(rng, count)
        at = _played(s, np.uint64(out[i]), me)
        if at != NO_POINT:
            return at
        count -= 1
        out[i] = out[count]
    return NO_POINT


@kernel
def _draw_good(s, rng, me, out, count):
    """The same for candidates that must not be self-atari.

    Testing candidates as they are drawn is faster than testing all of them.
    """
    while count > 0:
        i = below(rng, count)
        at = np.uint64(out[i])
        if _good(s, at, me):
            return at
        count -= 1
        out[i] = out[count]
    return NO_POINT


@kernel
def _local_move(s, rng, last, last2, me, out):
    """A move near the last ones; NO_POINT if there is none."""
    at = NO_POINT
    if last != NO_POINT:
        if CAPTURE and s.scratch_exact[s.head[last]] == 1:
            at = _played(s, a_liberty(s, last, NO_POINT), me)
        if SAVE and at == NO_POINT:
            at = _draw(s, rng, me, out, _save_moves(s, last, me, out))
        if LIBERTIES and at == NO_POINT:
            at = _draw_good(s, rng, me, out, _liberty_moves(s, last, me, out))
    if PATTERN and at == NO_POINT:
        at = _draw_pattern(s, rng, last, last2, me)
    return at


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
def _note_around(s, at, known):
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


@kernel
def better_shape(s, at, me):
    """Where to play instead: the same point, another one, or NO_POINT if the move is refused."""
    liberty = only_liberty(s, at, me)
    return at if liberty == NO_POINT else _instead(s, at, liberty, me)


@kernel
def _instead(s, at, liberty, me):
    """The same for a move that would leave its chain only that liberty."""
    if s.color[liberty] == EMPTY and legal(s, liberty, me) and not self_atari_apart(s, liberty, me):
        return liberty
    refused = wasted(s, at, me) if CAREFUL else mutual_atari(s, at, me)
    return NO_POINT if refused else at


@kernel
def _random_move(s, rng, me):
    """A point, or NO_POINT to pass."""
    empties = s.empties
    untried = np.int64(s.count)
    while untried > 0:
        i = np.uint64(below(rng, untried))
        at = np.uint64(empties[i])
        played = _played(s, at, me)
        if played != NO_POINT:
            return played
        # Out of the way: untried points come first in the list.
        untried -= 1
        other = empties[np.uint64(untried)]
        empties[i] = other
        empties[np.uint64(untried)] = at
        s.scratch_where[other] = i
        s.scratch_where[at] = untried
    return NO_POINT


# The parts in their order, as _choose_on_gpu counts them.
_CAPTURE, _SAVE, _LIBERTIES, _PATTERN, _PREY, _RANDOM = range(1, 7)


@kernel
def _choose_on_gpu(s, rng, last, last2, me, known, out):
    """(what is played, or NO_POINT to pass; chains known to be in atari), in a form for a GPU.

    The threads of a warp take turns wherever they are at different places in the code. So all parts
    draw and test their candidates at the same place, whatever part each thread has come to.
    """
    empties = s.empties
    part = np.int64(0)
    count = np.int64(0)  # candidates of that part that are left: those in `out`, unless
    found = np.uint64(0)  # pattern moves are meant, a bit each, or random ones, in `empties`
    while True:
        # Step 1. Candidates of the next part that has any.
        while count == 0:
            part = opaque(part + 1)  # else the compiler makes a copy of the loop for each part
            if part == _CAPTURE:
                if CAPTURE and last != NO_POINT:
                    count = np.int64(_capture_moves(s, last, out))
            elif part == _SAVE:
                if SAVE and last != NO_POINT:
                    count = np.int64(_save_moves(s, last, me, out))
            elif part == _LIBERTIES:
                if LIBERTIES and last != NO_POINT:
                    count = np.int64(_liberty_moves(s, last, me, out))
            elif part == _PATTERN:
                if PATTERN:
                    found = _patterns_around(s, last, me)
                    found |= _patterns_around(s, last2, me) << np.uint64(8)
                    count = np.int64(popcount(found))
            elif part == _PREY:
                if PREY:
                    number, known = prey_moves(s, me, known, out)
                    count = np.int64(number)
            elif part == _RANDOM:
                count = np.int64(s.count)
            else:
                return NO_POINT, known
        # Step 2. Draw one of them.
        i = np.uint64(0)
        if part != _CAPTURE:
            i = np.uint64(below(rng, count))
        new = True
        rest = found
        if part == _PATTERN:
            while i > np.uint64(0):
                rest &= rest - np.uint64(1)
                i -= np.uint64(1)
            bit = low_bit(rest)
            if bit < 8:
                at = last + AROUND[bit]
            else:
                at = last2 + AROUND[bit - 8]
                new = last == NO_POINT or not _beside(at, last)
        elif part == _RANDOM:
            at = np.uint64(empties[i])
        else:
            at = np.uint64(out[i])
        # Step 3. Test it.
        if new and fit(s, at, me):
            strict = (part == _LIBERTIES) | (part == _PATTERN)
            liberty = NO_POINT
            if SHAPE or strict:
                liberty = only_liberty(s, at, me)
            if liberty == NO_POINT:
                return at, known
            if not strict:
                played = _instead(s, at, liberty, me)
                if played != NO_POINT:
                    return played, known
        # Step 4. It is not played: out of the candidates.
        count -= 1
        if part == _PATTERN:
            found ^= rest & (np.uint64(0) - rest)
        elif part == _RANDOM:  # as in _random_move
            other = empties[np.uint64(count)]
            empties[i] = other
            empties[np.uint64(count)] = at
            s.scratch_where[other] = i
            s.scratch_where[at] = count
        else:
            out[i] = out[count]


@kernel
def outcome_of(lead, komi):
    """Black's result from Black's lead before komi."""
    margin = lead - komi
    if margin == 0.0:
        return 0.5
    won = 1.0 if margin > 0.0 else 0.0
    if not SCORE:
        return won
    return won * (1.0 - 2.0 * BONUS) + BONUS + BONUS * margin / (SIZE * SIZE + abs(komi))


@kernel
def playout(s, rng, out, trace):
    """At most 3 * SIZE**2 moves. A playout that ends by mercy gets no bonus, as in Fuego."""
    me = np.int64(s.turn) + 1
    passes = np.int64(s.passes)
    last = np.uint64(s.last)
    last2 = np.uint64(s.last2)
    prepare(s)
    known = note_all(s) if PREY else 0
    length = 0
    while passes < 2 and length < 3 * SIZE * SIZE:
        if ON_GPU:
            at, known = _choose_on_gpu(s, rng, last, last2, me, known, out)
        else:
            at = _local_move(s, rng, last, last2, me, out)
            if PREY and at == NO_POINT:
                count, known = prey_moves(s, me, known, out)
                at = _draw(s, rng, me, out, count)
            if at == NO_POINT:
                at = _random_move(s, rng, me)
        last2 = last
        last = at
        if TRACE:
            trace[length] = code_of(last) if last != NO_POINT else ~(SIZE * SIZE)
        length += 1
        if last == NO_POINT:
            passes += 1
            s.ko = 0
        else:
            passes = 0
            put(s, last, me)
            if PREY:
                known = _note_around(s, last, known)
            if MERCY and abs(np.int64(s.lead)) >= MERCY_STONES:
                return 1.0 if s.lead > s.komi else 0.0, length
        me = 3 - me
    return outcome_of(float(area_lead(s)), float(s.komi)), length
