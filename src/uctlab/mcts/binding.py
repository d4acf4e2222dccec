"""Binds a game and an agent to the kernels of their search: what fills which hole.

Only this file decides which kernels run on a CPU, in threads that share a tree, and on a GPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import MOVE
from uctlab.games.solve import key_of_bytes, key_of_stones
from uctlab.kernels import copy_record, copy_record_on_gpu, specialise
from uctlab.kernels.holes import UnfilledHole
from uctlab.mcts import depth_first, final, tree, uct
from uctlab.mcts.refusals import priors_for, refuse_on_gpu, refuse_unsuited
from uctlab.mcts.shortcuts import may_sketch, table_of, with_small_nodes
from uctlab.rules import prior, rave, solver, widening
from uctlab.rules.backup import packed_mean
from uctlab.rules.leaf import GUESS
from uctlab.rules.playouts import policy_of
from uctlab.rules.select import best, best_on_gpu, biased, grave, solved, virtual

_CPU = {"ON_GPU": False, "copy_record": copy_record}


@dataclass(frozen=True)
class Binding:
    """One agent in one game on one kind of device."""

    game: Game
    agent: Agent
    owners: Mapping[str, Any]
    """What fills the holes: hole("backup.value") is owners["backup"].value."""
    traced: bool = False
    """Whether playouts write down their moves."""

    def bind(self, template: Any, *, seldom: bool = False) -> Any:
        """A kernel of the search, compiled for this agent in this game; `seldom` if it runs once
        per search."""
        try:
            return specialise(template, interpret=self.game.interpret, seldom=seldom, **self.owners)
        except UnfilledHole as missing:
            raise UsageError(
                f"{self.agent}: {missing}; `uctlab agents --rules` lists what a rule may read"
            ) from None

    @property
    def prunes(self) -> bool:
        """Whether trees leave out moves."""
        return bool(self.owners["agent"]["PRUNE"])

    def root_moves(self, position: Position) -> np.ndarray:
        """The legal moves, without those that the root leaves out; pruning comes afterwards."""
        moves = position.legal
        if self.agent.filter and self.game.root_filter is not None:
            left_out = self.game.root_filter(position)
            moves = tuple(move for move in moves if move not in left_out) or moves
        return np.array(moves, MOVE)

    @property
    def node_type(self) -> np.dtype:
        return node_dtype(self.agent)

    @property
    def node_sums(self) -> tuple[str, ...]:
        return node_sums(self.agent)

    @property
    def sketches(self) -> bool:
        """Whether the tree has a sketch beside its nodes."""
        return bool(self.owners["agent"]["SKETCH"])

    @property
    def tables(self) -> bool:
        """Whether a rule has a table of numbers by visits."""
        owner = self.owners["agent"]
        return bool(owner["SUMS_TABLE"] or owner["TERMS_TABLE"])


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
    sketch = may_sketch(game, fitted(game, agent))
    return _binding(
        game,
        agent,
        trace=record_moves,
        sketch=sketch,
        table=table_of(agent, sketch),
        choice=best,
        device=_CPU,
        instruments={"PROFILE": profile, "RECORD_LAST": record_last},
    )


def bind_for_threads(
    game: Game, agent: Agent, *, inject_yields: bool = False, record_last: bool = False
) -> Binding:
    """For one of several threads that grow one tree; `inject_yields` makes them collide often."""
    locked = agent.sharing == "locked"
    operator = agent.backup
    if not locked and not hasattr(operator, "shared_backup"):
        raise UsageError(
            f"{agent}: this backup operator does not define shared_backup, so threads can use it "
            "only with sharing=locked"
        )
    backup = {name: getattr(operator, name) for name in dir(operator) if name[0] != "_"}
    backup["backup"] = getattr(operator, "shared_backup", operator.backup)
    choice = {"select": best.select, "untried": best.untried, "any_score": best.any_score}
    if not locked:  # virtual loss
        backup |= {
            "value": virtual.value,
            "inverse_visits": virtual.inverse_visits,
            "parent_visits": virtual.parent_visits,
        }
        choice |= {"untried": virtual.untried, "any_score": virtual.any_score}
    return _binding(
        game,
        agent,
        sketch=may_sketch(game, fitted(game, agent), threads=True),
        backup=backup,
        settled=operator,
        choice=choice,
        device=_CPU,
        threads={
            "SHARED": True,
            "LOCKED": locked,
            "COPY": len(node_sums(fitted(game, agent))) > 0,
            "INJECT_YIELDS": inject_yields,
        },
        instruments={"RECORD_LAST": record_last},
    )


def bind_for_gpu(game: Game, agent: Agent) -> Binding:
    """For one thread on a GPU, which grows its own tree."""
    refuse_on_gpu(agent)
    agent = with_small_nodes(fitted(game, agent))
    per_line = max(1, best_on_gpu.CACHE_LINE // node_dtype(agent).itemsize)
    return _binding(
        replace(game, on_gpu=True),
        agent,
        choice=best_on_gpu,
        device={"ON_GPU": True, "copy_record": copy_record_on_gpu, "NODES_PER_LINE": per_line},
    )


def node_dtype(agent: Agent) -> np.dtype:
    """The record of a node: the fields of the tree, the backup operator, RAVE and priors."""
    if agent.backup is packed_mean:
        return packed_mean.NODE
    fields = [*agent.backup.FIELDS]
    fields += rave.FIELDS if agent.rave else []
    fields += prior.FIELDS if agent.params.prior > 0 else []
    fields += solver.FIELDS if agent.solver else []
    fields += prior.OPINION_FIELDS if agent.params.bias > 0 else []
    fields += prior.PROBABILITY_FIELDS if agent.reads_probabilities else []
    try:
        kind = tree.node_dtype(fields, shared=agent.threads > 1)
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


def node_sums(agent: Agent) -> tuple[str, ...]:
    """The fields of a node that are nothing but sums over its playouts, if all are and nothing else
    reads them while threads are at work; threads may then count in copies of it."""
    apart = not (agent.rave or agent.solver or agent.learns or agent.sharing == "locked")
    sums: tuple[str, ...] = getattr(agent.backup, "SUMS", ())
    kind = node_dtype(agent)
    return sums if apart and all(kind[name] == np.float64 for name in sums) else ()


def _binding(
    game: Game,
    agent: Agent,
    *,
    trace: bool = False,
    sketch: bool = False,
    table: str = "",
    **owners: Any,
) -> Binding:
    """What all devices have in common; `owners` are those that differ."""
    agent = fitted(game, agent)
    refuse_unsuited(game, agent)
    known = priors_for(game, agent) is not None
    evaluates, guesses = _evaluations(game, agent)
    prunes = agent.prune and game.prune is not None
    rules = game.kernels
    traced = agent.rave or trace
    return Binding(
        game,
        agent,
        {
            "game": {
                "moves": rules.moves,
                "play": rules.play,
                "result": rules.result,
                "playout": None if agent.learns else game.playout(agent.playout, trace=traced),
                "stones": getattr(rules, "stones", None),
                "playout_moves": getattr(rules, "playout_moves", rules.moves),
                "priors": priors_for(rules, agent) if known and agent.asks_opinion else None,
                "KNOWN": known,
                "prune": rules.prune if prunes else None,
                "evaluate": rules.evaluate if evaluates or guesses else None,
                "GRADED": game.grades(agent.playout),
            },
            "select": _selection(agent),
            "unsolved": agent.select,
            "unbiased": agent.select,
            "learned": _policy(game, agent) if agent.learns else {"choose": None, "note": None},
            "backup": agent.backup,
            "solver": {"write_key": key_of_bytes if game.diagram is None else key_of_stones},
            "threads": {"SHARED": False, "LOCKED": False, "INJECT_YIELDS": False},
            "agent": {
                "RAVE": agent.rave,
                "GRAVE": agent.select is grave,
                "PRIOR": agent.params.prior > 0,
                "BIAS": agent.params.bias > 0,
                "WIDEN": agent.params.widen > 0,
                "PROBABILITIES": agent.reads_probabilities,
                "OPINION": agent.asks_opinion,
                "SOLVER": agent.solver,
                "PRUNE": prunes,
                "EVALUATE": evaluates,
                "GUESS": guesses,
                "LENGTH_COST": agent.params.length_cost > 0,
                "SEVERAL": agent.params.playouts_per_leaf > 1,
                "ALL_RIVALS": agent.depth_first == "all",
                "LEARNS": agent.learns,
                "GRAPH": agent.graph,
                "SKETCH": sketch,
                "SUMS_TABLE": table == "sums",
                "TERMS_TABLE": table == "terms",
                "SETTLE": agent.final == "both",
                "loop": loop_of(agent),
                "leader": leader_of(agent),
                "measure": final.MEASURES[agent.final],
                "considered": widening.considered if agent.params.widen > 0 else best.every_move,
            },
            **owners,
        },
        traced or agent.learns,
    )


def _evaluations(game: Game, agent: Agent) -> tuple[bool, bool]:
    """Whether leaves are evaluated instead of played out, and whether nodes remember that."""
    evaluates = agent.leaf == "evaluate"
    guesses = GUESS in (node_dtype(agent).names or ())
    if (evaluates or guesses) and game.evaluate is None:
        raise UsageError(
            f"{agent}: {game.name} has no evaluation; othello, hex and kalah have one, and so has "
            "a game of your own with Game.evaluate"
        )
    if guesses and agent.depth_first:
        raise UsageError(f"{agent}: depth-first UCT remembers no evaluations")
    return evaluates, guesses


def _policy(game: Game, agent: Agent) -> dict[str, Any]:
    """A playout policy that learns."""
    policy, codes = policy_of(agent.playout), len(game.move_names)
    policy.rows(codes)  # which refuses a game with too many
    return {**vars(policy), "CODES": codes}


def _biased(agent: Agent) -> dict[str, Any]:
    """The agent's selection rule with a progressive bias."""
    return {
        "node_terms": agent.select.node_terms,
        "score": biased.score,
        "untried_score": biased.untried_score,
    }


def fitted(game: Game, agent: Agent) -> Agent:
    """The agent with the numbers that its preset has on this board, where the user gave none."""
    numbers = {
        name: value for name, value in game.preset_numbers.items() if name in agent.open_numbers
    }
    return agent.changed(params=agent.params._replace(**numbers)) if numbers else agent


def loop_of(agent: Agent) -> Any:
    """The template of the agent's search loop."""
    return depth_first.search if agent.depth_first else uct.search


def leader_of(agent: Agent) -> Any:
    """The template of the kernel that chooses the final move."""
    return final.best_proven if agent.solver else final.LEADERS[agent.final]


def _selection(agent: Agent) -> Any:
    """The agent's selection rule, as the tree's proven bounds or a progressive bias change it."""
    if agent.solver:
        return _with_bounds(agent.select)
    return _biased(agent) if agent.params.bias > 0 else agent.select


def _with_bounds(rule: Any) -> dict[str, Any]:
    """The selection rule in a tree with proven bounds."""
    return {
        "node_terms": rule.node_terms,
        "score": solved.score,
        "untried_score": rule.untried_score,
    }
