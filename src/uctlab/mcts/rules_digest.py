"""Digests of what a game and an agent compute: to notice edited rules under a saved tree, and
versions of uctlab that play differently in a store."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import uctlab
from uctlab.agents import Agent, make_agent
from uctlab.games import Game, make_game
from uctlab.kernels.specialise import digest_of
from uctlab.mcts import alphabeta_search, final, tree
from uctlab.mcts.binding import bind_for_cpu, bind_for_threads, loop_of
from uctlab.mcts.parallel_loop import search_shared

_OURS = Path(uctlab.__file__).parent


def rules_facts(game: Game, agent: Agent) -> dict[str, str]:
    """What to save with a tree.

    files       digest of the contents of the user's own files; empty if there is none
    kernels     digest of what the game and the search compute; it depends on the versions
    versions    of Python and uctlab
    """
    kernels = [
        digest_of(game.kernels.start),
        digest_of(bind_for_cpu(game, agent).bind(loop_of(agent))),
        repr(sorted(game.options.items())),
    ]
    files = [path.read_bytes() for path in _own_sources(game, agent)]
    return {
        "files": hashlib.sha256(b"\0".join(files)).hexdigest() if files else "",
        "kernels": hashlib.sha256("\n".join(kernels).encode()).hexdigest(),
        "versions": f"{sys.version_info.major}.{sys.version_info.minor} {uctlab.__version__}",
    }


@lru_cache(maxsize=256)
def kernels_digest(game: str, agents: tuple[str, ...], *, judged: bool = False) -> str:
    """`searches_digest` of a game and agents that are given by name."""
    facts = [*_facts_of_named_game(game)]
    for text in agents:
        facts += _facts_of_named_agent(game, text)
    return _digest(facts + (_facts_of_referee(make_game(game)) if judged else []))


@lru_cache(maxsize=256)
def _facts_of_named_game(game: str) -> list[str]:
    return _facts_of_game(make_game(game))


@lru_cache(maxsize=4096)  # a league has hundreds of agents and games, in thousands of pairs
def _facts_of_named_agent(game: str, agent: str) -> list[str]:
    return _facts_of_agent(make_game(game), make_agent(agent))


def searches_digest(rules: Game, agents: Sequence[Agent], *, judged: bool = False) -> str:
    """One value that changes when the kernels or the numbers of these searches change.

    Nothing is compiled. The first word is the version of Python, on which the rest depends.
    `judged` says whether the game's referee takes part. Devices play the same games, so a GPU's own
    kernels are left out.
    """
    facts = _facts_of_game(rules)
    for agent in agents:
        facts += _facts_of_agent(rules, agent)
    return _digest(facts + (_facts_of_referee(rules) if judged else []))


def _facts_of_game(rules: Game) -> list[str]:
    facts = [digest_of(rules.kernels.start), digest_of(rules.legal_moves)]
    return [*facts, repr(sorted(rules.options.items()))]


def _facts_of_agent(rules: Game, agent: Agent) -> list[str]:
    if agent.max_depth > 0:
        return [digest_of(alphabeta_search.bind(rules)), repr(agent.max_depth)]
    search = bind_for_cpu(rules, agent)
    parts = (final.search_move, tree.extract, tree.keep_children)
    facts = [digest_of(search.bind(part)) for part in parts]
    if agent.threads > 1:
        facts.append(digest_of(bind_for_threads(rules, agent).bind(search_shared)))
    if agent.filter:
        facts += _plain_python(rules.root_filter)
    return [*facts, repr((search.agent.params, agent.threads, agent.root))]


def _facts_of_referee(rules: Game) -> list[str]:
    return _plain_python(rules.referee) + _plain_python(rules.idle_moves)


def _digest(facts: Sequence[str]) -> str:
    digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    return f"{sys.version_info.major}.{sys.version_info.minor} {digest}"


def same_rules(saved: dict[str, str], now: dict[str, str]) -> bool:
    """Whether a tree can go on. Comments may differ; between versions the files must be equal."""
    if not saved["files"] and not now["files"]:
        return True
    if saved["versions"] == now["versions"]:
        return saved["kernels"] == now["kernels"]
    return saved["files"] == now["files"]


def has_own_files(game: Game, agent: Agent) -> bool:
    return bool(_own_sources(game, agent))


def _own_sources(game: Game, agent: Agent) -> list[Path]:
    """The Python files of the game and the rules that are not part of uctlab."""
    sources = map(_source, (game.factory or game.start, agent.select, agent.backup))
    return [path for path in sources if path is not None and _OURS not in path.parents]


def _plain_python(function: Any) -> list[str]:
    """Digests of the files that a function of plain Python is written in: its own, and those of the
    same folder that it uses."""
    names = [getattr(function, "__module__", "")]
    folder = names[0].rpartition(".")[0]
    for name in names:  # which grows
        used = vars(sys.modules[name]).values() if folder else ()
        modules = {str(getattr(thing, "__module__", "")) for thing in used}
        names += sorted(m for m in modules.difference(names) if m.rpartition(".")[0] == folder)
    sources = [_source(function), *(_source(sys.modules[name]) for name in sorted(names[1:]))]
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in sources if path is not None]


def _source(thing: Any) -> Path | None:
    try:
        found = inspect.getsourcefile(inspect.unwrap(getattr(thing, "py_func", thing)))
    except TypeError:  # a rule may be any object
        return None
    path = Path(found).resolve() if found else None
    return path if path is not None and path.is_file() else None
