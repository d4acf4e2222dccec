"""All pairs of parts of a search: which there are, and what must be true of their trees.

tests/test_parts.py looks at all pairs interpreted and at some compiled. The command looks at all
pairs compiled, which takes some ten minutes and 4 GB of memory the first time; a text, such as
"solver=on", limits it to agents whose name contains it:

    python -m tests.part_pairs [TEXT]
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from tests.searches import leave_out
from tests.tree_invariants import check_tree
from uctlab.agents import make_agent
from uctlab.agents.notation import parse, written
from uctlab.errors import UsageError
from uctlab.games import Game, Position, make_game
from uctlab.kernels import kernel
from uctlab.mcts.binding import bind_for_threads
from uctlab.mcts.parallel import Team
from uctlab.mcts.parallel_root import shares
from uctlab.mcts.searcher import Searcher
from uctlab.parts.listing import PARTS

EXAMPLES = {part.name: part.example for part in PARTS if part.example}
"""For each part that options switch on, an agent that has it and as little else as possible."""
OTHERS = (
    *("auct(k=2)", "auct(k=auto)", "tuned", "dtuned(k=2)", "bast", "thompson"),
    *("uctmax", "uct(rave=k)", "uct(rave=fuego,distance=on)", "uct(playout=lgrf)"),
    *("uct(expand=0,fpu=1.1)", "uct(backup=max)", "uct(backup=power)"),
)
"""What else agents differ in: rules and options that are no parts."""
FEATURES = tuple(dict.fromkeys((*EXAMPLES.values(), *OTHERS)))
NO_OPTION = frozenset({"one_thread", "final_move", "gpu", "profile", "record_last", "record_moves"})
"""Parts that no option of an agent switches on: the loop itself, devices and instruments."""
SPEED = frozenset(part.name for part in PARTS if part.applies is not None)
"""Parts that change the speed of a search and not its tree."""
MOVES = "b2 c2 c3 b4 a3 d4"
"""To a position near the end of a game, where positions repeat and wins can be proven."""
PLAYOUTS = 40


@kernel
def priors(s, moves, count, worth, weights):
    for i in range(count):
        move = np.int64(moves[i])
        worth[move] = 100_000 * (move * 3 % 10)
        weights[move] = move % 4


@kernel
def trained_priors(s, moves, count, worth, weights):
    for i in range(count):
        move = np.int64(moves[i])
        worth[move] = 100_000 * (move * 7 % 10)
        weights[move] = 2


@kernel
def prune(s, moves, count):
    """All but one cell, unless it is the last one."""
    kept = 0
    for i in range(count):
        if moves[i] != 1 or count == 1:
            moves[kept] = moves[i]
            kept += 1
    return kept


def root_filter(position: Position) -> frozenset[int]:
    return frozenset({2, 3}) & frozenset(position.legal[1:])


@cache
def game(*, interpret: bool) -> Game:
    """Hex with opinions of its moves, so that it has all that parts ask for."""
    return replace(
        make_game("hex:4"),
        name="knowing",
        priors=priors,
        trained_priors=trained_priors,
        prune=prune,
        root_filter=root_filter,
        interpret=interpret,
    )


def pair(one: str, other: str) -> str:
    """The agent that has both; empty if they are the same or set one option otherwise."""
    (kind, options), (other_kind, others) = parse(one), parse(other)
    kinds = {kind, other_kind} - {"uct"} or {"uct"}
    both = options | others
    same = kind == other_kind and both in (options, others)
    return "" if same or len(kinds) > 1 or both != others | options else written(*kinds, both)


PAIRS = {agent: halves for halves in combinations(FEATURES, 2) if (agent := pair(*halves))}
"""Agents with two features, which some refuse, and those that have only one of them."""


def searcher_of(agent: str, *, interpret: bool = True) -> Searcher:
    return Searcher(game(interpret=interpret), make_agent(agent), seed=3)


def grown(searcher: Searcher) -> Searcher:
    searcher.prepare(Position.start(searcher.game).play_all(MOVES), PLAYOUTS)
    searcher.run(PLAYOUTS)
    return searcher


def parts_of(agent: str) -> set[str]:
    searcher = searcher_of(agent)
    several = searcher.agent.option("threads") > 1
    bound = bind_for_threads(searcher.game, searcher.agent) if several else searcher.binding
    return {part.name for part in bound.parts}


def grown_alone(searcher: Searcher) -> Searcher:
    """A search of threads, made by one of them with the random numbers of the plain search."""
    team = Team(bind_for_threads(searcher.game, searcher.agent))
    team._threads = team._threads[:1]
    searcher.tree.grower = team
    searcher.prepare(Position.start(searcher.game).play_all(MOVES), PLAYOUTS)
    team._threads[0].work.rng[:] = searcher.tree.work.rng
    searcher.run(PLAYOUTS)
    return searcher


def repeatable(agent: str, *, interpret: bool = True) -> Searcher:
    """A search by that agent that always builds the same tree: of threads, only one is at work."""
    searcher = searcher_of(agent, interpret=interpret)
    return grown(searcher) if searcher.agent.option("threads") == 1 else grown_alone(searcher)


def without_threads(agent: str) -> str:
    kind, options = parse(agent)
    return written(kind, {k: v for k, v in options.items() if k not in ("threads", "sharing")})


def check_search(searcher: Searcher) -> None:
    """What is true of every search."""
    for tree, share in zip(searcher.trees, shares(PLAYOUTS, len(searcher.trees)), strict=True):
        made = tree.visits
        assert made == share or (made < share and tree.view().proven is not None)
        check_tree(tree, made)
        assert sum(int(tree.nodes[child].visits) for child in tree.view().children(0)) == made
    report = searcher.report()
    assert all(0.0 <= move.value <= 1.0 for move in report.moves if move.visits)


def differences(one: Searcher, other: Searcher) -> set[str]:
    """The fields of nodes in which two searches differ, of those that both have."""
    if len(one.trees) != len(other.trees):
        return {"trees"}
    found = set()
    for ours, theirs in zip(one.trees, other.trees, strict=True):
        rows = [np.asarray(tree.nodes[: tree.used]) for tree in (ours, theirs)]
        names = set(rows[0].dtype.names) & set(rows[1].dtype.names)
        found |= {name for name in names if not np.array_equal(rows[0][name], rows[1][name])}
    return found


def check_pair(agent: str, halves: tuple[str, str]) -> None:
    """Its tree is possible, is the same without threads and without parts for speed, and is that of
    neither half. UsageError if the agent is refused."""
    searcher = repeatable(agent)
    check_search(searcher)
    if searcher.agent.option("threads") > 1:
        check_search(grown(searcher_of(agent)))
    with pytest.MonkeyPatch.context() as patch:
        leave_out(patch, *SPEED)
        slow = repeatable(without_threads(agent))
    assert not differences(searcher, slow)
    for half in map(without_threads, halves):
        other_kind = parse(half)[0] != parse(agent)[0]
        if half != without_threads(agent) and not other_kind:
            alone = _tree_of(half)
            same_fields = slow.binding.node_type == alone.binding.node_type
            assert not same_fields or differences(slow, alone), (
                f"{agent} builds the tree of {half} in {PLAYOUTS} playouts: its other option has "
                "no effect beside it (excludes=), or the example of its part is too weak"
            )


@cache
def _tree_of(agent: str) -> Searcher:
    return repeatable(agent)


def check_refusal(refusal: UsageError, halves: tuple[str, str]) -> None:
    """One line that names what does not go together."""
    text = str(refusal)
    assert "\n" not in text
    for kind, options in map(parse, halves):
        names = {*options, kind} - {"uct"}
        assert any(name in text for name in names), text


def is_accepted(agent: str) -> bool:
    try:
        searcher_of(agent)
    except UsageError:
        return False
    return True


def keeps_parts(both: str, halves: tuple[str, str]) -> bool:
    """Whether a pair has all parts of its halves but those that only change the speed: an operator
    of one's own, for one, needs no part beside sharing=locked."""
    return parts_of(both) >= set().union(*map(parts_of, halves)) - SPEED


def sample(seed: int) -> list[str]:
    """Agents that have every example of a part among them, up to four in each."""
    examples = list(dict.fromkeys(EXAMPLES.values()))
    random.Random(seed).shuffle(examples)
    sizes: dict[str, int] = {}
    for example in examples:
        for agent, size in sizes.items():
            both = pair(agent, example)
            if size < 4 and both and is_accepted(both) and keeps_parts(both, (agent, example)):
                del sizes[agent]
                sizes[both] = size + 1
                break
        else:
            sizes[example] = 1
    return list(sizes)


def compiled_otherwise(agent: str) -> set[str]:
    """The fields in which the compiled tree is another than the interpreted one."""
    return differences(repeatable(agent, interpret=False), repeatable(agent))


def main(text: str) -> None:
    wrong = 0
    wanted = [agent for agent in PAIRS if text in agent and is_accepted(agent)]
    for agent in wanted:
        if found := compiled_otherwise(agent):
            wrong += 1
            print(f"{agent}: {', '.join(sorted(found))}", flush=True)
    print(f"{len(wanted)} pairs, {wrong} of them compiled otherwise")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main("".join(sys.argv[1:]))
