"""Threads that share a tree.

There are two ways to share it: `lockfree`, where nodes are protected one by one (rules/shared.py)
and simulations under way count as virtual losses; and `locked`, as in MoGo (gelly2006, section
2.3), where one mutex protects everything but playouts, and there is no virtual loss.

A node is expanded by the one thread that changes its count from 0 to CLAIMED. Its children are
complete before the new count is stored, and a thread that reads this count sees all of them. Until
then the node is a leaf for the other threads, which do not wait. Each thread takes new nodes from a
block of its own, or one family at a time when room is scarce.

Threads share the nodes and the arrays that are declared `common` or `per_node`; other arrays are a
thread's own. An operator that does not follow rules/shared.py, as a user's may not, is run by one
thread at a time (FOREIGN).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.kernels import hole, kernel
from uctlab.kernels.atomics import (
    add_field,
    load_at,
    load_field,
    store_at,
    store_field,
    swap_at,
    swap_field,
)
from uctlab.kernels.locks import acquire, release
from uctlab.kernels.reads import names_read
from uctlab.parts.layout import CLAIMED, COUNTERS, FULL, USED, new_node
from uctlab.parts.part import Array, Option, Part, Setting
from uctlab.rules.shared import enter as enter_node
from uctlab.rules.shared import inject_yield

# In the array that all threads share, each in its own cache line.
TICKETS, MUTEX = 16, 32
SHARED_LENGTH = 48
# In a thread's own array, behind the counters and those of local_copies.py.
BLOCK_AT, BLOCK_END, LEFT_BEHIND, RESERVED = range(COUNTERS + 4, COUNTERS + 8)
OWN_LENGTH = RESERVED + 1
# BLOCK_AT      and BLOCK_END: the rest of its block of nodes
# LEFT_BEHIND   nodes that it has left unused in earlier blocks
# RESERVED      nodes at the end of the array that are no room for children

MAX_THREADS = 256
ONE_CORE = "a search of the page has one core"
BLOCK = 2048  # nodes that a thread reserves at a time
SCARCE = 64 * BLOCK  # if fewer are left, it reserves only what it needs

select: Any = hole("choice.select")
usual_backup: Any = hole("wrapped.backup")


@kernel
def enter(tree, work, node):
    enter_node(tree.nodes, node)


@kernel
def choose_new(tree, work, node, depth, params):
    """Other threads may already be at the new nodes."""
    return np.int64(select(tree.nodes, node, params))


@kernel
def count_of(nodes, node):
    return load_field(nodes, node, "count")


@kernel
def claim(nodes, node):
    return swap_field(nodes, node, "count", 0, CLAIMED)


@kernel
def publish(nodes, node, count):
    inject_yield()
    store_field(nodes, node, "count", count)


@kernel
def clear_pending(nodes, node):
    nodes[node].pending = 0


@kernel
def take_room(tree, own, count):
    """The first of `count` nodes in the thread's block, or in a new one; -1 if there is no room."""
    nodes = tree.nodes
    counters = tree.counters
    while own[BLOCK_END] - own[BLOCK_AT] < count:
        used = load_at(counters, USED)
        left = len(nodes) - own[RESERVED] - used
        grows = used == own[BLOCK_END]  # the new block is adjacent to the old one
        missing = count
        if grows:
            missing -= own[BLOCK_END] - own[BLOCK_AT]
        if left < missing:
            store_at(counters, FULL, 1)
            return np.int64(-1)
        taken = BLOCK if left >= SCARCE and missing <= BLOCK else missing
        inject_yield()
        if swap_at(counters, USED, used, used + taken):
            if not grows:
                own[LEFT_BEHIND] += own[BLOCK_END] - own[BLOCK_AT]
                own[BLOCK_AT] = used
            own[BLOCK_END] = used + taken
            for node in range(used, used + taken):  # they may have been of an earlier tree
                new_node(nodes, node, np.int16(0))
    first = own[BLOCK_AT]
    own[BLOCK_AT] = first + count
    return first


@kernel
def lock(tree, work, params):
    acquire(work.shared, MUTEX)


@kernel
def unlock(tree, work, node, depth, params):
    release(work.shared, MUTEX)


@kernel
def lock_again(tree, work, depth, length, outcome, params):
    acquire(work.shared, MUTEX)


@kernel
def unlock_again(tree, work, depth, length, outcome, params):
    release(work.shared, MUTEX)


@kernel
def backup_alone(tree, work, depth, reward, params):
    """For an operator that counts visits by itself: one thread at a time, and then the end of the
    virtual losses."""
    acquire(work.shared, MUTEX)
    usual_backup(tree, work, depth, reward, params)
    release(work.shared, MUTEX)
    for level in range(depth + 1):
        add_field(tree.nodes, work.path[level], "pending", -1)


def follows_protocol(operator: Any) -> bool:
    """Whether an operator leaves nodes as rules/shared.py asks for, so that threads can run it at
    the same time."""
    return "threads.SHARED" in names_read(operator.backup)


def _is_foreign(setting: Setting) -> bool:
    """Whether the backup operator does without the protocol of rules/shared.py."""
    return LOCK.name not in setting.agent.parts and not follows_protocol(setting.agent.backup)


def _shared(game: Game, agent: Any) -> tuple[int, ...]:
    return (SHARED_LENGTH,)


PART = Part(
    "threads",
    "Builds one tree with several threads.",
    brought=lambda setting: True,
    devices=("threads",),
    groups=("threads",),
    example="uct(threads=2)",
    source="gelly2006, chaslot2008b",
    options={
        "threads": Option(
            1.0,
            "threads that build one tree",
            low=1,
            high=MAX_THREADS,
            whole=True,
            for_kernels=False,
            not_on_page=ONE_CORE,
        ),
        "sharing": Option(
            "lockfree",
            "how threads share the tree. lockfree: nodes are protected one by one, with virtual "
            "loss; locked: one mutex around everything but playouts, as in MoGo",
            ("lockfree", "locked"),
            used=lambda values: values.get("threads", 1.0) > 1,
            needs="it is for several threads, as with threads=2",
            not_on_page=ONE_CORE,
        ),
    },
    chosen=("threads",),
    missing="searches with one thread",
    parallel=True,
    gpu="a search on a GPU has one thread; leave out threads= and root=",
    arrays=(Array("shared", _shared, np.int64, common=True),),
    steps={
        "enter": enter,
        "choose_new": choose_new,
        "count_of": count_of,
        "claim": claim,
        "take_room": take_room,
        "publish": publish,
    },
    hooks={"node_made": clear_pending},
    spoils_scores=lambda setting: False,
)
FOREIGN = Part(
    "foreign_backup",
    "Runs a backup operator that was not written for threads in one thread at a time.",
    active=_is_foreign,
    devices=("threads",),
    example="uct(backup=examples/minimax_backup.py,threads=2)",
    wraps={"backup": backup_alone},
    spoils_scores=lambda setting: False,
)
LOCK = Part(
    "lock",
    "Takes the mutex for everything but playouts.",
    chosen=("sharing",),
    switch="sharing",
    devices=("threads",),
    example="uct(threads=2,sharing=locked)",
    hooks={"simulation_begins": lock, "played_out": lock_again},
    spoils_scores=lambda setting: False,
)
UNLOCK = Part(
    "unlock",
    "Gives the mutex back.",
    chosen=("sharing",),
    switch="sharing",
    devices=("threads",),
    example=LOCK.example,
    hooks={"leaf_reached": unlock, "updated": unlock_again},
    spoils_scores=lambda setting: False,
)
