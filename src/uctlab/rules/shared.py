"""How several threads visit one node at once: virtual loss, and a latch per node.

`visits` and `pending` are the halves of one word. A playout that enters a node adds 1 to `pending`
(`enter`); until it leaves, selection counts it as a loss there: this is the virtual loss. When it
leaves, one addition counts the visit and removes the virtual loss (`leave`). The upper bit of
`pending` is the node's latch: the thread that has set it (`latch`) may change several fields
together.

Invariants, whichever thread comes first:

- No visit is lost: when no playout is under way, `pending` is 0 everywhere, and the visits of a
  node are those of its moves plus its own playouts as a leaf.
- The weights of a node's moves, its unit, and what parts note of its moves belong to its latch.
  Its accelerated value belongs to its own latch, its discounted value to its parent's.
- Latches are taken from the leaf towards the root, which rules out deadlock.

A thread may have chosen a leaf that another thread expands before the playout is over. The playout
then counts as one more visit to the node's virtual child: the unit grows, and the weights of the
moves and of the virtual child add up to 1 + lambda + ... + lambda**(visits - 1) as with one thread.

Selection takes no latch: it may see a node in the middle of an update and choose a different move
because of it. With sharing=locked one mutex protects all of this, and none of it is needed.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.kernels.atomics import (
    add_field,
    add_pair,
    load_field,
    set_bits_field,
    yield_processor,
)
from uctlab.kernels.locks import wait

LATCH = 2**31
LATCH_BIT = np.uint32(LATCH)
PLAYOUTS = np.uint32(LATCH - 1)

# Several threads build one tree; with LOCKED one mutex protects all of it.
SHARED: bool = hole("threads.SHARED", False)
LOCKED: bool = hole("threads.LOCKED", False)
# For tests: threads yield to each other at every point where that might do harm.
INJECT_YIELDS: bool = hole("threads.INJECT_YIELDS", False)


@kernel
def inject_yield():
    if INJECT_YIELDS:
        yield_processor()


@kernel
def pending(nodes, node):
    """Playouts under way below the node."""
    return np.int64(nodes[node].pending & PLAYOUTS)


@kernel
def enter(nodes, node):
    if not LOCKED:
        inject_yield()
        add_field(nodes, node, "pending", 1)


@kernel
def leave(nodes, node):
    """Count the visit and remove the virtual loss."""
    if SHARED and not LOCKED:
        inject_yield()
        add_pair(nodes, node, "visits", "pending", 1, -1)
    else:
        nodes[node].visits += 1


@kernel
def latch(nodes, node):
    """Set the latch as soon as no other thread holds it."""
    if SHARED and not LOCKED:
        inject_yield()
        tries = 0
        while set_bits_field(nodes, node, "pending", LATCH_BIT) & LATCH_BIT != 0:
            while load_field(nodes, node, "pending") & LATCH_BIT != 0:
                tries = wait(tries)
        inject_yield()


@kernel
def unlatch(nodes, node):
    if SHARED and not LOCKED:
        add_field(nodes, node, "pending", -LATCH)


@kernel
def leave_unlatch(nodes, node):
    """Leave a node whose latch this thread holds, and release the latch."""
    if SHARED and not LOCKED:
        inject_yield()
        add_pair(nodes, node, "visits", "pending", 1, -1 - LATCH)
    else:
        nodes[node].visits += 1


@kernel
def add_to_total(nodes, node, reward):
    if SHARED and not LOCKED:
        add_field(nodes, node, "total", reward)
    else:
        nodes[node].total += reward


@kernel
def count_of(nodes, node):
    """The number of moves of a node, all of which can then be read."""
    if SHARED:
        return load_field(nodes, node, "count")
    return nodes[node].count


@kernel
def expanded_since(nodes, leaf):
    """Whether another thread has expanded a leaf since it was chosen."""
    return SHARED and count_of(nodes, leaf) > 0
