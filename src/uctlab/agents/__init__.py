"""Agents: turns a text such as "auct(k=3,expand=10)" into rules and numbers.

| file | what it is for |
| --- | --- |
| `options.py` | options that are no part's, and groups of options that kinds share |
| `kinds.py` | the kinds of agents |
| `notation.py` | reading and writing the text |
| `refusals.py` | options without effect, parts that do not go together, unsuitable games |
| `agent.py` | `Agent`, and `make_agent`, which creates one |
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from uctlab.agents.kinds import AGENTS, Kind
from uctlab.agents.notation import value_text
from uctlab.agents.options import BACKUPS
from uctlab.parts.part import Option
from uctlab.parts.threads import MAX_THREADS

if TYPE_CHECKING:
    from uctlab.agents.agent import Agent, make_agent, with_rules, with_threads

__all__ = [
    "AGENTS",
    "BACKUPS",
    "MAX_THREADS",
    "Agent",
    "Kind",
    "Option",
    "make_agent",
    "value_text",
    "with_rules",
    "with_threads",
]

_OF_AGENT = ("Agent", "make_agent", "with_rules", "with_threads")


def __getattr__(name: str) -> Any:
    """Load agent.py when it is needed: a listing of agents does without it."""
    if name not in _OF_AGENT:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(f"{__name__}.agent"), name)
