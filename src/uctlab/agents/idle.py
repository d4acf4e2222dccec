"""Refuses options that have no effect: what they set is read by no kernel of the agent's rules."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uctlab.agents.kinds import AGENTS
from uctlab.agents.notation import parse
from uctlab.errors import UsageError
from uctlab.kernels.jit import is_kernel
from uctlab.kernels.reads import names_read
from uctlab.rules.interface import BACKUP_OPERATOR, SELECTION_RULE, Interface
from uctlab.rules.playouts import GREEDY

if TYPE_CHECKING:
    from uctlab.agents.agent import Agent

_DECAY = {"lam", "forget", "log_lam", "growth", "horizon"}
_RAVE = {"rave", "samples", "agent.RAVE"}
_READ_AS = {
    "c": {"c"},
    "p": {"p"},
    "a": {"a"},
    "b": {"b"},
    "k": _DECAY | {"mass"},  # of k=auto
    "lam": _DECAY,
    "rave": _RAVE,
    "rave_initial": {"rave_initial"},
    "rave_final": {"rave_final"},
    "rave_k": {"rave_k"},
    "rave_bias": {"rave_bias"},
    "grave": {"rave_bias"},  # read where GRAVE chooses, which is not a part of a rule
    "ignore": {"ignore"},
    "prior": {"prior", "agent.PRIOR"},
    "delta": {"delta"},
    "gamma": {"gamma"},
    "beta": {"beta"},
    "levels": {"levels"},
    "zeta": {"zeta"},
    "power": {"power"},
    "alpha": {"alpha"},
}
"""The names under which rules read what an option sets; other options act without them."""
_FOR_OWN_RULES = ("a", "b")
_SWITCHES = ("rave", "prior", "distance", "ignore")
_NEEDS_PLAYOUTS = ("playout", "length_cost", "rave", "playouts_per_leaf")
_NEEDS_RAVE = (
    *("rave_initial", "rave_final", "rave_k", "rave_bias", "grave", "distance", "ignore"),
)
_RAVE_OF = {"rave_k": "k", "rave_bias": "grave", "grave": "grave"}
"""The kind of RAVE that an option is for, where that is not fuego."""


def refuse_idle_options(
    kind: str, given: dict[str, Any], values: dict[str, Any], select: Any, backup: Any
) -> None:
    """UsageError for the first option of `given` that changes nothing.

    `values` are all options. One that says what is the default anyway, or switches something off,
    may stand.
    """
    read = _all_reads(select, backup)
    rave = values.get("rave", "off") != "off"
    implied = {name: values.get(name) for name in ("rave", "prior")}  # by a preset, by the agent
    for name, value in (implied | given).items():
        off = value is None or (name in _SWITCHES and value in ("off", 0.0))
        if off or (name not in implied and value == AGENTS[kind].options[name].default):
            continue
        if name in _NEEDS_RAVE and not rave:
            raise _idle(kind, name, "it is for RAVE, which rave= switches on")
        if name in _NEEDS_PLAYOUTS and values.get("leaf") == "evaluate":
            raise _idle(kind, name, "with leaf=evaluate there are no playouts")
        if name == "widen_power" and not values.get("widen"):
            raise _idle(kind, name, "it is for progressive widening, as with widen=1")
        if name == "epsilon" and values.get("playout") not in GREEDY:
            raise _idle(kind, name, "it is for playout=mast and playout=nst")
        if name == "sharing" and values["threads"] == 1:
            raise _idle(kind, name, "it is for several threads, as with threads=2")
        if name in _FOR_OWN_RULES and is_ours(select) and is_ours(backup):
            continue  # own rules may still come, as Python objects: refuse_idle_for_own_rules
        names = _READ_AS.get(name)
        if name == "prior" and names is not None and rave:
            names = names | _RAVE  # RAVE samples start with the prior
        if names is not None and not names & read:
            why = _reason(kind, name, names, select, backup)
            if name not in given:
                why += f"; write {name}={'off' if name == 'rave' else '0'} with it"
            raise _idle(kind, name, why)


def refuse_idle_for_own_rules(agent: Agent) -> None:
    """UsageError if a search is to begin with an option that own rules may read, and none does."""
    _, given = parse(agent.name.partition("*")[0])
    if given.get("knowledge") == "trained" and not agent.asks_opinion:
        why = "it is for prior=, bias=, widen= and puct, which ask the game about new moves"
        raise _idle(agent.name, "knowledge", why)
    for name in _FOR_OWN_RULES:
        if getattr(agent.params, name) != 0.0 and name not in _all_reads(
            agent.select, agent.backup
        ):
            why = _reason(agent.name, name, {name}, agent.select, agent.backup)
            raise _idle(agent.name, name, why)


def _idle(kind: str, name: str, why: str) -> UsageError:
    return UsageError(f"{kind}: {name}= has no effect: {why}")


def _reason(kind: str, name: str, names: set[str], select: Any, backup: Any) -> str:
    own = [rule_name(rule) for rule in (select, backup) if not is_ours(rule)]
    if not own:
        if name in _FOR_OWN_RULES:
            return "it is for your own rules, select= and backup="
        if name in _NEEDS_RAVE:
            return f"it is for rave={_RAVE_OF.get(name, 'fuego')}"
        if name == "power":
            return "it is for backup=power"
        if name in ("k", "lam"):
            return f"backup= replaces what {kind} does with it; write uct with backup= instead"
        return "no rule of this agent reads it"
    known = ", ".join(f'hole("{n}")' if "." in n else n for n in sorted(names))
    advice = ""
    if name in ("k", "lam"):
        advice = f"; {kind} is its backup operator, so write uct with backup= and without {name}="
    return f"{' and '.join(own)} reads none of {known}{advice}"


def _all_reads(select: Any, backup: Any) -> set[str]:
    return _reads(select, SELECTION_RULE) | _reads(backup, BACKUP_OPERATOR)


def _reads(rule: Any, interface: Interface) -> set[str]:
    kernels = (getattr(rule, part.name, None) for part in interface.parts)
    return set().union(*(names_read(kernel) for kernel in kernels if is_kernel(kernel)))


def is_ours(rule: Any) -> bool:
    """Whether a rule is part of uctlab."""
    return getattr(rule, "__name__", "").startswith("uctlab.")


def rule_name(rule: Any) -> str:
    """What a rule is called: its file, or its own name."""
    file = inspect.getsourcefile(rule) if inspect.ismodule(rule) else None
    return Path(file).name if file else str(getattr(rule, "__name__", type(rule).__name__))
