"""Agents: turns a text such as "auct(k=3,expand=10)" into rules and numbers.

| file | what it is for |
| --- | --- |
| `kinds.py` | the kinds of agents with all their options |
| `notation.py` | reading and writing the text |
| `idle.py` | refuses options that have no effect |
| `agent.py` | `Agent`, and `make_agent`, which creates one |
"""

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
