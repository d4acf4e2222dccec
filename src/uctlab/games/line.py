"""Legal moves and perft on a line of play: an array of positions, each a move after the one before.

A rule against repetition looks at the whole line. In a game without such a rule (REPEATS is false)
only the last position matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uctlab.games.guard import listed_wrongly
from uctlab.kernels import copy_record, hole, kernel, specialise

if TYPE_CHECKING:
    from uctlab.games.api import Game

moves: Any = hole("game.moves")
play: Any = hole("game.play")
same_board: Any = hole("game.same_board")
REPEATS: bool = hole("game.REPEATS")
WRONG_LIST = -1
FEW_MOVES = 128  # up to which plain Python makes every move and lists the answers, in 0.1 s


@kernel
def legal_moves(line, now, out):
    """Legal moves at line[now]; line[now + 1] is scratch."""
    count = moves(line[now], out)
    if not REPEATS or listed_wrongly(out, count):
        return count
    kept = 0
    for i in range(count):
        copy_record(line, now + 1, now)
        play(line[now + 1], out[i])
        if same_board(line[now + 1], line[now]) or not _repeats(line, now):
            out[kept] = out[i]
            kept += 1
    return kept


@kernel
def _repeats(line, now):
    for earlier in range(now):
        if same_board(line[now + 1], line[earlier]):
            return True
    return False


@kernel
def perft(line, now, lists, counts, depth):
    """How many leaves the tree of all games from line[now] has, cut off after `depth` moves.

    A game that ends earlier is a leaf too. lists and counts have a row for each depth. If
    the game breaks its limits, the result is WRONG_LIST less the level of the list.
    """
    leaves = 0
    level = 0
    counts[0] = legal_moves(line, now, lists[0])
    if listed_wrongly(lists[0], counts[0]):
        return WRONG_LIST
    if counts[0] == 0:
        return 1
    while level >= 0:
        if level == depth - 1:
            leaves += counts[level]
            level -= 1
        elif counts[level] == 0:
            level -= 1
        else:
            counts[level] -= 1
            at = now + level
            copy_record(line, at + 1, at)
            play(line[at + 1], lists[level, counts[level]])
            count = legal_moves(line, at + 1, lists[level + 1])
            if listed_wrongly(lists[level + 1], count):
                return WRONG_LIST - level - 1
            if count == 0:
                leaves += 1
            else:
                level += 1
                counts[level] = count
    return leaves


def bind_line(template: Any, game: Game) -> Any:
    """One of these kernels, bound to a game."""
    rules = game.kernels
    repeats = game.same_board is not None
    return specialise(
        template,
        interpret=game.interpret,
        seldom=template is legal_moves and (not repeats or game.max_moves <= FEW_MOVES),
        game={
            "moves": rules.moves,
            "play": rules.play,
            "result": rules.result,
            "same_board": getattr(rules, "same_board", None),
            "REPEATS": repeats,
        },
        limits=game.limits,
    )
