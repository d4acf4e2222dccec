"""What an agent cannot do in a game or on a device, said before anything is compiled."""

from __future__ import annotations

from types import SimpleNamespace

from uctlab.agents import Agent
from uctlab.agents.idle import refuse_idle_for_own_rules
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.parts.listing import PARTS
from uctlab.parts.part import Setting
from uctlab.rules.interface import PLAYOUT_POLICY


def refuse_on_gpu(agent: Agent) -> None:
    """UsageError if the agent has a part that a thread of a GPU cannot have."""
    setting = Setting(None, agent, device="threads" if agent.threads > 1 else "cpu")
    for part in PARTS:
        if part.gpu and part.active(setting):
            raise UsageError(f"{agent}: {part.gpu}")


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
    setting = Setting(game, agent)
    for part in PARTS:
        if part.refuses is not None and part.active(setting):
            why = part.refuses(setting)
            if why:
                raise UsageError(f"{agent}: {why}")
