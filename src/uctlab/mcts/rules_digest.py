"""Says whether a game and agents are the same as before: for stores and saved trees.

What belongs to uctlab counts by name and version, so that code may be rewritten as long as trees
stay as they are (tests/tree_digests.py compares them). Whoever changes what a search or a game does
raises the version of that part:

    the search          VERSION in this file
    a part of it        Part.version, in its file in parts/
    alpha-beta          VERSION in mcts/alphabeta.py
    a rule              VERSION in its file in rules/select, rules/backup or rules/playouts
    a game              Game.version, with its playouts, priors and evaluation
    a referee           VERSION in the file of Game.referee, with idle_moves
    a filter            VERSION in the file of Game.root_filter

A file without VERSION has version 1. A rule whose file is renamed says in STORED_AS what it was
called. What is not part of uctlab counts by its code, as Python compiles it: another version of
Python cannot compare it.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import uctlab
from uctlab.agents import Agent, make_agent
from uctlab.agents.kinds import NUMBERS, OPTIONS
from uctlab.agents.refusals import is_ours
from uctlab.games import Game, make_game
from uctlab.games.api import KERNELS
from uctlab.kernels.jit import is_kernel
from uctlab.kernels.specialise import digest_of_open
from uctlab.mcts import alphabeta
from uctlab.mcts.binding import fitted
from uctlab.parts import root_filter
from uctlab.parts.listing import asked_parts, usual_setting
from uctlab.rules.interface import BACKUP_OPERATOR, SELECTION_RULE, Interface
from uctlab.rules.playouts import LEARNED, policy_of
from uctlab.user_files import SOURCE, read_file

VERSION = 1
"""Of what all searches have: the loop, how ties are broken, the final move."""

_OURS = Path(uctlab.__file__).parent
_CODE = "code "
"""How a fact about code that is not part of uctlab begins."""
_OF_GAMES = (*KERNELS, "priors", "trained_priors", "root_filter")


class Versioned(NamedTuple):
    """Something in uctlab that decides how games go, and its version."""

    role: str
    name: str
    version: int
    where: str
    """What is raised when it changes."""

    @property
    def fact(self) -> str:
        return f"{self.role} {self.name} {self.version}"

    def __str__(self) -> str:
        return f"{self.where} (now {self.version})"


def rules_facts(game: Game, agent: Agent) -> dict[str, str]:
    """What to save with a tree.

    files       digest of the contents of the user's own files; empty if there is none
    kernels     `searches_digest`
    """
    files = [read_file(path, SOURCE) for path in _own_sources(game, agent)]
    return {
        "files": hashlib.sha256(b"\0".join(files)).hexdigest() if files else "",
        "kernels": searches_digest(game, [agent]),
    }


def same_rules(saved: dict[str, str], now: dict[str, str]) -> bool:
    """Whether a tree can go on. Comments of the user's files may differ where digests can be
    compared; elsewhere, as in trees of earlier versions, the files must be equal."""
    if not saved["files"] and not now["files"]:
        return True
    if comparable(saved["kernels"], now["kernels"]):
        return saved["kernels"] == now["kernels"]
    return saved["files"] == now["files"]


def comparable(one: str, other: str) -> bool:
    """Whether two digests are of the same form: else they tell nothing about each other."""
    form, space, _ = one.partition(" ")
    return space != "" and form == other.partition(" ")[0]


@lru_cache(maxsize=256)
def kernels_digest(game: str, agents: tuple[str, ...], *, judged: bool = False) -> str:
    """`searches_digest` of a game and agents that are given by name."""
    facts = [*_facts_of_named_game(game)]
    for text in agents:
        facts += _facts_of_named_agent(game, text)
    return _digest(facts + (_facts_of_referee(make_game(game)) if judged else []))


@lru_cache(maxsize=256)
def _facts_of_named_game(game: str) -> list[str]:
    return facts_of_game(make_game(game))


@lru_cache(maxsize=4096)  # a league has hundreds of agents and games, in thousands of pairs
def _facts_of_named_agent(game: str, agent: str) -> list[str]:
    return facts_of_agent(make_game(game), make_agent(agent))


def searches_digest(rules: Game, agents: Sequence[Agent], *, judged: bool = False) -> str:
    """One value that changes when these searches or their numbers change.

    Its first word is its form: v1, or v1-3.11 where code that is not part of uctlab was compiled by
    Python 3.11. `judged` says whether the game's referee takes part. Devices play the same games,
    so none is named.
    """
    facts = facts_of_game(rules)
    for agent in agents:
        facts += facts_of_agent(rules, agent)
    return _digest(facts + (_facts_of_referee(rules) if judged else []))


def versions_of(rules: Game, agent: Agent) -> list[Versioned]:
    """Everything in uctlab that decides what this agent does in this game."""
    found = []
    if _made_by_us(rules):
        where = f"version of the Game in {_file_of(rules.factory)}"
        found.append(Versioned("game", rules.family, rules.version, where))
    if not agent.builds_tree:
        return [*found, _of_file("search", "alphabeta", alphabeta)]
    found.append(_of_file("search", "uct", sys.modules[__name__]))
    used = {"select": agent.select, "backup": agent.backup}
    if (policy := agent.option("playout")) in LEARNED:
        used["playout"] = policy_of(policy)
    found += [
        _of_file(role, getattr(rule, "STORED_AS", rule.__name__.rpartition(".")[2]), rule)
        for role, rule in used.items()
        if is_ours(rule)
    ]
    parts = asked_parts(usual_setting(rules, agent))
    if root_filter.PART in parts and _is_part_of_uctlab(rules.root_filter):
        found.append(_of_file("filter", rules.family, rules.root_filter))
    return found + [
        Versioned("part", part.name, part.version, f"version of the part {part.name}")
        for part in parts
    ]


def facts_of_game(rules: Game) -> list[str]:
    """What decides how the game goes; options that are not given do not count."""
    options = _given_options(rules)
    facts = [f"options {options}", f"version {rules.version}"]
    if _made_by_us(rules):
        facts.append(f"game {rules.family}")
    functions = {name: getattr(rules, name) for name in _OF_GAMES}
    functions |= {f"playout {name}": kernel for name, kernel in rules.playouts.items()}
    owners = {"game": rules.constants, "limits": rules.limits}
    for role, function in functions.items():
        if function is not None and not _is_part_of_uctlab(function):
            facts += _code_facts(role, function, owners)
        elif function is not None and not _made_by_us(rules):
            facts.append(f"{role} {function.__name__} {_version_of(function)}")
    return facts


def _given_options(rules: Game) -> list[tuple[str, Any]]:
    """Those that are not as `make` has them, so that a new one changes no digest."""
    known = inspect.signature(rules.factory).parameters if rules.factory is not None else {}
    defaults = {name: parameter.default for name, parameter in known.items()}
    return sorted(item for item in rules.options.items() if item[1] != defaults.get(item[0]))


def facts_of_agent(rules: Game, agent: Agent) -> list[str]:
    """What decides how the agent plays. Options and numbers count unless they are the default, so
    that a new one changes no digest.

    Numbers have 12 digits: the last ones depend on the machine's logarithms and powers.
    """
    agent = fitted(rules, agent)
    facts = [
        one.fact
        for one in versions_of(rules, agent)
        # Parts come and go with the code; they count once they have changed.
        if one.role != "game" and (one.role != "part" or one.version > 1)
    ]
    for role, rule, interface in (
        ("select", agent.select, SELECTION_RULE),
        ("backup", agent.backup, BACKUP_OPERATOR),
    ):
        if not is_ours(rule):
            facts += _facts_of_own_rule(role, rule, interface)
    facts.append(f"kind {agent.kind}")
    numbers = agent.params._asdict()
    facts += [
        f"{name} {numbers[name]:.12g}" for name in sorted(numbers) if numbers[name] != NUMBERS[name]
    ]
    return facts + [
        f"{name} {value}"
        for name, value in sorted(agent.options)
        if value != OPTIONS[name].default
        and name not in (*numbers, "select", "backup")
        and not OPTIONS[name].sets_numbers
    ]


def _facts_of_own_rule(role: str, rule: Any, interface: Interface) -> list[str]:
    facts: list[str] = []
    for item in interface.items:
        name, value = f"{role}.{item.name}", getattr(rule, item.name, None)
        if is_kernel(value) and _is_part_of_uctlab(value):
            facts.append(f"{name} {value.__module__.rpartition('.')[2]} {_version_of(value)}")
        elif is_kernel(value):
            facts += _code_facts(name, value, {})
        elif value is not None:
            facts.append(f"{_CODE}{name} {value!r}")
    return facts


def _facts_of_referee(rules: Game) -> list[str]:
    facts = []
    for role in ("referee", "idle_moves"):
        function = getattr(rules, role)
        if _is_part_of_uctlab(function):
            facts.append(f"{role} {_version_of(rules.referee)}")
        elif function is not None:
            facts += _code_facts(role, function, {})
    return facts


def _code_facts(role: str, function: Any, owners: dict[str, Any]) -> list[str]:
    """What is known of a function that is not part of uctlab."""
    if is_kernel(function):
        return [f"{_CODE}{role} {digest_of_open(function, owners)}"]
    return [f"{_CODE}{role} {digest}" for digest in _plain_python(function)]


def _digest(facts: Sequence[str]) -> str:
    digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    if any(fact.startswith(_CODE) for fact in facts):
        return f"v1-{sys.version_info.major}.{sys.version_info.minor} {digest}"
    return f"v1 {digest}"


def _of_file(role: str, name: str, thing: Any) -> Versioned:
    return Versioned(role, name, _version_of(thing), f"VERSION in {_file_of(thing)}")


def _version_of(thing: Any) -> int:
    """Of a module, or of the module of a function."""
    module = thing if inspect.ismodule(thing) else sys.modules.get(thing.__module__)
    return int(getattr(module, "VERSION", 1))


def _file_of(thing: Any) -> str:
    name = thing.__name__ if inspect.ismodule(thing) else thing.__module__
    return f"{name.removeprefix('uctlab.').replace('.', '/')}.py"


def _made_by_us(rules: Game) -> bool:
    return _is_part_of_uctlab(rules.factory)


def _is_part_of_uctlab(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).startswith("uctlab.")


def has_own_files(game: Game, agent: Agent) -> bool:
    return bool(_own_sources(game, agent))


def _own_sources(game: Game, agent: Agent) -> list[Path]:
    """The Python files of the game and the rules that are not part of uctlab."""
    sources = map(_source, (game.factory or game.start, agent.select, agent.backup))
    return [path for path in sources if path is not None and _OURS not in path.parents]


def _plain_python(function: Any) -> Iterator[str]:
    """Digests of the files that a function of plain Python is written in: its own, and those of the
    same folder that it uses."""
    names = [getattr(function, "__module__", "")]
    folder = names[0].rpartition(".")[0]
    for name in names:  # which grows
        used = vars(sys.modules[name]).values() if folder else ()
        modules = {str(getattr(thing, "__module__", "")) for thing in used}
        names += sorted(m for m in modules.difference(names) if m.rpartition(".")[0] == folder)
    sources = [_source(function), *(_source(sys.modules[name]) for name in sorted(names[1:]))]
    for path in sources:
        if path is not None:
            yield hashlib.sha256(read_file(path, SOURCE)).hexdigest()


def _source(thing: Any) -> Path | None:
    try:
        found = inspect.getsourcefile(inspect.unwrap(getattr(thing, "py_func", thing)))
    except TypeError:  # a rule may be any object
        return None
    path = Path(found).resolve() if found else None
    return path if path is not None and path.is_file() else None
