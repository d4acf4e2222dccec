"""A playout whose moves a learning policy chooses, and what the policy learns from a simulation."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.games.guard import LISTED_WRONGLY, STOP, listed_wrongly
from uctlab.kernels import hole, kernel
from uctlab.parts.part import Array, Option, Part, Setting
from uctlab.rules.playouts import GREEDY, LEARNED, policy_of

candidates: Any = hole("game.playout_moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
MAX_LENGTH: int = hole("limits.MAX_LENGTH")
position_at: Any = hole("step.position_at")
REPEATS: bool = hole("game.REPEATS")
choose: Any = hole("learned.choose")
note: Any = hole("learned.note")


@kernel
def learned_playout(s, rng, out, trace, tables, before, params):
    """Play `s` to its end; (result, moves made). `before` is the move that led to `s`.

    A policy may go round in circles where a rule forbids repetition, which playouts do not know. So
    max_length limits the length there; in other games a longer playout is an error.
    """
    length = 0
    most = MAX_LENGTH if REPEATS else MAX_LENGTH + STOP
    count = candidates(s, out)
    while count != 0 and length < most:
        if listed_wrongly(out, count):  # the codes are rows of the tables
            return result(s), LISTED_WRONGLY
        before = np.int64(choose(tables[s.turn & 1], before, out, count, rng, params))
        trace[length] = before
        play(s, trace[length])
        length += 1
        count = candidates(s, out)
    return result(s), length


@kernel
def play_out(tree, work, node, depth, params):
    before = np.int64(tree.nodes[node].move)
    s = work.states[position_at(depth)]
    return learned_playout(s, work.rng, work.out, work.trace, work.learned, before, params)


@kernel
def learn(tree, work, depth, length, outcome, params):
    """Tell the policy all moves of a simulation, in the tree and in the playout."""
    nodes = tree.nodes
    turn = np.int64(work.states[0].turn)
    path = work.path
    trace = work.trace
    tables = work.learned
    before = np.int64(-1)
    for ply in range(depth + length):
        move = np.int64(trace[ply - depth] if ply >= depth else nodes[path[ply + 1]].move)
        player = (turn + ply) & 1
        note(tables[player], before, move, outcome if player == 0 else 1.0 - outcome)
        before = move


def _tables(game: Game, agent: Any) -> tuple[int, ...]:
    return 2, policy_of(agent.option("playout")).rows(len(game.move_names)), 2


def _policy(setting: Setting) -> dict[str, Any]:
    policy, codes = policy_of(setting.agent.option("playout")), len(setting.game.move_names)
    policy.rows(codes)  # which refuses a game with too many
    return {**vars(policy), "CODES": codes}


PART = Part(
    "learned",
    "Lets playouts learn from every simulation.",
    options={
        "epsilon": Option(
            0.4,
            "playout=mast and nst: chance of a random move in a playout",
            low=0,
            high=1,
            title="Random moves in playouts",
            used=lambda values: values.get("playout") in GREEDY,
            needs="it is for playout=mast and playout=nst",
        )
    },
    chosen=lambda values: values.get("playout") in LEARNED,
    switch="playout",
    groups=("playouts",),
    example="uct(playout=mast)",
    gpu="playouts on a GPU do not learn, since each thread would need a table of its own; leave "
    "out playout=",
    arrays=(Array("learned", _tables, np.float64, reset="tree"),),
    steps={"evaluate_leaf": play_out},
    hooks={"played_out": learn},
    fills=_policy,
    records_moves=True,
    reads_counts=True,
    spoils_scores=lambda setting: False,
)
