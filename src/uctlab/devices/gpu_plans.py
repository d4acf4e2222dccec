"""Which matches a GPU can play."""

from __future__ import annotations

from uctlab.agents import Agent
from uctlab.agents.refusals import refuse_on_gpu
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import gtp_command
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import DEFAULT_MEMORY

MAX_PLAYOUTS = 2**30  # final=both may double them, and half points are counted in 32 bits


def check_plan(plan: MatchPlan) -> None:
    """Raise a UsageError for what a GPU cannot do."""
    players = {"a": plan.a, "b": plan.b}
    game = plan.load_game()
    ours = [side for side, name in players.items() if gtp_command(name) is None]
    agents = [plan.load_agent(side, game) for side in ours]
    refused = {
        "a budget in seconds: give --playouts": plan.seconds is not None,
        f"{MAX_PLAYOUTS:,} playouts or more": (plan.playouts or 0) >= MAX_PLAYOUTS,
        "trees that are kept from move to move": plan.reuse,
        "a limit on the memory of a tree": plan.memory != DEFAULT_MEMORY,
        "external programs": len(agents) < len(players),
    }
    for what, given in refused.items():
        if given:
            raise UsageError(f"--device cuda does not support {what}")
    for agent in agents:
        refuse_on_gpu(agent)


def suits_gpu(game: Game, agent: Agent) -> bool:
    """Whether a GPU has kernels for the agent in that game."""
    try:
        bind_for_gpu(game, agent)
    except UsageError:
        return False
    return True


def plan_suits_gpu(plan: MatchPlan) -> bool:
    """Whether a GPU can play the games of that match."""
    try:
        check_plan(plan)
    except UsageError:
        return False
    game = plan.load_game()
    return all(suits_gpu(game, plan.load_agent(side, game)) for side in "ab")
