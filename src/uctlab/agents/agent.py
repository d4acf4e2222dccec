"""An agent: its rules and numbers; mcts/binding.py fits it to a game and makes it a search."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from numbers import Real
from pathlib import Path
from typing import Any

from uctlab.agents.idle import refuse_idle_options
from uctlab.agents.kinds import AGENTS, FUEGO, FUEGO_C
from uctlab.agents.notation import canonical, parse, value_text, written
from uctlab.errors import UsageError
from uctlab.rules.backup import implicit, mean
from uctlab.rules.interface import BACKUP_OPERATOR, SELECTION_RULE, Interface
from uctlab.rules.params import Params
from uctlab.rules.select import fuego, rave_k, ucb1
from uctlab.user_modules import load_module

_RAVE_RULES = {"fuego": fuego, "k": rave_k}


@dataclass(frozen=True, init=False, repr=False)
class Agent:
    """Which rules a search uses, and their numbers.

    Args:
        kind: The kind of agent, such as "uct" or "auct"; `uctlab agents` lists them.
        options: Its options, such as k=3. An option that is on or off takes True and False too;
            `select` and `backup` take the path of a Python file or a rule of your own: a module,
            a class or any object that has the rule's kernels.

    Example:
        >>> uctlab.Agent("auct", k=3, expand=10)
        uctlab.make_agent('auct(k=3,expand=10)')
        >>> uctlab.Agent("auct", k=3) == uctlab.make_agent("auct(k=3)")
        True
    """

    name: str
    """The agent as it was written, with numbers and spaces normalised."""
    params: Params
    select: Any = ucb1
    """Selection rule: a module, or any object that defines what rules/interface.py asks for."""
    backup: Any = mean
    """Backup operator, likewise."""
    final: str = "visits"
    playout: str = "uniform"
    leaf: str = "playout"
    """What a leaf is worth: "playout", or "evaluate" for the game's own evaluation."""
    rave: bool = False
    prune: bool = False
    """Whether the tree leaves out moves, where the game names any: see Game.prune."""
    filter: bool = False
    """Whether the root leaves out moves: see Game.root_filter."""
    open_numbers: frozenset[str] = frozenset()
    """Numbers that a game may set: those of the preset fuego that the user has not given."""
    depth_first: str = ""
    """For depth-first UCT, which moves are compared: second or all; empty for other searches."""
    max_depth: float = 0.0
    """For alpha-beta, the most moves that it looks ahead; 0 for searches that build a tree."""
    threads: int = 1
    """Number of threads that grow one tree."""
    sharing: str = "lockfree"
    """How they share it: see mcts/parallel_loop.py."""
    root: int = 1
    """Number of trees, one thread each, whose root statistics are added up at the end."""

    def __init__(self, kind: str, /, **options: Any) -> None:
        if not isinstance(kind, str) or kind not in AGENTS:
            raise UsageError(f"Agent: {kind!r} is no kind of agent; known: {', '.join(AGENTS)}")
        own = {
            name: options.pop(name)
            for name in ("select", "backup")
            if not isinstance(options.get(name, ""), str | Path)
        }
        texts = {name: _option_text(kind, name, value) for name, value in options.items()}
        self.__dict__.update(_facts(*parse(written(kind, texts))))
        if own:
            self.__dict__.update(vars(with_rules(self, **own)))

    def changed(self, **fields: Any) -> Agent:
        """The same agent with other values in some of its fields."""
        other = object.__new__(Agent)
        other.__dict__.update(vars(self) | fields)
        return other

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"uctlab.make_agent({self.name!r})"


def make_agent(text: str) -> Agent:
    """Make an agent from its text.

    Args:
        text: A kind and its options, such as "uct", "uct(c=0.7)" or "auct(k=3,rave=fuego)".

    Returns:
        The agent.

    Example:
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


def _facts(kind_name: str, as_written: dict[str, Any]) -> dict[str, Any]:
    """The fields of an agent with those options."""
    given = canonical(as_written)
    kind = AGENTS[kind_name]
    defaults = {name: option.default for name, option in kind.options.items()}
    like_fuego = kind_name == "fuego" or given.get("preset") == "fuego"
    if like_fuego:
        defaults |= FUEGO
    values = defaults | given
    if values.get("prior"):  # moves are tried in the order of their priors
        values = defaults | {"fpu": 1.0} | given
    if values.get("rave") == "fuego":  # optimistic fpu, no exploration: hashimoto2012, section 5.4
        values = defaults | {"c": 0.0, "fpu": 1.0} | given
    elif like_fuego:
        values = {**values, "c": given.get("c", FUEGO_C)}
    select = import_module(f"uctlab.rules.select.{kind.select}")
    backup = import_module(f"uctlab.rules.backup.{kind.backup}")
    named = {name: values[name] for name in Params._fields if values.get(name) is not None}
    numbers: dict[str, float] = named | kind.fixed
    if kind_name in ("auct", "duct"):
        numbers |= _decay(kind_name, values["k"], values["lam"])
    rave = values.get("rave", "off")
    if rave != "off":
        select = _RAVE_RULES[rave]
        numbers["by_distance"] = float(values["distance"] == "on")
    if values.get("prior"):
        if rave == "k":
            raise UsageError(f"{kind_name}: prior= goes with rave=fuego or rave=off, not rave=k")
        select = fuego
    if values.get("alpha"):
        backup = implicit
    if values.get("select"):
        select = _own_rule(values["select"], SELECTION_RULE)
    if values.get("backup"):
        backup = _own_rule(values["backup"], BACKUP_OPERATOR)
    refuse_idle_options(kind_name, given, values, select, backup)
    facts: dict[str, Any] = {
        "name": written(kind_name, as_written),
        "params": Params(**numbers),
        "select": select,
        "backup": backup,
        "final": values.get("final", "value"),
        "playout": values.get("playout", "uniform"),
        "leaf": values.get("leaf", kind.leaf),
        "rave": rave != "off",
        "prune": values.get("prune") == "on",
        "filter": values.get("filter") == "on",
        "open_numbers": frozenset(Params._fields) - given.keys() if like_fuego else frozenset(),
        "max_depth": values.get("depth", 0.0),
        "depth_first": values.get("rivals", "") if kind_name == "dfuct" else "",
    }
    return facts | _threads(kind_name, values)


def own_rules(text: str) -> list[str]:
    """The Python files that the text of an agent names as its rules."""
    given = canonical(parse(text)[1])
    return [given[part] for part in ("select", "backup") if given.get(part)]


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
    kind, given = parse(agent.name.rstrip("*"))
    values = {
        "rave": "fuego" if agent.rave else "off",
        "prior": agent.params.prior,
        "threads": agent.threads,
    }
    refuse_idle_options(kind, canonical(given), values, select, backup)
    return agent.changed(select=select, backup=backup, name=f"{agent.name}*")


def _own_rule(path: str, interface: Interface) -> Any:
    rule = load_module(path, ())
    interface.check(rule, Path(path).name)
    return rule


def _threads(kind: str, values: dict[str, Any]) -> dict[str, Any]:
    if "threads" not in values:
        return {"threads": 1, "sharing": "lockfree", "root": 1}
    for name in ("threads", "root"):
        if values[name] != int(values[name]):
            raise UsageError(f"{kind}: {name} must be a whole number, not {values[name]:g}")
    if values["threads"] > 1 and values["root"] > 1:
        raise UsageError(
            f"{kind}: threads= (one tree) and root= (one tree per thread) exclude each other"
        )
    return {
        "threads": int(values["threads"]),
        "sharing": values["sharing"],
        "root": int(values["root"]),
    }


def _decay(kind: str, k: float | None, lam: float | None) -> dict[str, float]:
    """lambda, and 1 - lambda without the rounding error of a subtraction."""
    if (k is None) == (lam is None):
        raise UsageError(f"{kind} needs one of k= and lam=, as in {kind}(k=3) or {kind}(lam=0.999)")
    forget = 0.1**k if k is not None else 1.0 - (lam or 0.0)
    if not 0 <= forget < 1:
        raise UsageError(f"{kind}: the decay lambda must be more than 0 and at most 1")
    return {
        "lam": 1.0 - forget,
        "forget": forget,
        "log_lam": math.log1p(-forget),
        "growth": 1.0 / (1.0 - forget),
        "horizon": 1.0 / forget if forget > 0 else math.inf,
    }
