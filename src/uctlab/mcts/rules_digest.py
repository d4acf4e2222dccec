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
    return searches_digest(make_game(game), [make_agent(text) for text in agents], judged=judged)


def searches_digest(rules: Game, agents: Sequence[Agent], *, judged: bool = False) -> str:
    """One value that changes when the kernels or the numbers of these searches change.

    Nothing is compiled. The first word is the version of Python, on which the rest depends.
    `judged` says whether the game's referee takes part. Devices play the same games, so a GPU's own
    kernels are left out.
    """
    facts = [digest_of(rules.kernels.start), digest_of(rules.legal_moves)]
    facts.append(repr(sorted(rules.options.items())))
    for agent in agents:
        if agent.max_depth > 0:
            facts += [digest_of(alphabeta_search.bind(rules)), repr(agent.max_depth)]
            continue
        search = bind_for_cpu(rules, agent)
        parts = (final.search_move, tree.extract, tree.keep_children)
        facts += [digest_of(search.bind(part)) for part in parts]
        if agent.threads > 1:
            facts.append(digest_of(bind_for_threads(rules, agent).bind(search_shared)))
        if agent.filter and (source := _source(rules.root_filter)) is not None:
            facts.append(hashlib.sha256(source.read_bytes()).hexdigest())
        facts.append(repr((search.agent.params, agent.threads, agent.root)))
    for part in (rules.referee, rules.idle_moves) if judged else ():
        if (source := _source(part)) is not None:
            facts.append(hashlib.sha256(source.read_bytes()).hexdigest())
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


def _source(thing: Any) -> Path | None:
    try:
        found = inspect.getsourcefile(inspect.unwrap(getattr(thing, "py_func", thing)))
    except TypeError:  # a rule may be any object
        return None
    path = Path(found).resolve() if found else None
    return path if path is not None and path.is_file() else None
