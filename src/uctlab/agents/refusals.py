"""What is refused before anything is compiled: options without effect, parts that do not go
together, agents that a game or a device does not suit."""

from __future__ import annotations

import inspect
from collections.abc import Sequence, Set
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from uctlab.agents.kinds import AGENTS
from uctlab.agents.notation import parse, value_text
from uctlab.agents.options import COMMON
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.kernels.jit import is_kernel
from uctlab.kernels.reads import names_read
from uctlab.parts.listing import BY_NAME, PART_OF, PARTS, asked_parts, usual_setting
from uctlab.parts.part import Option, Part, Setting, Values
from uctlab.rules.interface import BACKUP_OPERATOR, PLAYOUT_POLICY, SELECTION_RULE, Interface

if TYPE_CHECKING:
    from uctlab.agents.agent import Agent

_FOR_OWN_RULES = ("a", "b")


def parts_chosen(values: Values) -> list[Part]:
    """The parts that these options of an agent ask for."""
    return [part for part in PARTS if _is_chosen(part, values)]


def _is_chosen(part: Part, values: Values) -> bool:
    if not isinstance(part.chosen, tuple):
        return part.chosen is not None and part.chosen(values)
    defaults = {name: PART_OF[name].options[name].default for name in part.chosen}
    return all(values.get(name, default) != default for name, default in defaults.items())


def refuse_excluded(kind: str, part: Part, values: Values) -> None:
    """UsageError if a part is chosen beside one that it does not go with."""
    excludes = dict(part.excludes)
    if part.scores_alone:
        excludes |= {one.name: part.scores_alone for one in PARTS if one.changes_scores}
    for name, why in excludes.items():
        other = BY_NAME.get(name)
        if other is not None:
            option, on = other.asked_by, _is_chosen(other, values)
        else:
            option, on = name, bool(values.get(name))
        if on:
            raise _excluded(kind, part.asked_by, option, values, why)


def rules_wanted(kind: str, chosen: Sequence[Part], values: Values) -> dict[str, str]:
    """The rules that these parts want, "select" and "backup", by module; UsageError if two parts
    want different ones."""
    wanted: dict[str, tuple[str, str]] = {}
    for part in chosen:
        for role, module in part.rules(values).items():
            known, other = wanted.setdefault(role, (module, part.asked_by))
            if known != module:
                why = f"each has a {_ROLES[role]} of its own"
                raise _excluded(kind, other, part.asked_by, values, why)
    return {role: module for role, (module, _) in wanted.items()}


_ROLES = {"select": "selection rule", "backup": "backup operator"}


def _excluded(kind: str, one: str, other: str, values: Values, why: str) -> UsageError:
    own, theirs = (f"{name}={value_text(values[name])}" for name in (one, other))
    if values[one] == PART_OF[one].options[one].default:  # the kind itself asks for the part
        return UsageError(f"{kind} does not go with {theirs}: {why}")
    return UsageError(f"{kind}: {own} does not go with {theirs}: {why}")


def refuse_idle_options(
    kind: str, given: dict[str, Any], values: dict[str, Any], select: Any, backup: Any
) -> None:
    """UsageError for the first option of `given` that changes nothing.

    `values` are all options. One that says what is the default anyway, or switches something off,
    may stand.
    """
    read = _all_reads(select, backup)
    options = AGENTS[kind].options
    chosen = parts_chosen(values)
    idles = {name: why for part in chosen for name, why in part.idles.items()}
    switches = [part.asked_by for part in chosen if part.asked_by in options]
    implied = {name: values[name] for name in switches if options[name].reads}
    for name, value in (implied | given).items():
        option = options[name]
        off = value is None or (name in PART_OF and value == PART_OF[name].options[name].default)
        if off or (name not in implied and value == option.default):
            continue
        if not option.used(values):
            raise _idle(kind, name, option.needs)
        if name in idles:
            raise _idle(kind, name, idles[name])
        if name in _FOR_OWN_RULES and is_ours(select) and is_ours(backup):
            continue  # own rules may still come, as Python objects: _refuse_unread_numbers
        names = option.reads.union(*(part.read_with(name) for part in chosen))
        if names and not names & read:
            why = _reason(kind, name, option, names, select, backup)
            if name not in given:
                why += f"; write {name}={value_text(PART_OF[name].options[name].default)} with it"
            raise _idle(kind, name, why)


def _refuse_unread_numbers(agent: Agent) -> None:
    """UsageError if a search is to begin with an option that own rules may read, and none does."""
    _, given = parse(agent.name.partition("*")[0])
    active = {part.name for part in asked_parts(Setting(None, agent))}
    for part in PARTS:
        if part.name in agent.parts and part.asked_by in given:
            for other, why in part.serves.items():
                if other not in active:
                    raise _idle(agent.name, part.asked_by, why)
    for name in _FOR_OWN_RULES:
        if getattr(agent.params, name) != 0.0 and name not in _all_reads(
            agent.select, agent.backup
        ):
            option = COMMON[name]
            why = _reason(agent.name, name, option, {name}, agent.select, agent.backup)
            raise _idle(agent.name, name, why)


def refuse_on_gpu(agent: Agent) -> None:
    """UsageError if the agent has a part that a thread of a GPU cannot have."""
    for part in asked_parts(usual_setting(None, agent)):
        if part.gpu:
            raise UsageError(f"{agent}: {part.gpu}")


def refuse_unsuited(game: Game, agent: Agent) -> None:
    """UsageError if the agent cannot play this game, or an option of it does nothing."""
    if not agent.builds_tree:
        raise UsageError(
            f"{agent} builds no tree: it plays in match, tournament, analyze, play and "
            "uctlab.search, on a CPU with one thread"
        )
    _refuse_unread_numbers(agent)
    if game.python_only and (game.on_gpu or agent.is_parallel):
        raise UsageError(
            f"{agent}: {game.name} is plain Python, which has one thread and no GPU; leave out "
            "threads= and root=, and use --device cpu"
        )
    for policy in game.playouts.values():
        PLAYOUT_POLICY.check(SimpleNamespace(playout=policy), game.name)
    setting = usual_setting(game, agent)
    # A part that needs another one has more to say than that one.
    for part in sorted(asked_parts(setting), key=lambda part: not part.needs):
        if part.refuses is not None and (why := part.refuses(setting)):
            raise UsageError(f"{agent}: {why}")


def _idle(kind: str, name: str, why: str) -> UsageError:
    return UsageError(f"{kind}: {name}= has no effect: {why}")


def _reason(kind: str, name: str, option: Option, names: Set[str], select: Any, backup: Any) -> str:
    own = [rule_name(rule) for rule in (select, backup) if not is_ours(rule)]
    if not own:
        return option.unread.format(kind=kind)
    known = ", ".join(f'hole("{n}")' if "." in n else n for n in sorted(names))
    advice = ""
    if option.instead:
        advice = f"; {option.instead.format(kind=kind, name=name)}"
    return f"{' and '.join(own)} reads none of {known}{advice}"


def _all_reads(select: Any, backup: Any) -> set[str]:
    return _reads(select, SELECTION_RULE) | _reads(backup, BACKUP_OPERATOR)


def _reads(rule: Any, interface: Interface) -> set[str]:
    kernels = (getattr(rule, item.name, None) for item in interface.items)
    return set().union(*(names_read(kernel) for kernel in kernels if is_kernel(kernel)))


def is_ours(rule: Any) -> bool:
    """Whether a rule is part of uctlab."""
    return getattr(rule, "__name__", "").startswith("uctlab.")


def rule_name(rule: Any) -> str:
    """What a rule is called: its file, or its own name."""
    file = inspect.getsourcefile(rule) if inspect.ismodule(rule) else None
    return Path(file).name if file else str(getattr(rule, "__name__", type(rule).__name__))
