"""The referee of Go: who has won a game that ended with dead stones on the board.

Games between our own agents are counted as they stand (Tromp-Taylor), since that is what a search
plays for. Other programs pass as soon as people would, so games with such a program are judged
here: dead stones are taken off, then area is counted.

What is proven about a chain decides (safety.py): one that cannot be captured is alive, and a stone
in a territory where it cannot live is dead. Any other chain is dead if few of many random games
that continue from the final position, half of them with either player to move first, leave it on
the board. The players in these games capture what is in atari and avoid large self-ataris, so that
a seki stays, and so does a bent four in the corner: a player who wants that dead must play it out,
which costs nothing under area scoring.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.capabilities import Status, Verdict
from uctlab.games.go import policy
from uctlab.games.go.groups import Group, groups
from uctlab.games.go.safety import safety
from uctlab.games.position import Position
from uctlab.kernels import copy_record, hole, kernel, seed_rng, specialise
from uctlab.seeds import derive_seed

PLAYOUTS = 1000
# Heavy playouts, always played to the end, by players who refuse every self-atari of more than two
# stones that is no nakade, so that one side's mistake does not break up a seki.
PARTS = {name.upper(): name not in ("mercy", "score") for name in policy.PARTS} | {"CAREFUL": True}
ALIVE = 0.5  # share of the playouts; a chain that survives fewer is dead
SHARED_REGION = 4  # cells; chains in a seki share no larger region

playout: Any = hole("game.playout")
stones: Any = hole("game.stones")


@kernel
def count_survivals(states, rng, out, trace, chains, ends, survivals, playouts):
    """Playouts from states[0], on states[1]; counts how often each chain survives as a whole.

    chains[cell] is the number of the chain there, or -1. survivals[0] has the counts, survivals[1]
    is scratch. A chain that was captured is hardly ever put back stone by stone, so it is enough to
    look at the end.
    """
    owners = ends[0]
    stones(states[0], owners)
    for i in range(playouts):
        copy_record(states, 1, 0)
        s = states[1]
        s.passes = 0
        s.ko = 0
        s.last = 0
        s.last2 = 0
        s.turn = i % 2
        playout(s, rng, out, trace)
        stones(s, ends[1])
        counts, stands = survivals[0], survivals[1]
        for chain in range(len(stands)):
            stands[chain] = 1
        for cell in range(len(chains)):
            if chains[cell] >= 0 and ends[1, cell] != owners[cell]:
                stands[chains[cell]] = 0
        for chain in range(len(stands)):
            counts[chain] += stands[chain]


def dead_stones(position: Position) -> set[int]:
    """Cells of the dead stones, in whole chains; always the same for the same stones."""
    chains = survival(position)
    dead = set().union(*(cells for cells, share in chains.items() if share < ALIVE))
    size = int(position.game.constants["SIZE"])
    for player in (1, 2):
        proven = safety(position.stones, size, player)
        dead = dead - proven.stones | proven.dead
    return dead - _at_home(position, dead)


def _at_home(position: Position, dead: set[int]) -> set[int]:
    """Stones that would be in their own side's territory: those that killed what is dead, too."""
    owners = position.stones
    kept = owners.copy()
    kept[list(dead)] = 0
    return {
        cell
        for region in groups(kept, int(position.game.constants["SIZE"]))
        for cell in region.cells & dead
        if region.neighbours == {owners[cell]}
    }


def judge(position: Position) -> Verdict:
    """Who has won by area and komi, after dead stones have been taken off."""
    return count_without(position, dead_stones(position))


def standing_lead(position: Position) -> float:
    """Black's points minus White's, as the stones stand."""
    return count_without(position, set()).lead


def area_without(position: Position, dead: frozenset[int] = frozenset()) -> np.ndarray:
    """Whose point each cell is once dead stones are taken off: 0 nobody's, 1 Black's, 2 White's."""
    owners = position.stones
    owners[list(dead)] = 0
    for group in groups(owners.copy(), int(position.game.constants["SIZE"])):
        if group.owner == 0 and len(group.neighbours) == 1:
            owners[list(group.cells)] = next(iter(group.neighbours))
    return owners


def count_without(position: Position, dead: set[int]) -> Verdict:
    """The verdict if just the stones on those cells are dead."""
    size = int(position.game.constants["SIZE"])
    owners = position.stones
    owners[list(dead)] = 0
    points = [0, 0, 0]  # nobody's, Black's, White's
    regions = []
    for group in groups(owners, size):
        belongs = {group.owner} if group.owner else group.neighbours
        points[next(iter(belongs)) if len(belongs) == 1 else 0] += len(group.cells)
        if group.owner == 0:
            regions.append(group)
    chains = [group for group in groups(position.stones, size) if group.owner]
    lead = points[1] - points[2] - float(position.game.constants["KOMI"])
    return Verdict(lead, {frozenset(c.cells): _status(c, dead, regions) for c in chains})


def _status(chain: Group, dead: set[int], regions: list[Group]) -> Status:
    """`regions` are the empty ones that are there once dead stones have been taken off.

    A living chain is in seki if it touches only small empty regions, and shares all of them.
    """
    if chain.cells <= dead:
        return "dead"
    touched = [region for region in regions if region.around & chain.cells]
    shared = all(
        region.neighbours != {chain.owner} and len(region.cells) <= SHARED_REGION
        for region in touched
    )
    return "seki" if shared else "alive"


def survival(position: Position, playouts: int = PLAYOUTS) -> dict[frozenset[int], float]:
    """For each chain, the share of playouts that it survives."""
    game = position.game
    if "KOMI" not in game.constants:
        raise UsageError(f"{game.name} has no dead stones; accepted: games of Go")
    owners = position.stones
    size = int(game.constants["SIZE"])
    chain_cells = [group.cells for group in groups(owners, size) if group.owner]
    chains = np.full(len(owners), -1, np.int64)
    for number, cells in enumerate(chain_cells):
        chains[list(cells)] = number
    count = specialise(
        count_survivals,
        interpret=game.interpret,
        game={**game.constants, "playout": policy.playout, "stones": game.kernels.stones},
        playout={"TRACE": False},
        policy=PARTS,
    )
    states = game.new_states(2)
    states[0] = position.state
    rng = seed_rng(derive_seed(game.name, owners.tobytes()))
    ends = np.zeros((2, len(owners)), owners.dtype)
    survivals = np.zeros((2, len(chain_cells)), np.int64)
    out, trace = game.new_out(), game.new_trace()
    count(states, rng, out, trace, chains, ends, survivals, playouts)
    return {
        frozenset(cells): float(often) / playouts
        for cells, often in zip(chain_cells, survivals[0], strict=True)
    }
