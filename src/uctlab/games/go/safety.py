"""What is proven about the stones of a board: chains that cannot be captured, and their territory.

Benson (1976): the chains of a player cannot be captured, even if that player always passes, if each
of them has two vital regions and all chains around these regions are such chains too. A region is a
connected area without stones of that player; it is vital to a chain if every empty cell of it is a
liberty of that chain.

A region between safe chains is territory if the opponent can never make two eyes in it. An eye of
the opponent is a cell that touches no safe chain, so it is enough that there is no such cell, or
one, or two that touch each other. The opponent's stones in a territory are dead:

- A region that is vital to none of its chains is not needed by any: they have their two vital
  regions elsewhere. Their owner can fill every cell that touches them, and then the last eye.
- In a region that is vital to a chain, that chain can be extended to every empty cell while it has
  a liberty in its other vital region, until the stones are captured.

Nothing is said of larger regions, of seki or of chains that are alive only if they are defended.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from uctlab.games.go.groups import Group, groups, neighbours
from uctlab.games.position import Position


@dataclass(frozen=True)
class Safety:
    """What is proven for one player."""

    stones: frozenset[int]
    """Cells of chains that cannot be captured."""
    territory: frozenset[int]
    """Cells of the regions between them in which the opponent cannot live."""
    dead: frozenset[int]
    """Cells of the opponent's stones there."""


def safety(owners: np.ndarray, size: int, player: int) -> Safety:
    """`player` is 1 or 2, as in `owners`, which has the owner of each cell."""
    mine = np.where(owners == player, player, 0)  # the opponent's stones are part of regions
    every = list(groups(mine, size))
    chains = [group for group in every if group.owner == player]
    chain_at = {cell: number for number, chain in enumerate(chains) for cell in chain.cells}
    regions = [
        (group, _vital_to(group, chain_at, owners, size)) for group in every if group.owner == 0
    ]
    numbers = set(range(len(chains)))
    while True:
        eyes = Counter(number for _, vital in regions for number in vital)
        safe = {number for number in numbers if eyes[number] >= 2}
        stones = frozenset[int]().union(*(chains[number].cells for number in safe))
        enclosed = [(region, vital) for region, vital in regions if region.around <= stones]
        if safe == numbers and len(enclosed) == len(regions):
            break
        numbers, regions = safe, enclosed
    small = [region for region, _ in regions if stones and _has_no_two_eyes(region, size)]
    territory = frozenset[int]().union(*(region.cells for region in small))
    return Safety(stones, territory, frozenset(c for c in territory if owners[c] != 0))


def _vital_to(region: Group, chain_at: dict[int, int], owners: np.ndarray, size: int) -> set[int]:
    """The numbers of the chains to which a region is vital; it has an empty cell."""
    found: set[int] | None = None
    for cell in region.cells:
        if owners[cell] == 0:
            beside = {chain_at[near] for near in neighbours(cell, size) if near in chain_at}
            found = beside if found is None else found & beside
            if not found:
                break
    return found or set()


def _has_no_two_eyes(region: Group, size: int) -> bool:
    inner = [cell for cell in region.cells if region.around.isdisjoint(neighbours(cell, size))]
    return len(inner) < 2 or (len(inner) == 2 and inner[0] in neighbours(inner[1], size))


def idle_moves(position: Position) -> frozenset[int]:
    """Moves that gain nothing, of the player to move; the pass is none of them.

    They fill an eye whose chains are not in atari, or a part of the player's own territory that
    touches no dead stone, or they add dead stones to a territory of the opponent's.
    """
    size = int(position.game.constants["SIZE"])
    owners, me = position.stones, position.turn + 1
    own, other = (safety(owners, size, player) for player in (me, 3 - me))
    filled = set(other.territory)
    for region in groups(owners, size):
        if region.owner == 0 and (region.cells <= own.territory or _eye(region, owners, size, me)):
            clean = region.neighbours == {me}
            filled |= region.cells if clean else set()
    return frozenset(filled) & frozenset(position.legal)


def _eye(region: Group, owners: np.ndarray, size: int, player: int) -> bool:
    """A single cell that stays an eye: as in `game._eye`, and no chain around it is in atari."""
    if len(region.cells) > 1 or region.neighbours != {player}:
        return False
    (cell,) = region.cells
    y, x = divmod(cell, size)
    corners = [(y + dy, x + dx) for dy in (-1, 1) for dx in (-1, 1)]
    inside = [(r, c) for r, c in corners if 0 <= r < size and 0 <= c < size]
    enemies = sum(owners[r * size + c] == 3 - player for r, c in inside)
    if enemies + (len(inside) < 4) >= 2:
        return False
    empty = {i for i in range(size * size) if owners[i] == 0}
    return all(
        len(chain.around & empty) > 1
        for chain in groups(owners, size)
        if chain.owner == player and chain.around & region.cells
    )
