"""Do "uniform" playouts choose all moves alike? First moves and results, by chi-square tests.

The seed is fixed and the level of all tests together is one in a million, so a sound game does not
fail by bad luck; gross defects, a move that is never made or twice as likely, are far beyond it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from uctlab.games.api import Game
from uctlab.games.check_playouts import run_playout
from uctlab.games.check_scene import Scene
from uctlab.games.reference import by_the_rules
from uctlab.games.uniform import uniform
from uctlab.kernels import seed_rng, specialise

LEVEL = 1e-6
"""Probability of a false alarm, in all tests of a check together."""
PER_MOVE = 50  # playouts for each legal move
LEAST, MOST = 2000, 10_000  # playouts from one position


def check_chances(scene: Scene, lines: Sequence[tuple[list[int], Any]], seed: int) -> int:
    """Compare playouts from these positions, each with its line of moves, with the rules alone.

    Returns the number of playouts.
    """
    game = scene.game
    if game.playouts["uniform"] is uniform:  # it is made of `moves` and `play` itself
        return 0
    candidates = game.kernels.playout_moves if game.playout_moves else game.kernels.moves
    level = LEVEL / (3 * len(lines))
    playouts = 0
    for number, (line, state) in enumerate(lines):
        scene.line = line
        count = scene.count_moves(scene.copy(state), candidates)
        legal = scene.out.array[:count].tolist()
        samples = min(max(LEAST, PER_MOVE * count), MOST)
        rng = seed_rng(seed, 2 * number)
        firsts: Counter[int] = Counter()
        results: Counter[float] = Counter()
        for _ in range(samples):
            played = run_playout(scene, state, "uniform", rng)
            firsts[played.trace[0]] += 1
            results[played.result] += 1
        _check_first_moves(scene, firsts, legal, level)
        expected = _results_by_the_rules(scene, state, candidates, seed_rng(seed, 2 * number + 1))
        _check_results(scene, results, expected, level)
        playouts += samples
    return playouts


def chi_square_level(statistic: float, freedom: int) -> float:
    """Probability of so large a chi-square statistic, by Wilson and Hilferty's approximation."""
    spread = 2 / (9 * freedom)
    z: float = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5
    return NormalDist().cdf(-z)


def count_level(found: int, mean: float) -> float:
    """Upper bound on the probability of a count so far from its mean (Chernoff).

    A single move that is never made hardly shows in the chi-square statistic of a large board.
    """
    return 2 * math.exp(found - mean - (found * math.log(found / mean) if found else 0.0))


def _check_first_moves(scene: Scene, firsts: Counter[int], legal: list[int], level: float) -> None:
    samples = firsts.total()
    for move in firsts:
        text = f"uniform playout: its first move {scene.name_of(move)} is not among playout_moves"
        scene.require(move in legal, text)
    if len(legal) < 2:
        return
    mean = samples / len(legal)
    statistic = sum((firsts[move] - mean) ** 2 / mean for move in legal)
    odd = max(legal, key=lambda move: (abs(firsts[move] - mean), -firsts[move]))
    chance = min(
        chi_square_level(statistic, len(legal) - 1), len(legal) * count_level(firsts[odd], mean)
    )
    scene.require(
        chance >= level,
        f"uniform playout: its first moves are not uniform: {scene.name_of(odd)} came first "
        f"{firsts[odd]} times in {samples}, not about {mean:.0f} times",
    )


def _check_results(
    scene: Scene, found: Counter[float], expected: Counter[float], level: float
) -> None:
    """Two samples of results: are they of one distribution?"""
    sizes = found.total(), expected.total()
    statistic = 0.0
    values = sorted({*found, *expected})
    for value in values:
        both = found[value] + expected[value]
        for sample, size in zip((found, expected), sizes, strict=True):
            mean = both * size / sum(sizes)
            statistic += (sample[value] - mean) ** 2 / mean
    if len(values) < 2:
        return
    means = [
        sum(value * times for value, times in sample.items()) / sample.total()
        for sample in (found, expected)
    ]
    scene.require(
        chi_square_level(statistic, len(values) - 1) >= level,
        f"uniform playout: its results are not those of random moves: the first player gets "
        f"{means[0]:.1%} of {sizes[0]} playouts, and {means[1]:.1%} of games by moves and play",
    )


def _results_by_the_rules(scene: Scene, state: Any, moves: Any, rng: Any) -> Counter[float]:
    kernel = _reference(scene.game, moves)
    results: Counter[float] = Counter()
    for _ in range(LEAST):
        now = scene.copy(state)
        results[float(scene.call("moves and play", kernel, now, rng, scene.out.array))] += 1
    return results


def _reference(game: Game, moves: Any) -> Any:
    rules = game.kernels
    return specialise(
        by_the_rules,
        interpret=game.interpret,
        game={
            "moves": moves,
            "play": rules.play,
            "result": rules.result,
            "MAX_LENGTH": np.int64(game.max_length),
        },
    )
