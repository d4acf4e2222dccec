"""Minimax to a depth, every line of it: the slow twin of alpha-beta."""


def minimax(position, depth):
    """The value for the player to move."""
    if position.is_over:
        value = position.result
    elif depth == 0:
        value = float(position.game.kernels.evaluate(position.state))
    else:
        return max(1 - minimax(position.play(move), depth - 1) for move in position.legal)
    return value if position.turn == 0 else 1 - value
