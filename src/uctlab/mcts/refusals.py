"""What an agent cannot do in a game or on a device, said before anything is compiled."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from uctlab.agents import Agent
from uctlab.agents.idle import refuse_idle_for_own_rules
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.rules.interface import PLAYOUT_POLICY, PRIOR


def priors_for(game: Any, agent: Agent) -> Any:
    """The priors that the agent asks for, of a game or of its compiled kernels."""
    return game.trained_priors if agent.asks_trained else game.priors


def refuse_on_gpu(agent: Agent) -> None:
    """UsageError if the agent needs what a thread of a GPU does not have."""
    if max(agent.threads, agent.root) > 1:
        raise UsageError(f"{agent}: a search on a GPU has one thread; leave out threads= and root=")
    if agent.learns:
        raise UsageError(
            f"{agent}: playouts on a GPU do not learn, since each thread would need a table of its "
            "own; leave out playout="
        )
    if agent.params.playouts_per_leaf > 1:
        raise UsageError(
            f"{agent}: a thread of a GPU has room for two positions, and several playouts per leaf "
            "need a third; leave out playouts_per_leaf="
        )
    if agent.graph:
        raise UsageError(f"{agent}: a search on a GPU has no table of positions; use graph=off")
    if agent.asks_trained:
        raise UsageError(f"{agent}: a GPU has no trained knowledge; use knowledge=rules")
    if agent.filter:
        raise UsageError(f"{agent}: a search on a GPU has no filter at its root; use filter=off")


def refuse_unsuited(game: Game, agent: Agent) -> None:
    """UsageError if the agent cannot play this game, or an option of it does nothing."""
    if agent.max_depth > 0:
        raise UsageError(
            f"{agent} builds no tree: it plays in match, tournament, analyze, play and "
            "uctlab.search, on a CPU with one thread"
        )
    refuse_idle_for_own_rules(agent)
    if game.python_only and (game.on_gpu or max(agent.threads, agent.root) > 1):
        raise UsageError(
            f"{agent}: {game.name} is plain Python, which has one thread and no GPU; leave out "
            "threads= and root=, and use --device cpu"
        )
    for policy in game.playouts.values():
        PLAYOUT_POLICY.check(SimpleNamespace(playout=policy), game.name)
    for option in ("prior", "bias"):
        if getattr(agent.params, option) > 0 and not (game.priors or game.trained_priors):
            raise UsageError(f"{agent}: {game.name} has no priors; use {option}=0")
    priors = priors_for(game, agent)
    if agent.asks_opinion and priors is None and (agent.asks_trained or game.trained_priors):
        kind, other = ("trained", "rules") if agent.asks_trained else ("hand-made", "trained")
        raise UsageError(f"{agent}: {game.name} has no {kind} knowledge; use knowledge={other}")
    if agent.filter and game.root_filter is None:
        raise UsageError(f"{agent}: {game.name} has no filter for the root; use filter=off")
    if agent.solver and game.same_board is not None:
        raise UsageError(
            f"{agent}: {game.name} has a rule against repetition that the tree does not know, so "
            "nothing can be proven; use solver=off"
        )
    if priors is not None and agent.asks_opinion:
        PRIOR.check(SimpleNamespace(priors=priors), game.name)
    if agent.graph and game.same_board is not None:
        raise UsageError(
            f"{agent}: in {game.name} equal boards are not equal positions, since its rule against "
            "repetition looks at earlier boards; use graph=off"
        )
