"""Seeds that follow from facts, such as the names of the players and the number of a game."""

from __future__ import annotations

import hashlib

SEED_BITS = 53  # a whole number in JSON, SQLite and Python alike


def derive_seed(*what: object) -> int:
    """The same number each time for the same facts, and unrelated numbers for other facts."""
    digest = hashlib.blake2b(repr(what).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - SEED_BITS)
