"""Tables made from the program itself, and its files, so that no page can differ from it."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Sequence
from textwrap import indent

from uctlab.agents import AGENTS, Option, value_text
from uctlab.arena.statistics import Z95, elo
from uctlab.cli.main import COMMANDS, module_of
from uctlab.example_files import example_file
from uctlab.papers.registry import EXPERIMENTS
from uctlab.parts.listing import BY_NAME, PARTS

Z80 = 0.8416212335729143
"""A normal variable is below this many standard deviations in 80 % of cases."""


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: str = "") -> str:
    """A Markdown table; `right` has an r for each column that is aligned on the right."""
    marks = ["---:" if at == "r" else "---" for at in right.ljust(len(columns))]
    lines = [columns, marks, *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def agents() -> str:
    """Every agent in a line."""
    rows = ((f"[`{name}`](#{name})", kind.about, kind.idea) for name, kind in AGENTS.items())
    return table(("agent", "what it is", "what it does"), rows)


def parts() -> str:
    """Every part with options of its own: what it does, and what it does not go with."""
    rows = []
    for part in PARTS:
        if not part.options or part.chosen is None:
            continue
        asked_by = [BY_NAME[name].asked_by if name in BY_NAME else name for name in part.excludes]
        apart = [f"`{name}=`" for name in dict.fromkeys(asked_by)] + ["a GPU"] * bool(part.gpu)
        options = ", ".join(f"`{name}=`" for name in part.options)
        rows.append((part.name, part.about, options, part.source, ", ".join(apart)))
    return table(("part", "what it does", "options", "source", "does not go with"), rows)


def agent_options(name: str) -> str:
    """All parameters of one agent, in a fold."""
    options = AGENTS[name].options.items()
    rows = ((f"`{option}`", _default(about), _text(about.about)) for option, about in options)
    body = table(("parameter", "default", "meaning"), rows)
    title = f'??? info "All {len(options)} parameters of {name}"'
    return "\n\n".join((title, "\n".join(f"    {line}" for line in body.splitlines())))


def _default(option: Option) -> str:
    if option.default in (None, ""):
        return "none"
    return f"`{value_text(option.default)}`"


def _text(about: str) -> str:
    return re.sub(r"([|*_<])", r"\\\1", about)


def commands() -> str:
    """Every command of the program, with the first line of its help."""
    rows = []
    for name in COMMANDS:
        module = module_of(name)
        if not hasattr(module, "app"):
            rows.append((f"`uctlab {name}`", _first_line(getattr(module, name))))
            continue
        app = module.app
        if app.registered_callback is not None:
            rows.append((f"`uctlab {name}`", _first_line(app.registered_callback.callback)))
        for part in app.registered_commands:
            called = part.name or part.callback.__name__
            rows.append((f"`uctlab {name} {called}`", _first_line(part.callback)))
    return table(("command", "what it does"), rows)


def _first_line(function: object) -> str:
    text = inspect.getdoc(function) or ""
    return _text(" ".join(text.partition("\n\n")[0].split()))


def example(name: str) -> str:
    """The text of examples/NAME.py, in a fold."""
    lines = ["```python", *example_file(name).read_text(encoding="utf-8").splitlines(), "```"]
    return f'??? example "examples/{name}.py"\n\n' + indent("\n".join(lines), "    ")


def experiments() -> str:
    """Every experiment, with what its two sizes cost."""
    rows = (
        (
            f"`{one.id}`",
            _text(one.title),
            _text(one.describe(one.full)),
            _duration(one.cost(one.quick)),
            _duration(one.cost(one.full)),
        )
        for one in EXPERIMENTS.values()
    )
    columns = ("experiment", "what it repeats", "in full", "`--quick`, one core", "`--full`")
    return table(columns, rows, "   rr")


def _duration(seconds: float) -> str:
    for unit, length in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{max(1, seconds):,.0f} s"


def games_needed() -> str:
    """How many games it takes to see a difference, by its size in percent."""
    rows = []
    for percent in (1, 2, 3, 5, 10, 20):
        edge = percent / 100
        rows.append(
            (
                f"{50 + percent} %",
                f"{elo(0.5 + edge):.0f}",
                f"{pairs_of_games(Z95, edge, 0.0):,}",
                f"{pairs_of_games(Z95 + Z80, edge, 0.0):,}",
                f"{pairs_of_games(Z95 + Z80, edge, 0.3):,}",
            )
        )
    return table(
        (
            "true score",
            "Elo",
            "95 % interval of ± that",
            "seen in 80 % of matches",
            "the same, 30 % draws",
        ),
        rows,
        "rrrrr",
    )


def pairs_of_games(deviations: float, edge: float, draws: float) -> int:
    """Games, an even number, whose mean score has a standard error of edge / deviations."""
    variance = (1 - draws) / 4
    return 2 * math.ceil((deviations / edge) ** 2 * variance / 2)
