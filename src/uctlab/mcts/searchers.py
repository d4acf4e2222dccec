"""The searcher of an agent: one that builds trees, or alpha-beta."""

from __future__ import annotations

from uctlab.agents import Agent, make_agent
from uctlab.games import Game
from uctlab.mcts.alphabeta_search import AlphaBeta
from uctlab.mcts.searcher import DEFAULT_MEMORY, Searcher

AnySearcher = Searcher | AlphaBeta


def make_searcher(
    game: Game,
    agent: Agent | str,
    *,
    seed: int = 0,
    memory: int = DEFAULT_MEMORY,
    reuse: bool = False,
) -> AnySearcher:
    """For callers that only need moves and reports; alpha-beta has no tree to limit or reuse."""
    agent = make_agent(agent) if isinstance(agent, str) else agent
    if not agent.builds_tree:
        return AlphaBeta(game, agent, seed=seed)
    return Searcher(game, agent, seed=seed, memory=memory, reuse=reuse)
