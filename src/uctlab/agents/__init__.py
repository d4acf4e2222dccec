"""Agents: "auct(k=3, expand=10)" -> rules and numbers."""

from uctlab.agents.agent import Agent, make_agent, with_rules, with_threads
from uctlab.agents.kinds import AGENTS, MAX_THREADS, Kind, Option
from uctlab.agents.notation import value_text

__all__ = [
    "AGENTS",
    "MAX_THREADS",
    "Agent",
    "Kind",
    "Option",
    "make_agent",
    "value_text",
    "with_rules",
    "with_threads",
]
