"""Playout policies that learn while a search goes on, for any game.

    greedy      plays the best-known move, or now and then a random one
    mast        knows moves
    nst         knows moves and pairs of consecutive moves
    lgr         knows the last reply to a move that won
    lgrf        the same, and forgets a reply that lost

A policy is a module with two kernels. Both get the table of one player, an array of float64 with
two numbers in each row, and the move that was made before, -1 if there is none.

    choose(table, before, out, count, rng, params)  one of the first `count` moves of `out`
    note(table, before, move, reward)               learns from a move of a simulation

Its Python function `rows(codes)` says how many rows the table has for that many move codes.
parts/learning.py has the playout itself, and tells a policy what was played.
"""

from importlib import import_module
from types import ModuleType

LEARNED = ("mast", "nst", "lgr", "lgrf")
GREEDY = ("mast", "nst")
"""Those that read epsilon."""


def policy_of(name: str) -> ModuleType:
    """The module of a policy that learns."""
    return import_module(f"uctlab.rules.playouts.{name}")
