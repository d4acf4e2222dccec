"""uctlab agents: list the agents, their parameters and their equations."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from uctlab.agents import AGENTS, BACKUPS, Option, value_text
from uctlab.cli.arguments import Json, print_json
from uctlab.parts.listing import PARTS


def agents(
    rules: Annotated[
        bool, typer.Option("--rules", help="Show what a rule of your own must and may bring.")
    ] = False,
    parts: Annotated[
        bool, typer.Option("--parts", help="Show the parts of which searches are made.")
    ] = False,
    json: Json = False,
) -> None:
    """List the agents with their parameters, defaults and equations."""
    if parts:
        _print_parts(json)
        return
    if rules:
        _print_rules(json)
        return
    if json:
        backups = [{"name": name, "equation": equation} for name, equation in BACKUPS.items()]
        print_json({"agents": [_facts(name) for name in AGENTS], "backups": backups})
        return
    console = Console(highlight=False)
    for name, kind in AGENTS.items():
        console.print(f"[bold]{name}[/bold]  {kind.about}: {kind.equation}")
        defaults = (f"{option}={_default(kind.options[option])}" for option in kind.options)
        console.print(Padding(" ".join(defaults), (0, 0, 1, 4)))
    console.print(
        "Write an agent as auct(k=3,expand=10); parameters not given keep their defaults.\n"
    )
    console.print("Backup operators, as in uct(backup=max); v_j is the value of the answer j:")
    operators = Table(box=None, show_header=False, pad_edge=False)
    for operator, equation in BACKUPS.items():
        operators.add_row(operator, equation)
    console.print(Padding(operators, (0, 0, 1, 4)))
    table = Table(box=None, show_header=False, pad_edge=False)
    for option, about in _abouts().items():
        table.add_row(option, about)
    console.print(table)


def _print_parts(json: bool) -> None:
    facts = [
        {
            "name": part.name,
            "about": part.about,
            "source": part.source,
            "options": list(part.options),
            "excludes": dict(part.excludes),
            "gpu": part.gpu,
        }
        for part in PARTS
    ]
    if json:
        print_json({"parts": facts})
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    for part in PARTS:
        options = " ".join(f"{name}=" for name in part.options)
        table.add_row(part.name, f"{part.about} {options}".rstrip())
    Console(highlight=False).print(table)
    print("\nA part is one file in uctlab/parts; ARCHITECTURE.md tells how to add one.")


def _print_rules(json: bool) -> None:
    from uctlab.rules.interface import INTERFACES  # noqa: PLC0415 (NumPy is slow to load)

    if json:
        print_json({"rules": [asdict(interface) for interface in INTERFACES]})
        return
    print("\n\n".join(str(interface) for interface in INTERFACES))
    print("\n`uctlab new rule my_rule` and `uctlab new backup my_backup` write one to start from.")


def _abouts() -> dict[str, str]:
    """Each parameter once: what it is for most agents, and a line for those where it differs."""
    told: dict[str, dict[str, list[str]]] = {}
    for kind_name, kind in AGENTS.items():
        for name, option in kind.options.items():
            told.setdefault(name, {}).setdefault(option.about, []).append(kind_name)
    return {name: _about(texts) for name, texts in told.items()}


def _about(texts: dict[str, list[str]]) -> str:
    general = max(texts, key=lambda text: len(texts[text]))
    lines = [general]
    for text, kinds in texts.items():
        if own := [part for part in text.split("; ") if part not in general.split("; ")]:
            lines.append(f"{', '.join(kinds)}: {'; '.join(own)}")
    return "\n".join(lines)


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
