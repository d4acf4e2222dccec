"""Small nodes for plain UCT on a GPU."""

from __future__ import annotations

from uctlab.agents import Agent
from uctlab.rules.backup import mean, packed_mean
from uctlab.rules.select import ucb1


def with_small_nodes(agent: Agent) -> Agent:
    """The same agent with nodes of 16 bytes, if it is plain UCT and nothing else reads them."""
    plain = agent.backup is mean and agent.select is ucb1 and agent.playout == "uniform"
    plain = plain and agent.leaf == "playout"
    if (
        not plain
        or agent.rave
        or agent.solver
        or agent.asks_opinion
        or agent.params.length_cost > 0
    ):
        return agent
    return agent.changed(backup=packed_mean)
