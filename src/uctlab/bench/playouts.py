"""Measures random games per CPU second from the start position, in one thread."""

from __future__ import annotations

import hashlib
import math
import statistics
import time
from dataclasses import dataclass
from typing import Any

from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler

GAMES = ("othello", "hex:5", "hex:11", "havannah:5", "havannah:8", "go:9", "go:19")
SLICES = 7
LONGEST_SLICE = 0.3  # seconds; Ctrl-C waits for the end of one
SIGNATURE_PLAYOUTS = 1000


@dataclass(frozen=True)
class PlayoutSpeed:
    """The speed of uniform playouts in one game."""

    game: str
    playouts: int
    """Total number of timed playouts."""
    per_second: float
    """Playouts per CPU second: the median of equal slices of the run."""
    slowest: float
    fastest: float
    """The same for the slowest and for the fastest slice."""
    length: float
    """Mean number of moves per playout."""
    result: float
    """Mean result for the first player."""
    signature: str
    """Digest of the first playouts' results; a change of speed alone does not change it."""


def measure_playouts(spec: str, *, seconds: float, seed: int) -> PlayoutSpeed:
    """Time a game's playouts for about that many CPU seconds, without compilation."""
    game = make_game(spec)
    sampler = PlayoutSampler(Position.start(game), seed=seed)
    first = sampler.run(SIGNATURE_PLAYOUTS)
    facts = f"{game.name} {first.result!r} {first.draws!r} {first.length!r}"
    # Step 1. How many playouts fill a slice.
    count = SIGNATURE_PLAYOUTS
    while (spent := _timed(sampler, count)[0]) < 0.02:
        count *= 2
    number = max(SLICES, math.ceil(seconds / LONGEST_SLICE))
    count = max(1, round(count * seconds / number / spent))
    # Step 2. The slices.
    slices = [_timed(sampler, count) for _ in range(number)]
    speeds = [count / spent for spent, _ in slices]
    samples = [sample for _, sample in slices]
    return PlayoutSpeed(
        game=game.name,
        playouts=count * number,
        per_second=statistics.median(speeds),
        slowest=min(speeds),
        fastest=max(speeds),
        length=statistics.fmean(sample.length for sample in samples),
        result=statistics.fmean(sample.result for sample in samples),
        signature=hashlib.sha256(facts.encode()).hexdigest()[:8],
    )


def _timed(sampler: PlayoutSampler, count: int) -> tuple[float, Any]:
    begin = time.thread_time()
    sample = sampler.run(count)
    return time.thread_time() - begin, sample
