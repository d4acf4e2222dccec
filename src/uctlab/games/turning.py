"""Either colour may move at any time over GTP, in games whose turn is one field of the position."""

from __future__ import annotations

from uctlab.games.position import Position


def with_turn(position: Position, player: int) -> Position:
    """The same board with that player to move; the turn that is left out is no move."""
    if position.turn == player:
        return position
    state = position.game.new_states(1)
    state[0] = position.state
    state[0].turn = player
    return Position(position.game, state[0], position.before, position.last_move)
