"""Derives random seeds from facts such as the players' names and the number of a game."""

from __future__ import annotations

import hashlib

SEED_BITS = 53  # exact as an integer in JSON, SQLite and Python alike


def derive_seed(*what: object) -> int:
    """Equal facts give the same number every time, different facts give unrelated numbers."""
    digest = hashlib.blake2b(repr(what).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - SEED_BITS)
