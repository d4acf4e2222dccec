"""A check of a selection rule or a backup operator: does it keep the contract of interface.py?

It watches a search in plain Python, playout by playout, and then compares it with the compiled one.
All of it runs in a process of its own (sandbox.py): compiled code that is wrong may crash or never
end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from uctlab.agents import Agent, make_agent, with_rules
from uctlab.agents.refusals import rule_name
from uctlab.errors import UsageError, first_lines
from uctlab.games import Game, Position, make_game
from uctlab.games.conformance import SECONDS
from uctlab.mcts.rule_faults import ROUNDING, wrong_score, wrong_value
from uctlab.mcts.rule_games import first_wins, mixed_playout, won_playout
from uctlab.mcts.searcher import Searcher
from uctlab.parts.layout import BASE_FIELDS
from uctlab.sandbox import Note, SandboxError, run_apart
from uctlab.user_modules import load_module

GAME = "hex:3"  # small enough for plain Python
PLAYOUTS = 150  # of each search that is watched
FPU = 1.0  # in a second search, so that untried_score is called


class RuleError(AssertionError):
    """The rule breaks the contract; the message says where and how."""


@dataclass(frozen=True)
class RuleReport:
    """What a rule has passed."""

    rule: str
    kind: str
    agent: str
    playouts: int

    def __str__(self) -> str:
        return (
            f"{self.rule}, a {self.kind}, keeps the contract: {self.playouts} playouts of "
            f"{self.agent} in {GAME}, interpreted and compiled"
        )


def check_rule(
    rule: Any,
    agent: Agent | str = "uct",
    *,
    seed: int = 0,
    seconds: float = SECONDS,
    compiled: bool = True,
) -> RuleReport:
    """Search with a rule, and raise a RuleError at the first broken promise.

    `rule` is the path of its file or the rule itself. `agent` is the one whose rule it replaces,
    with the options that the rule needs. Without `compiled` everything stays plain Python.
    """
    name = Path(rule).name if isinstance(rule, str | Path) else rule_name(rule)
    rule = load_module(str(rule), ()) if isinstance(rule, str | Path) else rule
    kinds = {"selection rule": hasattr(rule, "score"), "backup operator": hasattr(rule, "backup")}
    if not any(kinds.values()):
        raise UsageError(
            f"{name} is no rule: it defines neither score, as a selection rule does, nor backup, "
            "as a backup operator does"
        )
    own = with_rules(
        make_agent(agent) if isinstance(agent, str) else agent,
        select=rule if kinds["selection rule"] else None,
        backup=rule if kinds["backup operator"] else None,
    )
    if own.is_parallel or own.kind == "dfuct":
        raise UsageError(f"{agent}: rules are checked with one thread, and not depth-first")
    try:
        playouts = run_apart(lambda note: _check(own, seed, compiled, note), seconds)
    except SandboxError as fate:
        raise RuleError(f"{name}: the check was {fate}") from None
    except RuleError as broken:
        raise RuleError(f"{name}: {broken}") from None
    kind = " and ".join(kind for kind, found in kinds.items() if found)
    return RuleReport(name, kind, str(agent), playouts)


def _check(agent: Agent, seed: int, compiled: bool, note: Note) -> int:
    game = make_game(GAME)
    plain = game.interpreted()
    agents = [agent]
    if agent.params.fpu == math.inf:
        agents.append(agent.changed(params=agent.params._replace(fpu=FPU)))
    with np.errstate(all="ignore"):
        watches = [_Watch(plain, each, seed, note) for each in agents]
        mixed = replace(plain, playouts={"uniform": mixed_playout})
        watches.append(_Watch(mixed, agent.changed(playout="uniform"), seed, note))
        won = replace(plain, result=first_wins, playouts={"uniform": won_playout})
        watches.append(_Watch(won, agent.changed(playout="uniform"), seed, note))
        for watch in watches:
            watch.run()
        watches[-1].check_winner()
        if compiled:
            _compare(game, watches[0], seed, note)
    return PLAYOUTS * (len(watches) + compiled)


class _Watch:
    """A search in plain Python, looked at after every playout."""

    def __init__(self, game: Game, agent: Agent, seed: int, note: Note) -> None:
        self.agent = agent
        self.note = note
        self.searcher = Searcher(game, agent, seed=seed, record_last=True)
        self.searcher.prepare(Position.start(game), PLAYOUTS)
        self.tree = self.searcher.tree
        rules = {
            "value": agent.backup.value,
            "inverse_visits": agent.backup.inverse_visits,
            "parent_visits": agent.backup.parent_visits,
            "node_terms": agent.select.node_terms,
            "score": agent.select.score,
            "untried_score": agent.select.untried_score,
        }
        bind = self.searcher.binding.bind
        self._kernels = {name: bind(template) for name, template in rules.items()}
        self._made = 0

    @property
    def nodes(self) -> Any:
        return self.tree.nodes[: self.tree.used]

    def run(self) -> None:
        for _ in range(PLAYOUTS):
            before = self.nodes.visits.copy()
            self._made += 1
            self._do("a playout", self.tree.grow, 1)
            path, _, _ = self.tree.last_playout()
            self._check_visits(before, path)
            untouched = self.tree.nodes.tobytes()
            self._check_values(path)
            for depth, parent in enumerate(path):
                if self.nodes[parent].count > 0:
                    self._check_family(depth, parent)
            self._require(self.tree.nodes.tobytes() == untouched, "reading a node changes the tree")

    def check_winner(self) -> None:
        """All playouts were won by the first player, so her moves are good, the others bad."""
        level = {0: 0}
        for node in range(len(self.nodes)):  # parents come before their children
            first, count = int(self.nodes[node].first), int(self.nodes[node].count)
            level |= dict.fromkeys(range(first, first + max(count, 0)), level[node] + 1)
        for node, depth in level.items():
            if depth > 0 and self.nodes[node].visits > 0:
                value = self._ask("value", self.nodes, node)
                fits = value > 0.5 if depth % 2 == 1 else value < 0.5
                player = "first" if depth % 2 == 1 else "second"
                self._require(
                    fits,
                    f"the sums do not add up: the first player has won all playouts, and the value "
                    f"of a move of the {player} player at depth {depth} is {value:g}; is the "
                    "reward 1 - reward one level higher?",
                )

    def _check_visits(self, before: Any, path: list[int]) -> None:
        visits = self.nodes.visits.astype(np.int64)
        expected = np.zeros(len(visits), np.int64)
        expected[: len(before)] = before
        expected[path] += 1
        for depth, node in enumerate(path):
            counted = visits[node] - expected[node] + 1
            self._require(
                counted == 1,
                f"backup counts {counted} visits of path[{depth}], not 1 (the path has "
                f"{len(path)} nodes)",
            )
        wrong = np.flatnonzero(visits != expected)
        self._require(not len(wrong), "backup changes the visits of a node outside of the path")

    def _check_values(self, path: list[int]) -> None:
        for depth, node in enumerate(path):
            wrong = wrong_value(self._ask("value", self.nodes, node))
            visits = self.nodes[node].visits
            self._require(
                not wrong, f"the value of a node with {visits} visits at depth {depth} is {wrong}"
            )

    def _check_family(self, depth: int, parent: int) -> None:
        """The moves of one node: their visits as rules count them, and their scores."""
        nodes, params = self.nodes, self.agent.params
        first = int(nodes[parent].first)
        children = range(first, first + int(nodes[parent].count))
        visited = [child for child in children if nodes[child].visits > 0]
        total = 0.0
        for child in visited:
            inverse = self._ask("inverse_visits", nodes, child, parent)
            sound = math.isfinite(inverse) and inverse > 0
            self._require(sound, f"inverse_visits is {inverse:g}, not more than 0 and finite")
            total += 1.0 / inverse
        mine = self._ask("parent_visits", nodes, parent, params)
        self._require(
            math.isfinite(mine) and total <= mine * (1 + ROUNDING) + ROUNDING,
            f"the sums do not add up: the moves of a node at depth {depth} have {total:g} visits "
            f"by inverse_visits, and the node has {mine:g} by parent_visits",
        )
        if params.fpu == math.inf and len(visited) < len(children):
            return  # moves are tried before there are any scores
        terms = self._do("node_terms", self._kernels["node_terms"], nodes, parent, params)
        for child in children:
            visits = int(nodes[child].visits)
            if visits > 0:
                name, score = "score", self._ask("score", nodes, child, parent, terms, params)
            else:
                name, score = (
                    "untried_score",
                    self._ask("untried_score", nodes, child, terms, params),
                )
            wrong = wrong_score(score)
            self._require(not wrong, f"{name} of a move with {visits} visits is {wrong}")

    def _ask(self, name: str, *args: Any) -> float:
        value = self._do(name, self._kernels[name], *args)
        try:
            return float(value)
        except TypeError:
            raise self._broken(f"{name} returns a {type(value).__name__}, not a number") from None

    def _do(self, what: str, function: Any, *args: Any) -> Any:
        self.note.write(f"running {what}, interpreted, {self._where}")
        try:
            return function(*args)
        except Exception as error:
            raise self._broken(f"{what}: {first_lines(error)}") from error

    @property
    def _where(self) -> str:
        return f"in playout {self._made}, fpu={self.agent.params.fpu:g}"

    def _require(self, kept: Any, message: str) -> None:
        if not kept:
            raise self._broken(message)

    def _broken(self, message: str) -> RuleError:
        return RuleError(f"{message} ({self._where})")


def _compare(game: Game, watch: _Watch, seed: int, note: Note) -> None:
    """The same search compiled must grow the same tree."""
    note.write("compiling the search, or running it")
    try:
        searcher = Searcher(game, watch.agent, seed=seed)
        searcher.prepare(Position.start(game.interpreted()), PLAYOUTS)
        searcher.run(PLAYOUTS)
    except Exception as error:
        raise RuleError(f"compiled: {first_lines(error)}") from error
    plain, machine = watch.nodes, searcher.tree.nodes[: searcher.tree.used]
    structure = [name for name, _ in BASE_FIELDS]
    names = [*structure, *(name for name in plain.dtype.names if name not in structure)]
    for name in names:
        if len(plain) != len(machine):
            raise RuleError(
                f"compiled and interpreted searches differ: {len(machine)} and {len(plain)} nodes"
            )
        one, other = plain[name], machine[name]
        exact = one.dtype.kind != "f"
        same = one == other if exact else np.isclose(one, other, 1e-6, 1e-9, equal_nan=True)
        if not same.all():
            at = int(np.flatnonzero(~same)[0])
            raise RuleError(
                f"compiled and interpreted searches differ: the field {name} of a node is "
                f"{other[at]:g} compiled and {one[at]:g} in plain Python"
            )
