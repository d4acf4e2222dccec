"""Counts the cache lines that threads take from each other in a tree that they share: a model.

    python benchmarks/shared_lines.py othello 300000

Sixteen threads take turns, a playout each; a playout is backed up when the others have had theirs.
Of each line of nodes (24 bytes: sums and playouts under way 16, the rest 8) the model knows who has
it. A read by a thread that has not got the line is a miss; so is a write where others have it too,
who lose it. Caches have no end, a thread's own copies of nodes cost nothing, and selection reads
all moves of a node, as it does where there are no sketches.

Columns, per playout: levels of the tree; lines missed by selections, by the virtual loss, by the
backup and by exchanges; all of them; and how often a thread waits, where the lines that a selection
or an exchange reads arrive together.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.kernels import hole, kernel, seed_rng
from uctlab.mcts.binding import bind_for_cpu
from uctlab.mcts.workspace import new_work

moves: Any = hole("game.moves")
play: Any = hole("game.play")
playout: Any = hole("game.playout")
copy_record: Any = hole("device.copy_record")

THREADS, BLOCK, ROOM, LINE, NODE = 16, 2048, 16384, 64, 24
VISITS, PENDING, FIRST, COUNT, MOVE, LEFT = range(6)  # LEFT of a header: until the next exchange
LEVELS, SELECTED, ENTERED, LEFT_NODES, EXCHANGED, WAITS = range(6)
# What is copied: (deepest level, visits of a node at least, visits for each selection between two
# exchanges, selections between them at most).
SCHEMES = {
    "root only": (0, 0, 1, 1),
    "root and its moves, 0.2.0": (1, 1, 1, 16),
    "many visits, exchanged after 4 to 16": (99, 256, 64, 16),
    "after 4 to 64, as in local_copies.py": (99, 256, 64, 64),
    "with half the visits unseen": (99, 128, 32, 64),
    "with all the visits unseen": (99, 64, 16, 64),
}


@kernel
def touch(holders, shared, node, thread, write):
    """How many lines of the node's sums the thread has to wait for."""
    if node >= shared:
        return 0
    bit = np.int64(1) << thread
    missed = 0
    for line in range(node * NODE // LINE, (node * NODE + 15) // LINE + 1):
        if write:
            missed += np.int64(holders[line] != bit)
            holders[line] = bit
        else:
            missed += np.int64(holders[line] & bit == 0)
            holders[line] |= bit
    return missed


@kernel
def note(counts, column, missed):
    counts[column] += missed
    counts[WAITS] += np.int64(missed > 0)


@kernel
def copy_moves(nodes, total, used, node, limits, end):
    """Give a thread copies of a node's moves, as parts/local_copies.py does; returns `used`."""
    first, count = nodes[node, FIRST], nodes[node, COUNT]
    if used + 2 * count + 1 > end:
        return used
    for i in range(count):
        if nodes[first + i, COUNT] <= 0:
            return used
    for i in range(2 * count):
        original, copy = first + i % count, used + 1 + i
        for column in range(LEFT):
            nodes[copy, column] = nodes[original, column]
        nodes[copy, PENDING] = 0
        total[copy] = total[original]
    nodes[used, FIRST], nodes[used, COUNT] = first, count
    nodes[used, LEFT] = max(4, min(limits[3], nodes[node, VISITS] // limits[2]))
    nodes[node, FIRST] = used + 1
    return used + 2 * count + 1


@kernel
def exchange(nodes, total, mine, holders, shared, thread):
    first, count = nodes[mine - 1, FIRST], nodes[mine - 1, COUNT]
    missed = 0
    for i in range(count):
        node, copy, before = first + i, mine + i, mine + count + i
        made = nodes[copy, VISITS] - nodes[before, VISITS]
        missed += touch(holders, shared, node, thread, made > 0)
        nodes[node, VISITS] += made
        total[node] += total[copy] - total[before]
        nodes[copy, VISITS] = nodes[before, VISITS] = nodes[node, VISITS]
        total[copy] = total[before] = total[node]
    return missed


@kernel
def simulate(nodes, total, holders, shared, work, paths, used, blocks, limits, counts, playouts):
    states, out, rng = work.states, work.out, work.rng
    for made in range(playouts):
        thread = made % THREADS
        path = paths[thread]
        depth = path[-1]
        if depth >= 0:  # the last playout of this thread
            result = total[len(total) - 1 - thread]
            for level in range(depth, -1, -1):
                note(counts, LEFT_NODES, touch(holders, shared, path[level], thread, True))
                nodes[path[level], VISITS] += 1
                nodes[path[level], PENDING] -= 1
                total[path[level]] += result if level & 1 else 1.0 - result
        copy_record(states, 1, 0)
        s = states[1]
        depth = 0
        node = path[0] = shared + thread * ROOM
        nodes[node, PENDING] += 1
        while nodes[node, COUNT] > 0:
            counts[LEVELS] += 1
            first = nodes[node, FIRST]
            if first >= shared:
                nodes[first - 1, LEFT] -= 1
                if nodes[first - 1, LEFT] == 0:
                    nodes[first - 1, LEFT] = max(
                        4, min(limits[3], nodes[node, VISITS] // limits[2])
                    )
                    missed = exchange(nodes, total, first, holders, shared, thread)
                    note(counts, EXCHANGED, missed)
            missed = 0
            terms = 0.25 * math.log(max(nodes[node, VISITS] + nodes[node, PENDING] - 1, 1))
            best, chosen = -1.0, first
            for child in range(first, first + nodes[node, COUNT]):
                missed += touch(holders, shared, child, thread, False)
                tried = nodes[child, VISITS] + nodes[child, PENDING]
                score = 1e9 - child
                if tried > 0:
                    score = total[child] / tried + math.sqrt(terms / tried)
                if score > best:
                    best, chosen = score, child
            note(counts, SELECTED, missed)
            hot = nodes[node, VISITS] >= limits[1] and depth < limits[0]
            if node >= shared and first < shared and hot:  # its lines have just been read
                end = shared + (thread + 1) * ROOM
                used[thread] = copy_moves(nodes, total, used[thread], node, limits, end)
                chosen += nodes[node, FIRST] - first
            node = chosen
            note(counts, ENTERED, touch(holders, shared, node, thread, True))
            nodes[node, PENDING] += 1
            play(s, np.int16(nodes[node, MOVE]))
            depth += 1
            path[depth] = node
        if nodes[node, COUNT] == 0 and nodes[node, VISITS] > 0:
            count = moves(s, out)
            nodes[node, COUNT] = count if count > 0 else -1
            if count > 0:
                if blocks[thread, 1] - blocks[thread, 0] < count:
                    blocks[thread, 0] = blocks[THREADS, 0]
                    blocks[thread, 1] = blocks[THREADS, 0] = blocks[THREADS, 0] + BLOCK
                first = nodes[node, FIRST] = blocks[thread, 0]
                blocks[thread, 0] += count
                for i in range(count):
                    nodes[first + i, MOVE] = out[i]
                    touch(holders, shared, first + i, thread, True)
                nodes[first, PENDING] += 1
                play(s, np.int16(out[0]))
                depth += 1
                path[depth] = first
        outcome, _ = playout(s, rng, out, work.trace)
        total[len(total) - 1 - thread] = outcome
        path[-1] = depth


def misses(spec: str, playouts: int, limits: tuple[int, ...]) -> Any:
    """The columns, from the opening of a game in which the first player begins."""
    game, agent = make_game(spec), make_agent("uct")
    start = Position.start(game)
    shared = (playouts + 1000) * game.max_moves // 2 + (THREADS + 1) * BLOCK
    nodes = np.zeros((shared + THREADS * ROOM, 6), np.int64)
    total = np.zeros(len(nodes) + THREADS)
    holders = np.zeros(shared * NODE // LINE + 1, np.int64)
    work = new_work(game, agent)
    work.states[0] = start.state
    work.rng[:] = seed_rng(1)
    legal = len(start.legal)
    nodes[1 : 1 + legal, MOVE] = start.legal
    nodes[shared::ROOM, FIRST], nodes[shared::ROOM, COUNT] = 1, legal
    paths = np.full((THREADS, 200), -1)
    used = shared + 1 + ROOM * np.arange(THREADS)
    blocks = np.zeros((THREADS + 1, 2), np.int64)
    blocks[THREADS] = BLOCK
    counts = np.zeros(6, np.int64)
    bind_for_cpu(game, agent).bind(simulate)(
        nodes, total, holders, shared, work, paths, used, blocks, np.array(limits), counts, playouts
    )
    return counts / playouts


def main() -> None:
    spec, playouts = sys.argv[1], int(sys.argv[2])
    print(f"{'copies of':40}levels  select enter leave  exch.    all  waits")
    for name, limits in SCHEMES.items():
        levels, *missed, waits = misses(spec, playouts, limits)
        columns = "".join(f"{column:6.2f}" for column in missed)
        print(f"{name:40}{levels:6.2f}  {columns} {sum(missed):6.2f} {waits:6.2f}")


if __name__ == "__main__":
    main()
