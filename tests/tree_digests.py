"""Digests of the trees that fixed searches build, so that a refactoring is seen to change nothing.

tests/data/tree_digests.json has them. Whole numbers (visits, moves, proven bounds) are compared on
every machine. Sums and means are compared where the logarithms and powers of the machine are those
of the machine that wrote the file: both are functions of its C library, and one digest of some
thousand of their values tells. After a change that is meant to alter trees, raise the version of
what you changed, by which stores tell that their games were made otherwise
(src/uctlab/mcts/rules_digest.py lists the versions), and

    python -m tests.tree_digests --write

writes the file anew; the message of that commit says why. It refuses while a tree has changed and
no version has. `--compiled` compares with compiled
kernels, which takes some minutes; a text, such as "hex:5 alone", limits the comparison to searches
whose name contains it.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.binding import bind_for_threads
from uctlab.mcts.parallel import Team
from uctlab.mcts.rules_digest import facts_of_agent, facts_of_game, versions_of
from uctlab.mcts.searcher import Searcher

FILE = Path(__file__).parent / "data" / "tree_digests.json"
FORMAT = 1
"""Raised when digests change though trees do not: with other playouts or seeds, or when fields of
nodes get other names."""
PLAYOUTS = {"hex:5": 240, "havannah:3": 120, "othello": 40, "go:5": 60}
"""The first of two searches; the second, a move later, makes a quarter as many."""
AGENTS = [
    "uct",
    "uct(c=0.5,expand=3)",
    "uct(expand=0,fpu=1.1,final=both)",
    "uct(rave=fuego)",
    "uct(rave=fuego,ignore=5,distance=on,c=0.2)",
    "uct(rave=fuego,prior=1)",
    "uct(rave=k)",
    "uct(rave=k,distance=on,expand=2)",
    "uct(rave=grave,grave=5)",
    "uct(prior=1,playout=heavy)",
    "uct(bias=1,widen=1)",
    "uct(bias=1,knowledge=trained,prune=on)",
    "uct(widen=2,solver=on)",
    "uct(solver=on)",
    "uct(solver=on,final=value)",
    "uct(graph=on)",
    "uct(backup=max)",
    "uct(backup=robust_max)",
    "uct(backup=mix,expand=2)",
    "uct(backup=power,power=3)",
    "uct(playout=mast)",
    "uct(playout=nst,epsilon=0.2)",
    "uct(playout=lgr)",
    "uct(playout=lgrf,length_cost=0.01)",
    "uct(playouts_per_leaf=3)",
    "uct(leaf=evaluate)",
    "uct(alpha=0.3)",
    "uctmax",
    "puct",
    "tuned",
    "tuned(solver=on,fpu=1)",
    "tuned(bias=1,widen=1)",
    "duct(k=5)",
    "duct(k=auto,rave=fuego)",
    "duct(lam=0.99,rave=k)",
    "auct(k=3)",
    "auct(k=3,expand=10,rave=fuego)",
    "auct(k=5,rave=k,distance=on)",
    "auct(k=4,length_cost=0.002)",
    "auct(k=4,solver=on,bias=1)",
    "dtuned(k=5)",
    "dfuct",
    "dfuct(rivals=all)",
    "dfuct(playout=mast,length_cost=0.01)",
    "mc",
    "ucb",
    "bast",
    "muct",
    "ucbv",
    "klucb(c=1)",
    "thompson",
    "mogo",
    "fuego",
]
BINDINGS = ("alone", "lockfree", "locked")
SKETCHED_IN_THREADS = ("hex:8", 60)
"""A game with enough moves for sketches that threads share, and its playouts."""


def cases() -> list[tuple[str, str, str]]:
    """All (game, binding, agent); which of them exist is in the file."""
    every = [
        (game, how, agent)
        for game in PLAYOUTS
        for how in BINDINGS
        for agent in AGENTS
        if how == "alone" or not (agent.startswith("dfuct") or "graph" in agent)
    ]
    wide = [
        (SKETCHED_IN_THREADS[0], how, agent)
        for how in BINDINGS
        for agent in ("uct", "duct(k=5)", "auct(k=3)", "uct(rave=fuego)")
    ]
    return every + wide


def digests(game: str, how: str, agent: str, *, interpret: bool = True) -> tuple[str, str] | None:
    """Digests of the whole and of the real numbers of a search; None if there is no such search.

    Args:
        game: The game's name.
        how: "alone" for the loop of one thread; "lockfree" and "locked" for that of threads, run
            by a single one.
        agent: The agent's name.
        interpret: Whether the kernels are plain Python.
    """
    rules = make_game(game)
    try:
        searcher = _searcher(rules.interpreted() if interpret else rules, how, agent)
    except UsageError:
        return None
    playouts = PLAYOUTS.get(game, SKETCHED_IN_THREADS[1])
    position = Position.start(rules)
    whole, real = hashlib.sha256(), hashlib.sha256()
    for number in (playouts, playouts // 4):
        searcher.prepare(Position(searcher.game, position.state, None, -1), number)
        if number == playouts and how != "alone":  # as the search of one thread goes on
            searcher.tree.grower._threads[0].work.rng[:] = searcher.tree.work.rng
        searcher.run(number)
        report = searcher.report()
        whole.update(f"{report.best} {searcher.tree.used}".encode())
        _add(searcher.tree, whole, real)
        position = position.play(position.legal[len(position.legal) // 2])
    return whole.hexdigest()[:16], real.hexdigest()[:16]


def _searcher(rules: Any, how: str, name: str) -> Searcher:
    agent = make_agent(name)
    if how != "alone":
        agent = agent.with_options(threads=2.0, sharing=how)
    searcher = Searcher(rules, agent, seed=5)
    if how != "alone":
        team = Team(bind_for_threads(rules, searcher.agent))
        team._threads = team._threads[:1]
        searcher.tree.grower = team
    return searcher


def _add(tree: Any, whole: Any, real: Any) -> None:
    nodes = np.asarray(tree.nodes[: tree.used])
    for name in sorted(nodes.dtype.names):
        column = np.ascontiguousarray(nodes[name])
        (real if column.dtype.kind == "f" else whole).update(name.encode() + column.tobytes())


def arithmetic() -> str:
    """A digest of logarithms and powers as this machine computes them."""
    numbers = [1 + 0.37 * n for n in range(2000)]
    values = [math.log(x) for x in numbers]
    values += [math.pow(0.9 + 1e-4 * i, x) for i, x in enumerate(numbers)]
    values += [math.exp(-1 / x) for x in numbers]
    return hashlib.sha256(np.array(values).tobytes()).hexdigest()[:16]


def versions() -> dict[str, str]:
    """For each game and each agent a value that changes when a version is raised."""
    some = make_game(SKETCHED_IN_THREADS[0])
    facts = {game: facts_of_game(make_game(game)) for game in (*PLAYOUTS, SKETCHED_IN_THREADS[0])}
    for agent in AGENTS:
        with suppress(UsageError):  # some are there to be refused
            facts[agent] = facts_of_agent(some, make_agent(agent))
    return {
        name: hashlib.sha256(f"{FORMAT} {known}".encode()).hexdigest()[:8]
        for name, known in facts.items()
    }


def made() -> dict[str, Any]:
    """What the file is to contain."""
    found: dict[str, dict[str, list[str]]] = {}
    for game, how, agent in cases():
        pair = digests(game, how, agent)
        if pair is not None:
            found.setdefault(f"{game} {how}", {})[agent] = list(pair)
    return {"arithmetic": arithmetic(), "versions": versions(), "trees": found}


def unversioned(old: dict[str, Any], new: dict[str, Any]) -> str:
    """What is wrong with replacing one content of the file by another: trees that have changed
    without a version, and the versions that they have in common. Empty if nothing is."""
    exact = old["arithmetic"] == new["arithmetic"]
    was, now = old.get("versions", {}), new["versions"]
    changed = [
        (game, how, agent)
        for game, how, agent in cases()
        if (before := old["trees"].get(f"{game} {how}", {}).get(agent))
        and (after := new["trees"].get(f"{game} {how}", {}).get(agent))
        and before[: 1 + exact] != after[: 1 + exact]
        and (was.get(game), was.get(agent)) == (now[game], now[agent])
    ]
    if not changed:
        return ""
    parts = [versions_of(make_game(game), make_agent(agent)) for game, _, agent in changed]
    common = [part for part in parts[0] if all(part in others for others in parts)]
    names = [" ".join(case) for case in changed]
    return "\n".join(
        (
            f"{len(names)} trees have changed, but no version of theirs has: {', '.join(names[:3])}"
            + (", ..." if len(names) > 3 else ""),
            f"raise the one of what you changed: {', or '.join(map(str, common))}",
        )
    )


def write() -> None:
    """Make the file anew; exits with a message if a version has to be raised first."""
    new = made()
    if problem := unversioned(json.loads(FILE.read_text()), new):
        sys.exit(problem)
    FILE.write_text(json.dumps(new, indent=1) + "\n")


def differing(*, interpret: bool, only: str = "") -> list[str]:
    """Searches whose trees are not those in the file; `only` those whose name contains a text."""
    known = json.loads(FILE.read_text())
    exact = known["arithmetic"] == arithmetic()
    wrong = []
    for game, how, agent in cases():
        if only not in f"{game} {how} {agent}":
            continue
        wanted = known["trees"].get(f"{game} {how}", {}).get(agent)
        pair = digests(game, how, agent, interpret=interpret)
        have = None if pair is None else list(pair)
        if (have or ["", ""])[: 1 + exact] != (wanted or ["", ""])[: 1 + exact]:
            wrong.append(f"{game} {how} {agent}")
    return wrong


if __name__ == "__main__":
    if "--write" in sys.argv:
        write()
    else:
        texts = [text for text in sys.argv[1:] if not text.startswith("--")]
        changed = differing(interpret="--compiled" not in sys.argv, only="".join(texts))
        print("\n".join(changed) or "all trees are the same")
        sys.exit(1 if changed else 0)
