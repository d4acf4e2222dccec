"""uctlab agents: who can search."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

from uctlab.agents import AGENTS, Option, value_text
from uctlab.cli.arguments import Json, print_json


def agents(json: Json = False) -> None:
    """List the agents with their parameters, defaults and equations."""
    if json:
        print_json({"agents": [_facts(name) for name in AGENTS]})
        return
    console = Console()
    for name, kind in AGENTS.items():
        console.print(f"[bold]{name}[/bold]  {kind.about}: {kind.equation}", highlight=False)
        table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 2))
        for option_name, option in kind.options.items():
            table.add_row(f"  {option_name}={_default(option)}", option.about)
        console.print(table)
    console.print("Written as auct(k=3,expand=10); what is left out has its default.")


def _default(option: Option) -> str:
    if option.default is None or option.default == "":
        return "..."
    return value_text(option.default)


def _facts(name: str) -> dict[str, Any]:
    kind = AGENTS[name]
    return {
        "name": name,
        "about": kind.about,
        "equation": kind.equation,
        "parameters": [
            {
                "name": option_name,
                "default": _default(option),
                "about": option.about,
                "choices": [choice for choice in option.choices if choice],
            }
            for option_name, option in kind.options.items()
        ],
    }
