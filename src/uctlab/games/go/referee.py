"""Who has won a finished game of Go in which dead stones still stand on the board.

Games between agents of ours are counted as they stand (Tromp-Taylor), since that is what a search
plays for. Other programs pass as soon as people would, so a game in which one takes part is judged
here: dead stones are taken off, then area is counted.

A chain is dead if few of many random games that go on from the final position, half of them with
either player to move, leave it on the board. The players of these games take what is in atari and
make no large self-atari, so that a seki stays, and so does a bent four in the corner: who wants it
dead must play it out, which costs nothing where area is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.go.game import is_go
from uctlab.games.go.groups import groups
from uctlab.games.position import Position
from uctlab.kernel import UNBOUND, copy_record, kernel, seed_rng, specialise
from uctlab.seeds import derive_seed

PLAYOUTS = 1000
POLICY = "capture+save+liberties+pattern+prey+shape"  # heavy playouts that come to their end
ALIVE = 0.5  # of the playouts; a chain that stands at the end of fewer is dead

# Bound by the game.
playout: Any = UNBOUND
stones: Any = UNBOUND


@kernel
def count_survivals(states, rng, out, trace, chains, ends, stands, survivals, playouts):
    """Playouts from states[0], on states[1]; how often each chain stands at the end as a whole.

    chains[cell] is the number of the chain there, or -1. A chain that is captured on the way is
    seldom there again stone by stone.
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
        for chain in range(len(stands)):
            stands[chain] = 1
        for cell in range(len(chains)):
            if chains[cell] >= 0 and ends[1, cell] != owners[cell]:
                stands[chains[cell]] = 0
        for chain in range(len(stands)):
            survivals[chain] += stands[chain]


@dataclass(frozen=True)
class Verdict:
    """How a game of Go has ended."""

    lead: float
    """Black's area less White's and the komi, in points."""
    dead: frozenset[int]
    """Cells of the stones that were taken off first."""

    @property
    def result(self) -> float:
        """Of the first player: 1, 0.5, 0."""
        return 0.5 + 0.5 * float(np.sign(self.lead))

    def __str__(self) -> str:
        """As programs write it: B+2.5, W+0.5, 0."""
        return f"{'B' if self.lead > 0 else 'W'}+{abs(self.lead):g}" if self.lead else "0"


def dead_stones(position: Position) -> set[int]:
    """Cells of the dead stones, whole chains; the same each time for the same stones."""
    chains = survival(position)
    return set().union(*(cells for cells, share in chains.items() if share < ALIVE))


def score(position: Position) -> Verdict:
    """Area and komi, after dead stones have been taken off."""
    dead = dead_stones(position)
    owners = position.stones
    owners[list(dead)] = 0
    points = [0, 0, 0]  # nobody's, Black's, White's
    for group in groups(owners, int(position.game.constants["SIZE"])):
        belongs = {group.owner} if group.owner else group.neighbours
        points[belongs.pop() if len(belongs) == 1 else 0] += len(group.cells)
    komi = float(position.game.constants["KOMI"])
    return Verdict(points[1] - points[2] - komi, frozenset(dead))


def survival(position: Position, playouts: int = PLAYOUTS) -> dict[frozenset[int], float]:
    """For each chain, the share of playouts at whose end it stands."""
    game = position.game
    if not is_go(game):
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
        playout=game.playout(POLICY),
        stones=game.kernels.stones,
    )
    states = game.new_states(2)
    states[0] = position.state
    rng = seed_rng(derive_seed(game.name, owners.tobytes()))
    ends = np.zeros((2, len(owners)), owners.dtype)
    stands, survivals = np.zeros((2, len(chain_cells)), np.int64)
    out, trace = game.new_out(), game.new_trace()
    count(states, rng, out, trace, chains, ends, stands, survivals, playouts)
    return {
        frozenset(cells): float(often) / playouts
        for cells, often in zip(chain_cells, survivals, strict=True)
    }
