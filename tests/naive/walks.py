"""Walks through a naive game of any kind: random moves to the end, and all games of some length."""


def playout(board, rng):
    """Uniform random legal moves to the end; (result, length, first move or None)."""
    return random_game(board, rng, board.legal)


def random_game(board, rng, moves_now):
    """The same with moves of which `moves_now` tells which there are."""
    first, length = None, 0
    while moves := moves_now():
        move = rng.choice(moves)
        if length == 0:
            first = move
        board.play(move)
        length += 1
    return board.result(), length, first


def leaves(board, depth):
    """How many games of that many moves there are, with those that end before."""
    if depth == 0 or board.over():
        return 1
    total = 0
    for move in board.legal():
        after = board.copy()
        after.play(move)
        total += leaves(after, depth - 1)
    return total
