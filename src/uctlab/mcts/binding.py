"""Binds a game and an agent to the kernels of their search: what fills which hole.

The parts that are active bring the kernels of the steps and hooks (parts/hooks.py); this file puts
them together for a CPU, for threads that share a tree, and for a GPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.agents.kinds import NUMBERS
from uctlab.agents.refusals import refuse_on_gpu, refuse_unsuited
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import MOVE
from uctlab.games.solve import key_of_bytes, key_of_stones
from uctlab.kernels import copy_record, copy_record_on_gpu, specialise
from uctlab.kernels.holes import UnfilledHole
from uctlab.kernels.jit import is_kernel
from uctlab.kernels.reads import names_read
from uctlab.kernels.tuples import from_row, tuple_class, with_number
from uctlab.mcts import loop, tree
from uctlab.parts import threads, virtual_loss
from uctlab.parts.gpu import with_small_nodes
from uctlab.parts.hooks import HOOKS, hook_of, wrapped
from uctlab.parts.layout import BASE_FIELDS, SHARED_FIELDS, node_dtype_of
from uctlab.parts.listing import PARTS, active_parts, asked_parts
from uctlab.parts.local_copies import sums_of
from uctlab.parts.part import Part, Setting
from uctlab.rules.backup import packed_mean
from uctlab.rules.fields import Field, fields_of
from uctlab.rules.select import best, best_on_gpu

_CPU = {"ON_GPU": False, "copy_record": copy_record}


@dataclass(frozen=True)
class Binding:
    """One agent in one game on one kind of device."""

    setting: Setting
    parts: tuple[Part, ...]
    """The parts of the search."""
    owners: Mapping[str, Any]
    """What fills the holes: hole("backup.value") is owners["backup"].value."""

    @property
    def game(self) -> Game:
        game: Game = self.setting.game
        return game

    @property
    def agent(self) -> Agent:
        agent: Agent = self.setting.agent
        return agent

    def bind(self, template: Any, *, seldom: bool = False) -> Any:
        """A kernel of the search, compiled for this agent in this game; `seldom` if it runs once
        per search."""
        try:
            return specialise(template, interpret=self.game.interpret, seldom=seldom, **self.owners)
        except UnfilledHole as missing:
            raise UsageError(
                f"{self.agent}: {missing}; `uctlab agents --rules` lists what a rule may read"
            ) from None

    def has(self, name: str) -> bool:
        """Whether the search has the part of that name."""
        return any(part.name == name for part in self.parts)

    @property
    def records_moves(self) -> bool:
        """Whether playouts write down their moves."""
        return any(part.records_moves for part in self.parts)

    def root_moves(self, position: Position, left_out: frozenset[int] = frozenset()) -> np.ndarray:
        """The legal moves but `left_out`, without those that the agent's filter leaves out unless
        these are all; pruning comes afterwards."""
        moves = tuple(move for move in position.legal if move not in left_out)
        if self.has("root_filter") and self.game.root_filter is not None:
            filtered = self.game.root_filter(position)
            moves = tuple(move for move in moves if move not in filtered) or moves
        return np.array(moves, MOVE)

    @cached_property
    def params(self) -> Any:
        """The agent's numbers, as far as its kernels read them."""
        kind = self.owners["params"]["Numbers"]
        return kind(*(getattr(self.agent.params, name) for name in kind._fields))

    @cached_property
    def node_type(self) -> np.dtype:
        return node_dtype(self.agent)

    @property
    def node_sums(self) -> tuple[str, ...]:
        """The sums in a node of which threads have copies."""
        return sums_of(self.setting, self.parts) if self.has("local_copies") else ()


def bind_for_cpu(
    game: Game,
    agent: Agent,
    *,
    profile: bool = False,
    record_last: bool = False,
    record_moves: bool = False,
) -> Binding:
    """For one thread on a CPU. `profile` measures the time of each step of the loop, `record_last`
    records the path of the last playout, and `record_moves` the moves below its leaf."""
    setting = Setting(
        game,
        agent,
        profile=profile,
        record_last=record_last,
        record_moves=record_moves,
    )
    return _binding(setting, choice=best, device=_CPU)


def bind_for_threads(
    game: Game, agent: Agent, *, inject_yields: bool = False, record_last: bool = False
) -> Binding:
    """For one of several threads that grow one tree; `inject_yields` makes them collide often."""
    backup = {name: getattr(agent.backup, name) for name in dir(agent.backup) if name[0] != "_"}
    choice = {"select": best.select, "untried": best.untried, "any_score": best.any_score}
    if threads.LOCK.name not in agent.parts:  # virtual loss
        backup |= {
            "value": virtual_loss.value,
            "inverse_visits": virtual_loss.inverse_visits,
            "parent_visits": virtual_loss.parent_visits,
        }
        choice |= {"untried": virtual_loss.untried, "any_score": virtual_loss.any_score}
    setting = Setting(
        game, agent, device="threads", record_last=record_last, inject_yields=inject_yields
    )
    return _binding(setting, backup=backup, choice=choice, device=_CPU)


def bind_for_gpu(game: Game, agent: Agent) -> Binding:
    """For one thread on a GPU, which grows its own tree."""
    refuse_on_gpu(agent)
    agent = fitted(game, agent)
    agent = with_small_nodes(agent, asked_parts(Setting(None, agent)))
    per_line = max(1, best_on_gpu.CACHE_LINE // node_dtype(agent).itemsize)
    return _binding(
        Setting(replace(game, on_gpu=True), agent, device="gpu"),
        choice=best_on_gpu,
        device={"ON_GPU": True, "copy_record": copy_record_on_gpu, "NODES_PER_LINE": per_line},
    )


def node_fields(agent: Agent) -> list[Field]:
    """The fields of the backup operator and of the agent's parts."""
    setting = Setting(None, agent)
    own = [field for part in asked_parts(setting) for field in part.fields]
    return fields_of(agent.backup.FIELDS) + own


def node_dtype(agent: Agent) -> np.dtype:
    """The record of a node: the fields of the tree, the backup operator, and the agent's parts."""
    if agent.backup is packed_mean:
        return packed_mean.NODE
    try:
        fields = [(field.name, field.type) for field in node_fields(agent)]
        shared = threads.PART.name in agent.parts
        whole = [*SHARED_FIELDS, *fields] if shared else [*fields, *BASE_FIELDS]
        kind = node_dtype_of(whole)
    except (ValueError, TypeError, IndexError) as error:
        raise UsageError(
            f"{agent}: the FIELDS of its backup operator do not fit into a node: {error}"
        ) from None
    for name in kind.names or ():
        if hasattr(np.record, name):  # interpreted kernels would get NumPy's own
            raise UsageError(
                f"{agent}: the field '{name}' of a node needs another name: it is taken in NumPy"
            )
    return kind


def _binding(setting: Setting, **owners: Any) -> Binding:
    """What all devices have in common; `owners` are those that differ."""
    setting = replace(setting, agent=fitted(setting.game, setting.agent))
    game, agent = setting.game, setting.agent
    node_dtype(agent)  # which refuses fields that do not fit
    refuse_unsuited(game, agent)
    rules = game.kernels
    parts = active_parts(setting)
    names = {part.name for part in parts}
    traced = {part.name for part in parts if part.records_moves}
    policy = agent.option("playout")
    own_policy = any(part.asked_by == "playout" for part in parts)  # a part's, not the game's
    common: dict[str, Any] = {
        "game": {
            "moves": rules.moves,
            "play": rules.play,
            "result": rules.result,
            "playout": None if own_policy else game.playout(policy, trace=len(traced) > 0),
            "stones": getattr(rules, "stones", None),
            "playout_moves": getattr(rules, "playout_moves", rules.moves),
            "prune": rules.prune if game.prune is not None else None,
            "evaluate": rules.evaluate if game.evaluate is not None else None,
            "GRADED": game.grades(policy),
            "REPEATS": game.same_board is not None,
        },
        "limits": game.limits,
        "select": _scores(agent, parts),
        "backup": agent.backup,
        "solver": {"write_key": key_of_bytes if game.diagram is None else key_of_stones},
        "threads": {
            "SHARED": setting.shared,
            "LOCKED": threads.LOCK in parts,
            "INJECT_YIELDS": setting.inject_yields,
        },
        "playout": {
            "TRACED": len(traced) > 0,
            "TRUSTED": own_policy or game.trusts(policy),
        },
        "agent": {
            **{part.name.upper(): part.name in names for part in PARTS},
            "loop": loop.search,
        },
    }
    numbers = tuple_class("Numbers", sorted(_names_read(setting, parts) & NUMBERS.keys()))
    common["params"] = {"Numbers": numbers, "of_row": from_row(numbers)} | {
        f"set_{name}": with_number(numbers, name) for part in parts for name in part.changes
    }
    common |= {part.name: part.fills(setting) for part in parts if part.fills is not None}
    common |= _loop_owners(parts)
    if setting.shared:
        own = {name: getattr(agent.backup, name) for name in dir(agent.backup) if name[0] != "_"}
        if "local_copies" in names:
            alone = common | owners | {"backup": agent.backup, "threads": {"SHARED": False}}
            own["backup"] = specialise(agent.backup.backup, interpret=game.interpret, **alone)
        common["settled"] = own
    return Binding(setting, parts, common | owners)


def _names_read(setting: Setting, parts: tuple[Part, ...]) -> set[str]:
    """What the kernels of a search read, among others the names of its numbers."""
    agent = setting.agent
    kernels = [loop.search, tree.expand_root]
    rules = [agent.select, agent.backup, best, best_on_gpu, virtual_loss]
    kernels += [getattr(rule, name) for rule in rules for name in dir(rule)]
    for part in parts:
        kernels += [*part.steps.values(), *part.wraps.values(), *part.hooks.values()]
        kernels += [] if part.fills is None else part.fills(setting).values()
    return set().union(*(names_read(value) for value in kernels if is_kernel(value)))


def _loop_owners(parts: tuple[Part, ...]) -> dict[str, Any]:
    """Fills the steps and hooks of the loop."""
    steps: dict[str, Any] = {}
    for part in parts:
        steps |= part.steps
    for part in parts:
        for name, outer in part.wraps.items():
            if name in steps:
                steps[name] = wrapped(name, outer, steps[name])
    hooks = {
        name: hook_of(name, {part.name: part.hooks[name] for part in parts if name in part.hooks})
        for name in HOOKS
    }
    return {"step": steps, "hook": hooks}


def _scores(agent: Agent, parts: tuple[Part, ...]) -> Any:
    """The agent's selection rule, as its parts change the scores."""
    scores: dict[str, Any] = {}
    for part in parts:
        for name in ("score", "untried_score"):
            if name in part.wraps:
                inner = scores.get(name, getattr(agent.select, name))
                scores[name] = wrapped(name, part.wraps[name], inner)
    if not scores:
        return agent.select
    rule = agent.select
    return {"node_terms": rule.node_terms, "score": rule.score} | {
        "untried_score": rule.untried_score,
        **scores,
    }


def plain_scores(binding: Binding) -> Any:
    """The selection rule of a search as its parts change it, but for those that only put moves out
    of the question."""
    parts = tuple(part for part in binding.parts if not part.forbids_moves)
    scores = _scores(binding.agent, parts)
    return SimpleNamespace(**scores) if isinstance(scores, dict) else scores


def fitted(game: Game, agent: Agent) -> Agent:
    """The agent with the numbers that its preset has on this board, where the user gave none."""
    numbers = {
        name: value for name, value in game.preset_numbers.items() if name in agent.open_numbers
    }
    return agent.with_options(**numbers) if numbers else agent
