"""Small nodes for plain UCT on a GPU."""

from __future__ import annotations

from uctlab.agents import Agent
from uctlab.parts.listing import asked_parts
from uctlab.parts.part import Setting
from uctlab.rules.backup import mean, packed_mean
from uctlab.rules.select import ucb1


def with_small_nodes(agent: Agent) -> Agent:
    """The same agent with nodes of 16 bytes, if it is plain UCT and nothing else reads them."""
    setting = Setting(None, agent)
    plain = agent.backup is mean and agent.select is ucb1 and agent.option("playout") == "uniform"
    others = asked_parts(setting)
    if plain and not any(part.fields or part.spoils_scores(setting) for part in others):
        return agent.changed(backup=packed_mean)
    return agent
