"""From a game and an agent to the kernels of their search, and to the memory these need."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.kernel import UNBOUND, copy_record, copy_record_on_gpu, specialise
from uctlab.mcts import depth_first, final, parallel_loop, tree, uct
from uctlab.rules import prior, rave
from uctlab.rules.backup import mean, packed_mean
from uctlab.rules.select import best, best_on_gpu, ucb1, virtual

CONTRACT = {"node_terms", "score", "untried_score", "clear", "backup", "value", "inverse_visits"}
CONTRACT |= {"inverse_root_visits", "parent_visits", "ON_GPU"}  # what a rule may define
DEPTH_LIMIT = 1000  # moves from the root; a leaf there is not expanded


class WorkSizes(NamedTuple):
    """Lengths of a search's work arrays, where the game does not say them."""

    states: int
    path: int
    marks: int
    """Of each of its three rows."""


def work_sizes(game: Game, agent: Agent) -> WorkSizes:
    levels = DEPTH_LIMIT + 2
    marks = max(len(game.move_names), DEPTH_LIMIT) + 2  # also the rivals of a depth-first search
    return WorkSizes(levels if agent.depth_first else 2, levels, marks)


def node_dtype(agent: Agent) -> np.dtype:
    if agent.backup is packed_mean:
        return packed_mean.NODE
    fields = [*agent.backup.FIELDS]
    fields += rave.FIELDS if agent.rave else []
    fields += prior.FIELDS if agent.params.prior > 0 else []
    return tree.node_dtype(fields, shared=agent.threads > 1)


def compact(agent: Agent) -> Agent:
    """The same agent with smaller nodes, if nothing but plain UCT looks into them."""
    plain = agent.backup is mean and agent.select is ucb1 and agent.playout == "uniform"
    if not plain or agent.rave or agent.params.prior > 0:
        return agent
    return replace(agent, backup=packed_mean)


def loop_of(agent: Agent) -> Any:
    """The template of the agent's loop."""
    return depth_first.search if agent.depth_first else uct.search


def bind_shared(game: Game, agent: Agent, *, inject_yields: bool = False) -> Any:
    """The loop of one of the agent's threads; `inject_yields` stresses them."""
    operator = agent.backup
    locked = agent.sharing == "locked"
    if not locked and not hasattr(operator, "shared_backup"):
        raise UsageError(
            f"{agent}: this backup operator brings no shared_backup, so that threads can use it "
            "with sharing=locked alone"
        )
    bound = {
        "backup": getattr(operator, "shared_backup", operator.backup),
        "SHARED": True,
        "LOCKED": locked,
        "INJECT_YIELDS": inject_yields,
    }
    if not locked:
        bound |= {
            "untried": virtual.untried,
            "any_score": virtual.any_score,
            "value": virtual.value,
            "inverse_visits": virtual.inverse_visits,
            "parent_visits": virtual.parent_visits,
            "settled_value": operator.value,
            "settled_inverse": operator.inverse_visits,
            "settled_total": operator.parent_visits,
        }
    return bind_search(parallel_loop.search_shared, game, agent, bound=bound)


def bind_search(
    template: Any,
    game: Game,
    agent: Agent,
    *,
    profile: bool = False,
    on_gpu: bool = False,
    bound: dict[str, Any] | None = None,
) -> Any:
    """A template of the search, compiled for one agent in one game; `bound` are other bindings."""
    if on_gpu and max(agent.threads, agent.root) > 1:
        raise UsageError(f"{agent}: a search on a GPU has one thread; leave out threads= and root=")
    if on_gpu:
        game = replace(game, constants={**game.constants, "ON_GPU": True})
    rules = game.kernels
    has_prior = agent.params.prior > 0
    if has_prior and game.priors is None:
        raise UsageError(f"{agent}: {game.name} knows nothing of moves beforehand; give prior=0")
    choice = best_on_gpu if on_gpu else best
    usual = {
        "moves": rules.moves,
        "play": rules.play,
        "result": rules.result,
        "playout": game.playout(agent.playout, trace=agent.rave),
        "node_terms": agent.select.node_terms,
        "score": agent.select.score,
        "untried_score": agent.select.untried_score,
        "clear": agent.backup.clear,
        "backup": agent.backup.backup,
        "value": agent.backup.value,
        "inverse_visits": agent.backup.inverse_visits,
        "inverse_root_visits": getattr(agent.backup, "inverse_root_visits", ucb1.root_of_inverse),
        "parent_visits": agent.backup.parent_visits,
        "RAVE": agent.rave,
        "add_samples": rave.add_samples,
        "clear_rave": rave.clear_rave,
        "PRIOR": has_prior,
        "give_priors": prior.give_priors,
        "priors": rules.priors if has_prior else None,
        "ALL": agent.depth_first == "all",
        "PROFILE": profile,
        "ON_GPU": on_gpu,
        "copy_record": copy_record_on_gpu if on_gpu else copy_record,
        "fetch": choice.fetch,
        "select": choice.select,
        "untried": choice.untried,
        "NODES_A_LINE": max(1, best_on_gpu.CACHE_LINE // node_dtype(agent).itemsize),
        "search": loop_of(agent),
        "leader": final.LEADERS[agent.final],
        "SETTLE": agent.final == "both",
    }
    names = usual | (bound or {})
    for rules in (agent.select, agent.backup):
        _refuse_taken_names(rules, names)
    return specialise(template, interpret=game.interpret, **names)


def _refuse_taken_names(rules: Any, names: dict[str, Any]) -> None:
    """For a rule of the user's own whose helper has the name of something else in a search."""
    for name in sorted(names.keys() & vars(rules).keys() - CONTRACT):
        value = vars(rules)[name]
        ours = str(getattr(value, "__module__", rules.__name__)).startswith("uctlab.")
        if value is not UNBOUND and not ours:
            raise UsageError(
                f"{rules.__name__} defines {name}, a name that means something else in a search; "
                "give it another"
            )


def bind_kernels(game: Game, agent: Agent, *, profile: bool = False) -> SimpleNamespace:
    """The kernels of one agent in one game."""

    def bind(template: Any) -> Any:
        return bind_search(template, game, agent, profile=profile)

    return SimpleNamespace(
        search=bind(loop_of(agent)),
        reset_tree=bind(tree.reset_tree),
        expand_root=bind(final.expand_root),
        keep_children=bind(tree.keep_children),
        winning_move=bind(final.winning_move),
        leader=bind(final.LEADERS[agent.final]),
        more_playouts=bind(final.more_playouts),
        extract=bind(tree.extract),
        backup=bind(agent.backup.backup),
        value=bind(agent.backup.value),
    )
