"""What a leaf is worth without a playout: the game's own evaluation, or the result at its end."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.parts.part import Option, Part, Setting
from uctlab.rules.fields import fields_of

moves: Any = hole("game.moves")
result: Any = hole("game.result")
evaluate: Any = hole("game.evaluate")


@kernel
def leaf_value(s, out):
    """For the first player."""
    return result(s) if moves(s, out) == 0 else evaluate(s)


@kernel
def evaluate_leaf(tree, work, node, depth, params):
    return leaf_value(work.states[1], work.out), 0


@kernel
def note_guess(tree, work, node, depth, params):
    """Threads that meet here note the same value."""
    nodes = tree.nodes
    if nodes[node].visits == 0:
        value = leaf_value(work.states[1], work.out)
        moved_first = (np.int64(work.states[0].turn) + depth) & 1 == 1
        nodes[node].guess = value if moved_first else 1.0 - value


def _guesses(setting: Setting) -> bool:
    """A backup operator with a field `guess` gets the evaluation of each node at its first visit,
    for the player who moved into it."""
    return any(
        one.name == "guess" for one in fields_of(getattr(setting.agent.backup, "FIELDS", ()))
    )


def _refuses(setting: Setting) -> str | None:
    game = setting.game
    if game.evaluate is not None:
        return None
    return (
        f"{game.name} has no evaluation; othello, hex and kalah have one, and so has a game of "
        "your own with Game.evaluate"
    )


LEAVES = Part(
    "evaluation",
    "Evaluates a leaf by the game's own function, instead of a playout.",
    options={
        "leaf": Option(
            "playout",
            "what a new leaf is worth. playout: the result of a random game; evaluate: the game's "
            "own evaluation, where it has one",
            ("playout", "evaluate"),
            title="Leaves",
        )
    },
    groups=("leaves",),
    example="uct(leaf=evaluate)",
    chosen=("leaf",),
    idles=dict.fromkeys(
        ("playout", "length_cost", "rave", "playouts_per_leaf"),
        "with leaf=evaluate there are no playouts",
    ),
    steps={"evaluate_leaf": evaluate_leaf},
    refuses=_refuses,
)
GUESSES = Part(
    "guesses",
    "Gives every node the game's evaluation of its position.",
    options={
        "alpha": Option(
            0.0,
            "implicit minimax: share of the minimax value of the game's evaluations in the value "
            "of a move",
            low=0,
            high=1,
            title="Share of minimax",
            reads=frozenset({"alpha"}),
            unread="it has a backup operator of its own, which backup= replaces",
        )
    },
    chosen=("alpha",),
    groups=("guesses",),
    example="uct(alpha=0.3)",
    rules=lambda values: {"backup": "uctlab.rules.backup.implicit"},
    brought=_guesses,
    hooks={"evaluation_begins": note_guess},
    refuses=_refuses,
)
