"""Splits a move's score under the selection rule into its parts.

The parts are found by asking the rule itself: its score without exploration, then without the RAVE
value, then without the prior. All of our rules are sums of these parts, so that

    score = mean + rave + prior + exploration

Flat Monte Carlo scores a move only by its visits, which counts as exploration. A move without
visits has first-play urgency in place of a mean, or none; if nothing is added to that, it is the
whole score.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.games import Game
from uctlab.mcts.binding import bind_for_cpu, plain_scores
from uctlab.rules.select import even

PARENT, CHILD = 0, 1  # in the copy that is passed to the rule


class Split:
    """The rule of one agent, interpreted, since it is only asked about a few moves."""

    def __init__(self, game: Game, agent: Agent) -> None:
        self._agent = agent
        binding = bind_for_cpu(game.interpreted(), agent)
        self._params = binding.agent.params
        # A score without proofs, which would make it minus infinity for a move that is proven lost.
        rule = plain_scores(binding)
        self._node_terms, self._score, self._untried = (
            binding.bind(template) for template in (rule.node_terms, rule.score, rule.untried_score)
        )

    def parts(self, nodes: Any, parent: int, child: int) -> dict[str, float | None]:
        """mean, rave, prior, exploration, and their sum, score; None for parts without a role."""
        pair = np.zeros(2, nodes.dtype).view(np.recarray)
        pair[PARENT], pair[CHILD] = nodes[parent], nodes[child]
        if "graph" in self._agent.parts:
            for place in (PARENT, CHILD):
                first = nodes[pair[place].same]
                for name in ("all_total", "all_visits"):
                    pair[place][name] = first[name]
                pair[place].same = place
        terms = self._node_terms(pair, PARENT, self._params)
        nothing = (0.0, *terms[1:]) if isinstance(terms, tuple) else 0.0
        tried = pair[CHILD].visits > 0
        if not tried and self._params.fpu == math.inf:
            return _only(math.inf)  # it is tried before all others
        total = self._ask(pair, terms)
        known = self._ask(pair, nothing)  # without exploration
        if self._agent.select is even:
            return {**_only(total), "mean": 0.0, "exploration": total}
        rest = known
        parts: dict[str, float | None] = {"rave": None, "prior": None}
        for part, fields in {"rave": ["rave"], "prior": ["prior", "opinion"]}.items():
            own = [name for name in fields if name in nodes.dtype.names]
            for name in own:
                pair[CHILD][name] = 0.0
            if own:
                without = self._ask(pair, nothing)
                parts[part] = rest - without
                rest = without
        if not tried and total == self._params.fpu:
            return _only(total)
        return {
            "score": total,
            "mean": rest if tried or rest == self._params.fpu else None,
            "exploration": total - known,
            **parts,
        }

    def _ask(self, pair: Any, terms: Any) -> float:
        if pair[CHILD].visits > 0:
            return float(self._score(pair, CHILD, PARENT, terms, self._params))
        return float(self._untried(pair, CHILD, terms, self._params))


def _only(score: float) -> dict[str, float | None]:
    return {"score": score, "mean": None, "exploration": None, "rave": None, "prior": None}
