"""The search of one of several threads that share a tree: it takes its simulations from all."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.kernels.atomics import add_at
from uctlab.mcts.loop import simulate
from uctlab.mcts.overruns import NO_FAULT
from uctlab.parts.layout import FAULT
from uctlab.parts.threads import TICKETS

search_begins: Any = hole("hook.search_begins")
search_ends: Any = hole("hook.search_ends")
finished: Any = hole("hook.finished")


@kernel
def search_shared(tree, work, params, playouts, grab):
    """Make simulations until all `playouts` tickets are taken, `grab` tickets at a time.

    All threads share `tree` and those arrays of `work` that say so.
    """
    search_begins(tree, work, params)
    ticket = np.int64(0)
    end = np.int64(0)
    while True:
        if ticket == end:
            ticket = add_at(work.shared, TICKETS, grab)
            end = min(ticket + grab, playouts)
            if ticket >= end:
                search_ends(tree, work, params)
                return
        ticket += 1
        if finished(tree, work, params) or work.own[FAULT] != NO_FAULT:
            return
        simulate(tree, work, params)
