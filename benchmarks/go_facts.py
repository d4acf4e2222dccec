"""Compares Go's heavy playouts and priors with what Fuego 1.1 itself did.

    python benchmarks/go_facts.py [--playouts 400] [--seed 1] [--means FILE] [--priors FILE]

Without files of your own (JSON, also with gzip) the facts are those of tests/data: the mean result
of 2,000 of Fuego's playouts from each of 180 positions, and its priors of all moves in 128
positions. One part of the root mean square difference of the means is noise, which follows from the
numbers of playouts on either side; the rest is a difference between the two programs. The exit code
is 1 if the root mean square is above 0.04 or the correlation below 0.99. Priors differ only where
they depend on chance: where Fuego's policy found only random moves, it took one of them for its
candidate if it had corrected a self-atari.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from uctlab.games import Game, Position, make_game
from uctlab.games.api import MOVE
from uctlab.games.sampling import PlayoutSampler

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
MEANS, PRIORS = DATA / "go_playout_means.json.gz", DATA / "go_priors.json.gz"
MOST_RMS, LEAST_CORRELATION = 0.04, 0.99
VALUE_ROUNDING = 0.001

Prior = tuple[float, int]
"""Value for the player to move, and weight in playouts."""


def read_facts(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    facts: list[dict[str, Any]] = json.loads(
        gzip.decompress(data) if path.suffix == ".gz" else data
    )
    return facts


class Agreement(NamedTuple):
    """Of mean results from several positions."""

    positions: int
    rms: float
    """Root of the mean squared difference."""
    noise: float
    """What it would be if both had the same expected result in every position."""
    correlation: float
    longer: float
    """By how many moves our playouts are longer, on average."""

    @property
    def rest(self) -> float:
        """The part of the difference that is not noise; the squares of both add up."""
        return math.sqrt(max(0.0, self.rms**2 - self.noise**2))


def compare_playouts(facts: Iterable[Mapping[str, Any]], playouts: int, seed: int) -> Agreement:
    """Black's mean result from each position, ours and Fuego's."""
    rows = []
    game = make_game("go:9")
    for number, fact in enumerate(facts):
        position = Position.start(game).play_all(fact["moves"])
        sampler = PlayoutSampler(position, seed=seed + number, policy="heavy")
        ours = sampler.run(playouts)
        noise = ours.result * (1 - ours.result) / playouts
        noise += fact["black"] * (1 - fact["black"]) / fact["playouts"]
        rows.append((ours.result, fact["black"], noise, ours.length - fact["length"]))
    own, theirs, noise, longer = np.array(rows).T
    return Agreement(
        len(rows),
        math.sqrt(float(np.mean((own - theirs) ** 2))),
        math.sqrt(float(np.mean(noise))),
        float(np.corrcoef(own, theirs)[0, 1]),
        float(np.mean(longer)),
    )


def priors_at(game: Game, moves: str) -> dict[str, Prior]:
    """Our priors of the moves that a tree has at that position, by their names."""
    position = Position.start(game).play_all(moves)
    legal = np.array(position.legal, MOVE)
    legal = legal[: game.kernels.prune(position.state, legal, len(legal))]
    worth, weights = np.zeros((2, len(game.move_names)), np.int64)
    game.kernels.priors(position.state, legal, len(legal), worth, weights)
    return {
        game.move_name(move).lower(): (float(worth[move]) / 1e6, int(weights[move]))
        for move in legal.tolist()
    }


def differences(ours: Mapping[str, Prior], theirs: Mapping[str, Any]) -> list[str]:
    """Moves that are not in both, or whose priors differ by more than rounding."""
    return sorted(
        move
        for move in {*ours, *theirs}
        if move not in ours
        or move not in theirs
        or ours[move][1] != theirs[move][1]
        or abs(ours[move][0] - theirs[move][0]) > VALUE_ROUNDING
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--playouts", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--means", type=Path, default=MEANS)
    parser.add_argument("--priors", type=Path, default=PRIORS)
    given = parser.parse_args()
    found = compare_playouts(read_facts(given.means), given.playouts, given.seed)
    print(
        f"playouts: {found.positions} positions, rms {found.rms:.4f} (noise {found.noise:.4f}, "
        f"rest {found.rest:.4f}), correlation {found.correlation:.4f}, "
        f"longer by {found.longer:.2f} moves"
    )
    game = make_game("go:9")
    facts = read_facts(given.priors)
    wrong = 0
    for number, fact in enumerate(facts):
        if moves := differences(priors_at(game, fact["moves"]), fact["priors"]):
            wrong += 1
            print(f"priors differ in position {number} ({fact['kind']}): {', '.join(moves)}")
    print(f"priors: {len(facts) - wrong} of {len(facts)} positions agree")
    return int(found.rms > MOST_RMS or found.correlation < LEAST_CORRELATION)


if __name__ == "__main__":
    sys.exit(main())
