"""Saves a tree to a file and loads it, so that a search can go on from there.

A file may come from anybody. It names no code that is run unasked, takes no more memory than the
one who loads it allows, and everything in it is checked before a kernel sees it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import uctlab
from uctlab.agents import Agent, make_agent
from uctlab.agents.agent import own_rules
from uctlab.array_files import TooLargeError, read_arrays
from uctlab.atomic_files import replacing
from uctlab.errors import LabError, UsageError
from uctlab.games import Game, Position, make_game
from uctlab.games.registry import own_files
from uctlab.mcts.rules_digest import has_own_files, rules_facts, same_rules
from uctlab.mcts.searcher import DEFAULT_MEMORY, Searcher
from uctlab.mcts.tree_check import DamagedTreeError, check_tree
from uctlab.mcts.tree_replay import moves_are_legal
from uctlab.parts import layout
from uctlab.parts.listing import PARTS
from uctlab.user_modules import refuse_files

_KINDS: dict[str, type] = {
    **{"version": str, "game": str, "agent": str},
    **{"seed": int, "moves": list, "turn": int},
}
_OPTIONAL: dict[str, type] = {"stones": list, "rules": dict}
_RULES = ("files", "kernels")
_SMALL = {"facts": 2**24, "counters": 2**12, "rng": 2**12}  # bytes that they take at most


def save_tree(searcher: Searcher, path: Path) -> None:
    """Write nodes, random state and root; the agent must be fully described by its name.

    An older file of that name is replaced only when the new one is complete.
    """
    if searcher.position is None:
        raise UsageError("there is no tree to save before a search")
    saved = searcher.tree
    if "*" in searcher.agent.name:
        raise UsageError(
            f"the agent {searcher.agent.name} has rules that its name does not include"
        )
    if why := _not_kept(searcher.agent):
        raise UsageError(f"{searcher.agent}: its tree cannot be saved; leave out {why}")
    first = searcher.position.first
    facts: dict[str, Any] = {
        "version": uctlab.__version__,
        "game": searcher.game.name,
        "agent": searcher.agent.name,
        "rules": rules_facts(searcher.game, searcher.agent),
        "seed": searcher.seed,
        "moves": [int(move) for move in searcher.position.moves],
        "turn": first.turn,
    }
    if searcher.game.diagram is not None:
        facts["stones"] = first.stones.tolist()
    used = int(saved.counters[layout.USED])
    try:
        with replacing(path, only_file=True) as file:
            np.savez(
                file,
                nodes=np.asarray(saved.nodes[:used]),
                counters=saved.counters[: layout.SAVED],
                rng=saved.work.rng,
                facts=np.array(json.dumps(facts)),
            )
    except OSError as error:
        reason = error.strerror or error
        raise LabError(f"the tree is not saved, {path} cannot be written: {reason}") from None


def load_tree(
    path: Path, game: str, *, memory: int = DEFAULT_MEMORY, trust: bool = False
) -> Searcher:
    """The search that `save_tree` wrote; its next search reuses the tree.

    `memory` is the limit on the size of its nodes, in bytes, now and later: a larger tree is
    refused. A depth-first search goes on from the root. Python files that the tree names are run
    only with `trust`, apart from that of the game, which the caller names.
    """
    facts, nodes, counters, rng = _read(path, memory)
    if not trust:
        refuse_files(str(path), own_rules(facts["agent"]), own_files(game))
    rules = make_game(game)
    if facts["game"] != rules.name:
        raise UsageError(f"{path} is a tree of {facts['game']}, not of {rules.name}")
    agent = make_agent(facts["agent"])
    if why := _not_kept(agent):
        raise UsageError(f"{path} is a tree of {agent}, and trees with {why} are not kept")
    if "rules" not in facts:  # a file of version 0.1.0
        if has_own_files(rules, agent) and not trust:
            raise UsageError(
                f"{path} does not tell which version of your Python files it was made with; "
                "if it is the present one, add --trust"
            )
    elif not same_rules(facts["rules"], rules_facts(rules, agent)):
        raise UsageError(f"{path} was saved under other rules: a Python file of yours has changed")
    searcher = Searcher(rules, agent, seed=facts["seed"], memory=memory, reuse=True)
    loaded = searcher.tree
    if nodes.dtype != loaded.node_type:
        raise UsageError(
            f"{path} was saved by uctlab {facts['version']}, which has another tree format"
        )
    # The file does not record that the type is aligned, which makes it another type for Numba.
    nodes = nodes.view(loaded.node_type)
    try:
        check_tree(nodes, counters, rng, rules, agent)
        position = _position(rules, facts)
        if not moves_are_legal(nodes.view(np.recarray), position, rules, agent):
            raise DamagedTreeError("a move is illegal, or missing")
    except (DamagedTreeError, UsageError) as damage:
        raise UsageError(f"{path} is damaged: {damage}") from None
    loaded.nodes = nodes.view(np.recarray)
    loaded.counters[: layout.SAVED] = counters
    loaded.work.rng[:] = rng
    loaded.position = position
    return searcher


def _read(path: Path, memory: int) -> tuple[dict[str, Any], np.ndarray, np.ndarray, np.ndarray]:
    """The facts, each of the right kind, and the arrays, not checked yet."""
    try:
        arrays = read_arrays(path, {"nodes": memory, **_SMALL}, "the tree")
        facts = json.loads(str(arrays["facts"]))
    except TooLargeError as mistake:
        if mistake.name != "nodes":
            raise
        raise UsageError(
            f"{path} has a tree of {mistake.size / 2**20:,.1f} MiB, more than the memory limit of "
            f"{memory / 2**20:,.1f} MiB; --memory sets another"
        ) from None
    except UsageError:
        raise
    except (ValueError, RecursionError):  # the second for JSON in many brackets
        raise UsageError(f"{path} is not a tree saved by uctlab") from None
    good = isinstance(facts, dict)
    good = good and all(_is(facts.get(name), kind) for name, kind in _KINDS.items())
    good = good and all(_is(facts[n], kind) for n, kind in _OPTIONAL.items() if n in facts)
    good = good and all(_is(n, int) for n in (*facts["moves"], *facts.get("stones", ())))
    good = good and all(_is(facts.get("rules", {}).get(n, ""), str) for n in _RULES)
    if not good or facts["seed"] < 0 or ("rules" in facts and not set(_RULES) <= {*facts["rules"]}):
        raise UsageError(f"{path} is not a tree saved by uctlab")
    return facts, arrays["nodes"], arrays["counters"], arrays["rng"]


def _not_kept(agent: Agent) -> str:
    """The option whose part lets no tree be saved, as it is written; empty if there is none."""
    for part in PARTS:
        if part.name in agent.parts and not part.keeps_tree:
            return f"{part.asked_by}={agent.option(part.asked_by)}"
    return ""


def _is(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _position(rules: Game, facts: dict[str, Any]) -> Position:
    position = Position.start(rules)
    if "stones" in facts and rules.diagram is not None:
        stones, turn = np.array(facts["stones"], object), facts["turn"]
        if not np.array_equal(stones, position.stones) or turn != position.turn:
            position = Position.from_stones(rules, stones, turn)
    for move in facts["moves"]:
        position = position.play(move)
    return position
