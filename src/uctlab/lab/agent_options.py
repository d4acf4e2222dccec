"""Which options of agents a browser may set, and what the form calls them.

The form is made from the declarations of options: a new one is on the page as well.
"""

from __future__ import annotations

from uctlab.agents.kinds import AGENTS, OPTIONS
from uctlab.agents.options import ALIASES, BACKUPS

ACCEPTED = {
    name
    for kind in AGENTS.values()
    if kind.builds_tree  # the page shows trees
    for name, option in kind.options.items()
    if not option.not_on_page
}


def is_accepted(name: str, value: str) -> bool:
    """Whether a browser may give an agent this option; a backup operator only by its name."""
    if name == "backup":
        return value in BACKUPS
    return name in ACCEPTED or (name in ALIASES and ALIASES[name] in ACCEPTED)


def title_of(name: str) -> str:
    return OPTIONS[name].title or name.replace("_", " ").capitalize()
