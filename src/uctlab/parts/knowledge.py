"""Asks the game about the moves of a new node, for the parts that use its answer.

A game gives each move a value and a weight (Game.priors). They may be mixed into a move's score
(prior.py), be added as a progressive bias (bias.py), put the moves into an order (widening.py), or
become probabilities (probabilities.py).
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.kernels import hole, kernel, meet
from uctlab.parts.part import Array, Option, Part, Setting
from uctlab.rules.interface import PRIOR

priors: Any = hole("knowledge.priors")
KNOWN: bool = hole("knowledge.KNOWN")  # the game has priors
position_at: Any = hole("step.position_at")


@kernel
def ask_game(tree, work, node, moves, count, depth, params):
    """Write the game's priors of these moves: values in millionths, weights in simulations."""
    if KNOWN:
        values = work.prior_values
        priors(work.states[position_at(depth)], moves, count, values[0], values[1])


@kernel
def opinion(values, move):
    """From 0 to 1; a move about which nothing is known lies between good and bad ones."""
    if KNOWN and values[1, move] > 0:
        return values[0, move] * 1e-6
    return 0.5


@kernel
def gather(tree, work, params):
    """Priors take threads of a GPU apart, and are other code than playouts."""
    meet()


@kernel
def gather_again(tree, work, node, depth, params):
    meet()


def _values(game: Game, agent: Any) -> tuple[int, ...]:
    return 2, len(game.move_names)


def _priors_of(game: Any, agent: Any) -> Any:
    """The priors that the agent asks for, of a game or of its compiled kernels."""
    return game.trained_priors if TRAINED.name in agent.parts else game.priors


def _fills(setting: Setting) -> dict[str, Any]:
    known = _priors_of(setting.game, setting.agent) is not None
    priors = _priors_of(setting.game.kernels, setting.agent) if known else None
    return {"priors": priors, "KNOWN": known}


def _refuses(setting: Setting) -> str | None:
    game, trained = setting.game, TRAINED.name in setting.agent.parts
    priors = _priors_of(game, setting.agent)
    if priors is not None:
        PRIOR.check(SimpleNamespace(priors=priors), game.name)
    elif trained or game.trained_priors:
        kind, other = ("trained", "rules") if trained else ("hand-made", "trained")
        return f"{game.name} has no {kind} knowledge; use knowledge={other}"
    return None


def without_priors(setting: Setting, option: str) -> str | None:
    """Why a game that says nothing about its moves does not suit a part that needs that."""
    game = setting.game
    known = game.priors or game.trained_priors
    return None if known else f"{game.name} has no priors; use {option}=0"


WROTE = "priors writes values of moves that do not exist"
PART = Part(
    "knowledge",
    "Asks the game about the moves of a new node.",
    options={
        "knowledge": Option(
            "rules",
            "where the game's knowledge of new moves comes from. rules: written by hand, in Go "
            "those of Fuego 1.1; trained: learnt from games, where the game has that, and not on "
            "a GPU",
            ("rules", "trained"),
            title="Where knowledge of new moves comes from",
        )
    },
    brought=lambda setting: False,  # other parts need it
    groups=("bias", "moves"),
    example="uct(bias=1)",
    fills=_fills,
    large=True,
    arrays=(Array("prior_values", _values, np.int64, guarded=WROTE),),
    hooks={"expanded": ask_game},
    refuses=_refuses,
)
TRAINED = Part(
    "trained",
    "Asks for what was learnt from games.",
    chosen=("knowledge",),
    switch="knowledge",
    serves={
        "knowledge": "it is for prior=, bias=, widen= and puct, which ask the game about new moves"
    },
    example="uct(bias=1,knowledge=trained)",
    gpu="a GPU has no trained knowledge; use knowledge=rules",
)
TOGETHER = Part(
    "together",
    "Lets the threads of a GPU wait for each other before they ask the game, and afterwards.",
    devices=("gpu",),
    applies=lambda setting, others: PART in others,
    hooks={"simulation_begins": gather, "evaluation_begins": gather_again},
)
