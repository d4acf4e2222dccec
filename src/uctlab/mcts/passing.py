"""When an agent passes although its search prefers a move.

In a lost game all moves look the same to a search, and it fills its own eyes while the opponent
passes. A game may say which moves gain nothing (`Game.idle_moves`).
"""

from __future__ import annotations

from uctlab.games import Position
from uctlab.mcts.report import SearchReport

HOPE = 0.5  # a useful move is made instead of an idle one if it promises more than this


def nothing_to_gain(position: Position) -> bool:
    """Whether the opponent has passed, and every move but the pass gains nothing."""
    return _may_pass(position) and {*position.legal} <= {*_idle(position), position.last_move}


def move_or_pass(position: Position, report: SearchReport) -> int:
    """The move that the search has found; after the opponent's pass, no idle one.

    Instead of an idle move the most visited other one is made if it promises to win, which is how
    dead stones are captured in a game that is counted as it stands. Else it is the pass.
    """
    game = position.game
    move = game.parse_move(report.best)
    if not _may_pass(position) or move not in (idle := _idle(position)):
        return move
    left_out = {game.move_name(move) for move in (*idle, position.last_move)}
    useful = report.best_but(left_out)
    if useful is not None and useful.value is not None and useful.value > HOPE:
        return game.parse_move(useful.move)
    return position.last_move


def useful_move(position: Position, report: SearchReport) -> int | None:
    """The move that the search has found, or the best that is no pass and not idle, if any is."""
    game = position.game
    left_out = {game.move_name(move) for move in _idle(position)}
    if game.pass_move is not None:
        left_out.add(game.move_name(game.pass_move))
    if report.best not in left_out:
        return game.parse_move(report.best)
    useful = report.best_but(left_out)
    return None if useful is None else game.parse_move(useful.move)


def wins_by_passing(now: Position) -> bool:
    """Whether the opponent has passed, and passing too would end the game with a win."""
    if not _may_pass(now):
        return False
    end = now.play(now.last_move)
    return end.is_over and end.result == 1.0 - now.turn


def wins_as_it_stands(position: Position) -> bool:
    """Whether the player to move wins if both pass."""
    end = position
    for _ in range(2):
        if not end.is_over:
            end = end.play("pass")
    return end.is_over and end.result == 1.0 - position.turn


def _may_pass(position: Position) -> bool:
    """Whether the opponent has passed, and a pass is legal."""
    return position.last_move == position.game.pass_move and position.last_move in position.legal


def _idle(position: Position) -> frozenset[int]:
    find = position.game.idle_moves
    return frozenset() if find is None else find(position)
