"""What an agent cannot do in a game or on a device, said before anything is compiled."""

from __future__ import annotations

from types import SimpleNamespace

from uctlab.agents import Agent
from uctlab.agents.idle import refuse_idle_for_own_rules
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.parts.listing import asked_parts, usual_setting
from uctlab.rules.interface import PLAYOUT_POLICY


def refuse_on_gpu(agent: Agent) -> None:
    """UsageError if the agent has a part that a thread of a GPU cannot have."""
    for part in asked_parts(usual_setting(None, agent)):
        if part.gpu:
            raise UsageError(f"{agent}: {part.gpu}")


def refuse_unsuited(game: Game, agent: Agent) -> None:
    """UsageError if the agent cannot play this game, or an option of it does nothing."""
    if not agent.builds_tree:
        raise UsageError(
            f"{agent} builds no tree: it plays in match, tournament, analyze, play and "
            "uctlab.search, on a CPU with one thread"
        )
    refuse_idle_for_own_rules(agent)
    if game.python_only and (game.on_gpu or agent.is_parallel):
        raise UsageError(
            f"{agent}: {game.name} is plain Python, which has one thread and no GPU; leave out "
            "threads= and root=, and use --device cpu"
        )
    for policy in game.playouts.values():
        PLAYOUT_POLICY.check(SimpleNamespace(playout=policy), game.name)
    setting = usual_setting(game, agent)
    # A part that needs another one has more to say than that one.
    for part in sorted(asked_parts(setting), key=lambda part: not part.needs):
        if part.refuses is not None and (why := part.refuses(setting)):
            raise UsageError(f"{agent}: {why}")
