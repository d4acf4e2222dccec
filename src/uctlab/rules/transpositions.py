"""Finds the nodes of equal positions, for the backup operator `positions`.

A table of `Work` has a digest of 64 bits for each position of the tree and the first of its nodes.
Two different positions with one digest would share their results; among a million positions the
chance of that is 1 in 37 million.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

write_key: Any = hole("solver.write_key")

PROBES = 16  # places that are looked at; a position that finds no room shares nothing
MAX_SLOTS = 2**22

_START = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)


@kernel
def link(nodes, node, s, key, owners, table):
    """At the first visit of a node, whose position is `s`: name the first node of the position."""
    if nodes[node].visits > 0:
        return
    write_key(s, owners, key)
    digest = _digest(key)
    slots = len(table)
    at = np.int64(digest & np.uint64(slots - 1))
    for _ in range(PROBES):
        if table[at, 1] == 0:  # no node but the root has the number 0, and the root is no child
            table[at, 0] = digest
            table[at, 1] = np.uint64(node)
            return
        if table[at, 0] == digest:
            nodes[node].same = table[at, 1]
            return
        at = (at + 1) & (slots - 1)


@kernel
def _digest(key):
    digest = _START
    for i in range(len(key)):
        digest = (digest ^ np.uint64(key[i])) * _FACTOR
        digest ^= digest >> _SHIFT
    return digest


def slots_for(playouts: int) -> int:
    """Size of the table: every playout brings one position at most."""
    return int(min(MAX_SLOTS, 1 << (2 * playouts + 64).bit_length()))
