"""An agent: its rules and numbers; mcts/binding.py fits it to a game and makes it a search."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from numbers import Real
from pathlib import Path
from typing import Any

from uctlab.agents.kinds import AGENTS, NUMBERS, OPTIONS, Params
from uctlab.agents.notation import canonical, parse, value_text, written
from uctlab.agents.options import BACKUPS, FUEGO, FUEGO_C
from uctlab.agents.refusals import (
    is_ours,
    parts_chosen,
    refuse_excluded,
    refuse_idle_options,
    rule_name,
    rules_wanted,
)
from uctlab.errors import UsageError, name_hint
from uctlab.parts.listing import BY_NAME
from uctlab.rules.backup import mean
from uctlab.rules.interface import BACKUP_OPERATOR, SELECTION_RULE, Interface
from uctlab.rules.select import ucb1
from uctlab.user_modules import load_module


@dataclass(frozen=True, init=False, repr=False)
class Agent:
    """Which rules and parts a search uses, and their numbers.

    Args:
        kind: The kind of agent, such as "uct" or "auct"; `uctlab agents` lists them.
        options: Its options, such as k=3. An option that is on or off takes True and False too;
            `select` and `backup` take the path of a Python file or a rule of your own: a module,
            a class or any object that has the rule's kernels. `backup` also takes the name of an
            operator, such as "max".

    Examples:
        >>> uctlab.Agent("auct", k=3, expand=10)
        uctlab.make_agent('auct(k=3,expand=10)')
        >>> uctlab.Agent("auct", k=3) == uctlab.make_agent("auct(k=3)")
        True
    """

    name: str
    """The agent as it was written, with numbers and spaces normalised."""
    kind: str
    """Its kind, such as "uct"."""
    options: tuple[tuple[str, Any], ...]
    """All options of its kind with their values, those that were not given included."""
    params: Any
    """The numbers that its kernels may read: agents.kinds.Params."""
    parts: frozenset[str]
    """The parts that its options ask for, by name."""
    select: Any = ucb1
    """Selection rule: a module, or any object that defines what rules/interface.py asks for."""
    backup: Any = mean
    """Backup operator, likewise."""
    open_numbers: frozenset[str] = frozenset()
    """Numbers that a game may set: those of the preset fuego that the user has not given."""

    def __init__(self, kind: str, /, **options: Any) -> None:
        if not isinstance(kind, str) or kind not in AGENTS:
            raise UsageError(f"Agent: {kind!r} is no kind of agent; {name_hint(str(kind), AGENTS)}")
        own = {
            name: options.pop(name)
            for name in ("select", "backup")
            if not isinstance(options.get(name, ""), str | Path)
        }
        texts = {name: _option_text(kind, name, value) for name, value in options.items()}
        self.__dict__.update(_facts(*parse(written(kind, texts))))
        if own:
            self.__dict__.update(vars(with_rules(self, **own)))

    @property
    def builds_tree(self) -> bool:
        """Whether its search is that of mcts/loop.py, as all are but alpha-beta."""
        return AGENTS[self.kind].builds_tree

    @property
    def is_parallel(self) -> bool:
        """Whether its search has several threads of Python."""
        return any(BY_NAME[name].parallel for name in self.parts)

    def option(self, name: str) -> Any:
        """The value of an option; its default if agents of this kind do not have it."""
        values = dict(self.options)
        return values[name] if name in values else OPTIONS[name].default

    def changed(self, **fields: Any) -> Agent:
        """The same agent with other values in some of its fields."""
        other = object.__new__(Agent)
        other.__dict__.update(vars(self) | fields)
        return other

    def with_options(self, **options: Any) -> Agent:
        """The same agent with other values for some of its options, and the parts that they ask
        for. They are not checked, and must be such that its rules and computed numbers stay."""
        values = dict(self.options) | options
        numbers = {name: value for name, value in options.items() if name in NUMBERS}
        return self.changed(
            options=tuple(values.items()),
            params=self.params._replace(**numbers),
            parts=frozenset(part.name for part in parts_chosen(values)),
        )

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"uctlab.make_agent({self.name!r})"


def make_agent(text: str) -> Agent:
    """Make an agent from its text.

    Args:
        text: A kind and its options, such as "uct", "uct(c=0.7)" or "auct(k=3,expand=10)".

    Returns:
        The agent.

    Examples:
        >>> uctlab.make_agent("auct(k=3)").name
        'auct(k=3)'
    """
    if not isinstance(text, str):
        raise UsageError(f"make_agent takes a text such as auct(k=3), not a {type(text).__name__}")
    agent = object.__new__(Agent)
    agent.__dict__.update(_facts(*parse(text)))
    return agent


def _option_text(kind: str, name: str, value: Any) -> str:
    """An option as it is written in the text of an agent."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Real):
        return value_text(float(value))
    if isinstance(value, str | Path):
        return str(value)
    raise UsageError(f"{kind}: {name} must be a number or a text, not a {type(value).__name__}")


def _is_like_fuego(kind: str, given: dict[str, Any]) -> bool:
    return kind == "fuego" or given.get("preset") == "fuego"


def _values(kind: str, given: dict[str, Any]) -> dict[str, Any]:
    """All options of an agent, from those that were given."""
    values = {name: option.default for name, option in AGENTS[kind].options.items()}
    if _is_like_fuego(kind, given):
        values |= FUEGO | {"c": FUEGO_C}
    for part in parts_chosen(values | given):
        values |= part.defaults(values | given)
    return values | given | AGENTS[kind].fixed


def _facts(kind_name: str, as_written: dict[str, Any]) -> dict[str, Any]:
    """The fields of an agent with those options."""
    given = canonical(as_written)
    kind = AGENTS[kind_name]
    like_fuego = _is_like_fuego(kind_name, given)
    values = _values(kind_name, given)
    chosen = parts_chosen(values)
    rules = {"select": kind.select, "backup": kind.backup}
    numbers = {
        name: value
        for name, value in values.items()
        if name in NUMBERS and OPTIONS[name].used(values)
    }
    for part in chosen:
        refuse_excluded(kind_name, part, values)
        numbers |= part.numbers(kind_name, values)
    numbers = {name: value for name, value in numbers.items() if value is not None}
    rules |= rules_wanted(kind_name, chosen, values)
    select, backup = (import_module(name) for name in (rules["select"], rules["backup"]))
    if values.get("select"):
        select = _own_rule(values["select"], SELECTION_RULE)
    if values.get("backup") in BACKUPS:
        backup = import_module(f"uctlab.rules.backup.{values['backup']}")
    elif values.get("backup"):
        _refuse_unknown_operator(kind_name, values["backup"])
        backup = _own_rule(values["backup"], BACKUP_OPERATOR)
    refuse_idle_options(kind_name, given, values, select, backup)
    return {
        "name": written(kind_name, as_written),
        "kind": kind_name,
        "options": tuple(values.items()),
        "params": Params(**NUMBERS | numbers),
        "parts": frozenset(part.name for part in chosen),
        "select": select,
        "backup": backup,
        "open_numbers": frozenset(NUMBERS.keys() - given.keys()) if like_fuego else frozenset(),
    }


def own_rules(text: str) -> list[str]:
    """The Python files that the text of an agent names as its rules."""
    given = canonical(parse(text)[1])
    named = (given.get("select"), given.get("backup"))
    return [path for path in named if path and path not in BACKUPS]


def with_threads(text: str, threads: int | None) -> str:
    """The agent of that name with that many threads; unchanged if `threads` is None."""
    if threads is None:
        return text
    name, given = parse(text)
    if "threads" in given:
        raise UsageError(f"{text} sets its own number of threads; leave out --threads")
    return make_agent(written(name, given | {"threads": threads})).name


def with_rules(agent: Agent, *, select: Any = None, backup: Any = None) -> Agent:
    """The same agent with your own rules, given as Python objects."""
    for rule, interface in ((select, SELECTION_RULE), (backup, BACKUP_OPERATOR)):
        if rule is not None:
            interface.check(rule, getattr(rule, "__name__", type(rule).__name__))
    select, backup = select or agent.select, backup or agent.backup
    kind, given = parse(agent.name.partition("*")[0])
    options = canonical(given)
    rules = {"select": select, "backup": backup}
    own_rules = {name: rule_name(rule) for name, rule in rules.items() if not is_ours(rule)}
    values = _values(kind, options) | own_rules
    for part in parts_chosen(values):
        refuse_excluded(kind, part, values)
    refuse_idle_options(kind, options, _values(kind, options), select, backup)
    own = "+".join(own_rules.values())
    name = f"{agent.name.partition('*')[0]}*{own}"
    return agent.changed(select=select, backup=backup, name=name)


def _refuse_unknown_operator(kind: str, name: str) -> None:
    if not name.endswith(".py") and not Path(name).exists():
        accepted = ", ".join(BACKUPS)
        raise UsageError(
            f"{kind}: backup={name} is not accepted; accepted: {accepted}, the path of a .py file"
        )


def _own_rule(path: str, interface: Interface) -> Any:
    rule = load_module(path, ())
    interface.check(rule, Path(path).name)
    return rule
