"""Exact results of small positions, by plain alpha-beta over the naive boards."""


def solve(board, memo):
    """The result for the first player under best play by both."""
    key = (tuple(board.cells) if isinstance(board.cells, list) else None, board.turn)
    if key in memo:
        return memo[key]
    if board.over():
        value = board.result()
    else:
        goal = 1.0 - board.turn
        value = 1.0 - goal
        for move in board.legal():
            after = board.copy()
            after.play(move)
            result = solve(after, memo)
            if abs(result - goal) < abs(value - goal):
                value = result
            if value == goal:
                break
    memo[key] = value
    return value


def winning_moves(board, memo):
    """The moves with the best result for the player to move, and that result."""
    results = {}
    for move in board.legal():
        after = board.copy()
        after.play(move)
        results[move] = solve(after, memo)
    best = max(results.values()) if board.turn == 0 else min(results.values())
    return {move for move, result in results.items() if result == best}, best
