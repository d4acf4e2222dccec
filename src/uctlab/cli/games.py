"""uctlab games: what can be played."""

from __future__ import annotations

import inspect

from rich.console import Console
from rich.table import Table

from uctlab.cli.arguments import Json, print_json
from uctlab.games import FAMILIES
from uctlab.games.registry import usage


def games(json: Json = False) -> None:
    """List the games, how each is written, and its defaults."""
    rows = [(usage(name), inspect.getdoc(make) or "") for name, make in FAMILIES.items()]
    if json:
        print_json({"games": [{"name": name, "about": about} for name, about in rows]})
        return
    table = Table("game with its defaults", "about", box=None, pad_edge=False)
    for name, about in rows:
        table.add_row(name, about)
    table.add_row("my_game.py", "Your own: a file with make(); see examples/connect_four.py.")
    Console().print(table)
