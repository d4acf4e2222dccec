"""Slow twins of what evaluations count."""

from itertools import product


def hex_distance(stones, size, player):
    """Stones that the player lacks to join the edges; None if that is impossible. Black (0) joins
    top and bottom."""
    cells = [(x, y) for y in range(size) for x in range(size)]
    owner = {(x, y): stones[y * size + x] for x, y in cells}
    cost = {cell: {0: 1, player + 1: 0}.get(owner[cell]) for cell in cells}
    along = 1 - player  # the coordinate that grows from the first edge to the other
    far = {cell: cost[cell] for cell in cells if cell[along] == 0 and cost[cell] is not None}
    for _ in range(size * size):
        for (x, y), known in list(far.items()):
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
                near = (x + dx, y + dy)
                if cost.get(near) is not None:
                    far[near] = min(far.get(near, size * size), known + cost[near])
    ends = [known for cell, known in far.items() if cell[along] == size - 1]
    return min(ends, default=None)


def othello_lead(board):
    """For the player to move; `board` is that of naive/othello.py."""
    me, other = board.turn, 1 - board.turn

    def sign(cell):
        return {me: 1, other: -1, None: 0}[board.cells[cell]]

    lead = len(board.placements(me)) - len(board.placements(other))
    for x, y in product((0, 7), (0, 7)):
        in_x, in_y = (6 if x else 1), (6 if y else 1)
        near = [(in_x, y), (x, in_y), (in_x, in_y)]
        corner = sign(8 * y + x)
        lead += 12 * corner if corner else -4 * sum(sign(8 * b + a) for a, b in near)
    for n in (2, 3, 4, 5):
        lead += sign(n) + sign(56 + n) + sign(8 * n) + sign(8 * n + 7)
    empty = board.cells.count(None)
    lead += 2 if empty % 2 else -2
    if empty <= 12:
        lead += sum(sign(cell) for cell in range(64))
    return lead


def connect_four_lines(stones, player):
    """Three for a line that lacks one stone, one for a line that lacks two; `stones` by (x, y)."""
    found = 0
    for x, y, (dx, dy) in product(range(7), range(6), ((1, 0), (0, 1), (1, 1), (1, -1))):
        line = [(x + i * dx, y + i * dy) for i in range(4)]
        if all(0 <= a < 7 and 0 <= b < 6 for a, b in line):
            owners = [stones[cell] for cell in line]
            if owners.count(player) + owners.count(0) == 4:
                found += {3: 3, 2: 1}.get(owners.count(player), 0)
    return found
