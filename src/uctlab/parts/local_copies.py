"""A thread's own copies of nodes in the upper tree, where threads would wait for each other.

Every playout of every thread reads and writes there, so that most cache lines would come from
another core. If all that a node keeps are sums over its playouts, a thread copies the moves of a
node that has had many visits and counts in its copies. Every few selections it adds its share to
the tree and takes the others' from there. The copied nodes are a tree from the root downwards: a
copy's `first` leads to copies of its moves, or else into the tree that all share. Other threads'
playouts under way are no losses at copies.

The copies of a node's moves have a header before them, and behind them is what they were at the
last exchange. All are nodes at the end of the array, where each thread has a part. The root's copy
comes first, as if the root were the only move of some node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.kernels import hole, kernel
from uctlab.kernels.atomics import add_at, add_pair, load_at, load_field
from uctlab.parts.layout import COUNTERS, ROOT
from uctlab.parts.part import Array, Part, Setting
from uctlab.parts.shared_sketches import draw, draw_truly
from uctlab.parts.threads import LOCK, follows_protocol
from uctlab.rules.fields import fields_of
from uctlab.rules.shared import enter as enter_node

# In a thread's own array, after the counters.
COPIES, COPIES_USED, COPIES_END, CROWD = range(COUNTERS, COUNTERS + 4)
# COPIES        a spare node before its copies, beyond the array if it has none
# COPIES_USED   and COPIES_END: the first node after the copies, and after the room for them
# CROWD         visits to a node for each selection there between two exchanges

UNSEEN = 4  # a quarter of a node's visits at most is made by all threads between two exchanges
FEWEST, MOST = 4, 64  # selections between two exchanges; if there would be fewer, nothing is copied

usual_choice: Any = hole("wrapped.choose")
usual_backup: Any = hole("wrapped.backup")
operator_backup: Any = hole("backup.backup")
plain_backup: Any = hole("settled.backup")
SKETCH: bool = hole("agent.SHARED_SKETCHES")  # selection looks at sketches of the moves
RECORD: bool = hole("agent.RECORD_LAST")


@kernel
def copy_root(nodes, own, work):
    """The thread's own copy of the root, or the root where there is no room for copies."""
    return copy_moves(nodes, np.int64(0), np.int64(1), FEWEST, own, work)


@kernel
def renew(nodes, node, own, work):
    """Before a selection at a copy: copy its moves, or exchange them when it is time."""
    first = np.int64(nodes[node].first)
    if first >= own[COPIES]:
        count_down(nodes, first, np.int64(nodes[node].visits), own, work)
    elif nodes[node].visits >= FEWEST * own[CROWD]:
        count = np.int64(nodes[node].count)
        times = selections(np.int64(nodes[node].visits), own)
        nodes[node].first = copy_moves(nodes, first, count, times, own, work)


@kernel
def selections(visits, own):
    """How many there are between two exchanges."""
    return max(FEWEST, min(visits // own[CROWD], MOST))


@kernel
def copy_moves(nodes, first, count, times, own, work):
    """Where the copies of these nodes are; `first` if there is no room, or if one of them may still
    change in anything but its sums."""
    header = own[COPIES_USED]
    mine = header + 1
    before = mine + count
    if before + count > own[COPIES_END]:
        return first
    for node in range(first, first + count):
        if load_field(nodes, node, "count") <= 0 or (first > 0 and nodes[node].visits == 0):
            return first
    for i in range(count):
        nodes[mine + i] = nodes[first + i]
        nodes[mine + i].pending = 0
        nodes[before + i] = nodes[mine + i]
        if SKETCH and first > 0:
            draw(nodes, mine + i, work.sketch)
    nodes[header].first = first
    nodes[header].count = count
    nodes[header].visits = times
    own[COPIES_USED] = before + count
    return mine


@kernel
def count_down(nodes, mine, visits, own, work):
    """One selection less until these copies are exchanged; `visits` are those of the node whose
    moves they are."""
    nodes[mine - 1].visits -= 1
    if nodes[mine - 1].visits == 0:
        nodes[mine - 1].visits = selections(visits, own)
        exchange_moves(nodes, mine, work)


@kernel
def exchange_moves(nodes, mine, work):
    first = np.int64(nodes[mine - 1].first)
    count = np.int64(nodes[mine - 1].count)
    for i in range(count):
        exchange(nodes, first + i, mine + i, mine + count + i, work)


@kernel
def exchange(nodes, node, mine, before, work):
    """Add to the node what was counted in the copy `mine` since it was as `before`, and take from
    there what the others have added."""
    made = np.int64(nodes[mine].visits) - np.int64(nodes[before].visits)
    words = work.words
    places = work.places
    width = places[0]
    for i in range(1, len(places)):
        at = places[i]
        here = width * node + at
        there = width * mine + at
        then = width * before + at
        if made > 0:
            add_at(words, here, words[there] - words[then])
        words[there] = load_at(words, here)
        words[then] = words[there]
    if made > 0:
        add_pair(nodes, node, "visits", "pending", made, 0)
    visits = load_field(nodes, node, "visits")
    nodes[mine].visits = visits
    nodes[before].visits = visits
    if SKETCH and visits > 0:
        draw(nodes, mine, work.sketch)
        if made > 0:
            draw_truly(nodes, node, work.sketch)


@kernel
def exchange_all(nodes, own, work):
    """At the end nothing is left that only this thread knows."""
    mine = own[COPIES] + 2
    while mine < own[COPIES_USED]:
        exchange_moves(nodes, mine, work)
        mine += 2 * np.int64(nodes[mine - 1].count) + 1


@kernel
def originals(nodes, path, depth, own):
    """Replace the copies on a path by what they are copies of."""
    for level in range(depth, 0, -1):
        if path[level] >= own[COPIES]:
            mine = np.int64(nodes[path[level - 1]].first)
            path[level] += np.int64(nodes[mine - 1].first) - mine
    path[0] = 0


@kernel
def begin(tree, work, params):
    work.own[ROOT] = copy_root(tree.nodes, work.own, work)


@kernel
def end(tree, work, params):
    exchange_all(tree.nodes, work.own, work)


@kernel
def enter(tree, work, node):
    """Playouts under way are counted in a copy for its own thread alone."""
    nodes = tree.nodes
    own = work.own
    if node < own[COPIES]:
        enter_node(nodes, node)
        return
    nodes[node].pending = 1
    if node == own[ROOT]:
        count_down(nodes, node, np.int64(nodes[node].visits), own, work)


@kernel
def choose(tree, work, node, depth, params):
    if node >= work.own[COPIES]:
        renew(tree.nodes, node, work.own, work)
    return usual_choice(tree, work, node, depth, params)


@kernel
def backup(tree, work, depth, reward, params):
    """The copies are a part of the path that begins at the root, and need no atomic additions.

    The operator takes the end of a path for a leaf: of the part with the copies it is a spare node.
    """
    nodes = tree.nodes
    path = work.path
    copies = work.own[COPIES]
    copied = 0
    while path[copied] >= copies:  # a leaf is no copy
        copied += 1
    if copied == 0:
        usual_backup(tree, work, depth, reward, params)
        return
    operator_backup(nodes, path[copied:], depth - copied, reward, params)
    leaf = path[copied]
    path[copied] = copies
    plain_backup(nodes, path, copied, 1.0 - reward if (depth - copied) & 1 else reward, params)
    path[copied] = leaf
    for level in range(copied):
        nodes[path[level]].pending = 0


@kernel
def name_originals(tree, work, depth, length, outcome, params):
    if RECORD:
        originals(tree.nodes, work.path, depth, work.own)


def sums_of(setting: Setting, others: tuple[Part, ...]) -> tuple[str, ...]:
    """The fields of a node that are nothing but sums over its simulations, if all are and nothing
    else reads them while threads are at work."""
    agent = setting.agent
    sums: tuple[str, ...] = getattr(agent.backup, "SUMS", ())
    types = {field.name: field.type for field in fields_of(agent.backup.FIELDS)}
    apart = (
        follows_protocol(agent.backup)
        and not any(part.reads_counts for part in others)
        and LOCK not in others
    )
    return sums if apart and all(np.dtype(types[name]) == np.float64 for name in sums) else ()


def _applies(setting: Setting, others: tuple[Part, ...]) -> bool:
    return len(sums_of(setting, others)) > 0


def _none(game: Game, agent: Any) -> tuple[int, ...]:
    return (1,)


PART = Part(
    "local_copies",
    "Lets every thread count in its own copies of nodes that all threads visit often.",
    devices=("threads",),
    applies=_applies,
    arrays=(
        Array("words", _none, np.float64, common=True),
        Array("places", _none, np.int64, common=True),
    ),
    # words    the nodes as one array of float64
    # places   how many words a node has, and where in it the sums are
    steps={"enter": enter},
    wraps={"choose": choose, "backup": backup},
    hooks={"search_begins": begin, "search_ends": end, "updated": name_originals},
    spoils_scores=lambda setting: False,
)
