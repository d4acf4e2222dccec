"""The rules of Kalah, with one byte per pit, as two words seen from the player to move.

       a  b  c  d  e  f
2      4  4  4  4  4  4        North's houses and, on the left, its store
    0                    0
1      4  4  4  4  4  4        South's houses and its store

Byte i of a word is the i-th house of a player, from that player's left, and byte HOUSES the store.
Moves 0 to HOUSES - 1 are South's houses, then come North's (f2 first), then the pass.

A player sows the seeds of a house one by one into the following pits, the opponent's store left
out. A last seed in the own store gives another move: the other player has to pass. A last seed in
an own empty house, with seeds opposite, captures both. The game ends as soon as one side has no
seeds in its houses; what is left belongs to the player on whose side it is.
"""

from __future__ import annotations

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.evaluation import worth
from uctlab.games.position import Position
from uctlab.kernels import hole, kernel, next_u64, nth_bit, popcount, scaled

HOUSES: int = hole("game.HOUSES")
SEEDS: int = hole("game.SEEDS")
MOST_MOVES: int = hole("game.MOST_MOVES")
TRACE: bool = hole("playout.TRACE")

STATE = np.dtype(
    [("own", "u8"), ("opp", "u8"), ("must_pass", "i1"), ("turn", "i1")],
    align=True,
)
UNIT = 6.0  # a lead in the stores that is worth 3/4
LONGEST = 12  # plies per seed; a random game has less than 2, and playouts stop there

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_BYTE = np.uint64(255)
_ONES = np.uint64(0x0101010101010101)
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_HIGH_BITS = np.uint64(0x8080808080808080)


@kernel
def _first(pits):
    """One seed in each of the first pits, of which there are 0 to 7."""
    return _ONES & ((_ONE << np.uint64(8 * pits)) - _ONE)


@kernel
def _bit(pit):
    """Where the byte of a pit begins."""
    return np.uint64(8 * pit)


@kernel
def start(s):
    s.own = _first(HOUSES) * np.uint64(SEEDS)
    s.opp = s.own
    s.must_pass = 0
    s.turn = 0


@kernel
def _houses(side):
    """The word without the store."""
    return side & (_first(HOUSES) * _BYTE)


@kernel
def _filled(side):
    """The highest bit of each house that has seeds."""
    houses = _houses(side)
    return (((houses & _LOW_BITS) + _LOW_BITS) | houses) & _HIGH_BITS


@kernel
def _seeds(side):
    """All seeds of a side, at most 255."""
    return np.int64((side * _ONES) >> np.uint64(56))


@kernel
def _sow(own, opp, house):
    """(own, opp, whether the player moves again)."""
    ring = 2 * HOUSES + 1
    hand = np.int64((own >> _bit(house)) & _BYTE)
    laps = hand // ring
    last = house + hand - laps * ring  # up to 2 * ring - 1, in pits from the own first one
    own ^= np.uint64(hand) << _bit(house)
    own += _first(HOUSES + 1) * np.uint64(laps)
    opp += _first(HOUSES) * np.uint64(laps)
    own += _first(min(last, HOUSES) + 1) - _first(house + 1)
    opp += _first(min(max(last - HOUSES, 0), HOUSES))
    own += _first(max(last - ring + 1, 0))
    last = last - ring if last >= ring else last
    if last < HOUSES and (own >> _bit(last)) & _BYTE == _ONE:
        opposite = _bit(HOUSES - 1 - last)
        prey = (opp >> opposite) & _BYTE
        if prey != _ZERO:
            opp ^= prey << opposite
            own ^= _ONE << _bit(last)
            own += (prey + _ONE) << _bit(HOUSES)
    return own, opp, last == HOUSES


@kernel
def moves(s, out):
    if _houses(s.own) == _ZERO or _houses(s.opp) == _ZERO:
        return 0
    if s.must_pass == 1:
        out[0] = 2 * HOUSES
        return 1
    count = 0
    for house in range(HOUSES):
        if (s.own >> _bit(house)) & _BYTE != _ZERO:
            out[count] = s.turn * HOUSES + house
            count += 1
    return count


@kernel
def play(s, move):
    own = s.own
    opp = s.opp
    again = False
    if move != 2 * HOUSES:
        own, opp, again = _sow(own, opp, np.int64(move) - s.turn * HOUSES)
    s.own = opp
    s.opp = own
    s.must_pass = 1 if again else 0
    s.turn ^= 1


@kernel
def result(s):
    return _first_result(_seeds(s.own) - _seeds(s.opp), s.turn)


@kernel
def _first_result(lead, turn):
    """South's result, given how many seeds the player to move is ahead."""
    if turn == 1:
        lead = -lead
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@kernel
def evaluate(s):
    """By the stores alone."""
    lead = float(np.int64(s.own >> _bit(HOUSES)) - np.int64(s.opp >> _bit(HOUSES)))
    return worth(lead if s.turn == 0 else -lead, UNIT)


@kernel
def playout(s, rng, out, trace):
    """Random moves to the end on two words; a forced pass only counts as a move."""
    own = s.own
    opp = s.opp
    turn = np.int64(s.turn)
    length = 0
    must_pass = s.must_pass == 1
    while length < MOST_MOVES:
        filled = _filled(own)
        if filled == _ZERO or _houses(opp) == _ZERO:
            break
        move = 2 * HOUSES
        again = False
        if not must_pass:
            house = nth_bit(filled, scaled(next_u64(rng), popcount(filled))) >> 3
            move = turn * HOUSES + house
            own, opp, again = _sow(own, opp, house)
        if TRACE:
            trace[length] = move
        own, opp = opp, own
        must_pass = again
        turn ^= 1
        length += 1
    return _first_result(_seeds(own) - _seeds(opp), turn), length


def _pits(position: Position) -> tuple[list[int], list[int]]:
    """The seeds of South and of North, each with the store last."""
    count = position.game.options["houses"] + 1
    words = (int(position.state.own), int(position.state.opp))
    south, north = ([word >> 8 * i & 255 for i in range(count)] for word in words)
    return (south, north) if position.turn == 0 else (north, south)


def board_text(position: Position) -> str:
    """The board as South sees it."""
    south, north = _pits(position)
    houses = len(south) - 1
    rows = (("2", north[-2::-1]), ("1", south[:-1]))
    upper, lower = (f"{label}    " + "".join(f"{n:3}" for n in row) for label, row in rows)
    letters = "     " + "".join(f"  {letter}" for letter in "abcdef"[:houses])
    stores = f"  {north[-1]:3}" + " " * (3 * houses) + f"{south[-1]:3}"
    turn = [] if position.is_over else [f"{position.game.players[position.turn]} to play"]
    return "\n".join([letters, upper, stores, lower, *turn])


def seed_lead(position: Position) -> float:
    """South's seeds minus North's, those in the houses included."""
    south, north = _pits(position)
    return float(sum(south) - sum(north))


def make(houses: int = 6, seeds: int = 4) -> Game:
    """Kalah, a mancala game, with that many houses on each side and seeds in each house."""
    if not 1 <= houses <= 6:
        raise UsageError(f"kalah: {houses} houses are out of range; accepted: 1 to 6")
    if not 1 <= seeds <= 20:  # a byte holds all of them
        raise UsageError(f"kalah: seeds {seeds} is out of range; accepted: 1 to 20")
    letters = "abcdef"[:houses]
    longest = LONGEST * 2 * houses * seeds
    return Game(
        name=f"kalah:{houses},seeds={seeds}",
        state=STATE,
        start=start,
        moves=moves,
        play=play,
        result=result,
        playouts={"uniform": playout},
        evaluate=evaluate,
        constants={"HOUSES": houses, "SEEDS": seeds, "MOST_MOVES": longest},
        max_moves=houses,
        max_length=longest,
        move_names=(
            *(f"{letter}1" for letter in letters),
            *(f"{letter}2" for letter in reversed(letters)),
            "pass",
        ),
        players=("South", "North"),
        text=board_text,
        point_lead=seed_lead,
    )
