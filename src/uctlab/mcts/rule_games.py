"""Playouts with results that are known beforehand, for checks of rules."""

from __future__ import annotations

from uctlab.kernels import below, kernel


@kernel
def first_wins(s):
    return 1.0


@kernel
def won_playout(s, rng, out, trace):
    """The first player wins every time."""
    return 1.0, 0


@kernel
def mixed_playout(s, rng, out, trace):
    """Wins, draws, and wins by a little."""
    return 0.25 * below(rng, 5), 0
