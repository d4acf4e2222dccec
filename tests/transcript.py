"""Everything that a game's kernels compute along some random games, as one text.

Run as a program it takes and prints JSON, the agents of each game and their transcripts, so that a
test can compare processes with and without the compiler.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence

import numpy as np

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.mcts.searcher import Searcher
from uctlab.parts import layout


def transcript(
    spec: str, agents: Sequence[str], *, games: int = 1, plies: int = 40, seed: int = 7
) -> str:
    game = make_game(spec)
    lines = []
    for number in range(games):
        chooser = random.Random(f"{spec} {seed} {number}")
        position = Position.start(game)
        for _ in range(plies):
            lines.append(_facts(position, chooser.getrandbits(30)))
            if position.is_over:
                break
            position = position.play(chooser.choice(position.legal))
    lines += [_tree(Position.start(game), agent) for agent in agents]
    lines.append(f"perft {[Position.start(game).perft(depth) for depth in (1, 2)]}")
    return "\n".join(lines)


def _tree(position: Position, agent: str) -> str:
    """All nodes of a small tree, reached by extending it and by keeping a part of it."""
    searcher = Searcher(position.game, make_agent(agent), seed=3, reuse=True)
    searcher.prepare(position, 100)
    searcher.run(40)
    after = position.play(position.legal[0])
    if not after.is_over:
        searcher.prepare(after, 100)
        searcher.run(20)
    nodes = searcher.tree.nodes[: int(searcher.tree.counters[layout.USED])]
    whole = [nodes[name].tolist() for name in ("visits", "first", "count", "move")]
    real = [
        [f"{value:.9g}" for value in nodes[name]]
        for name in nodes.dtype.names
        if nodes.dtype[name].kind == "f"
    ]
    return f"{agent} {whole} {real}"


def _facts(position: Position, seed: int) -> str:
    facts = [f"turn {position.turn} legal {position.legal} result {position.result}"]
    if position.game.diagram is not None:
        stones = position.stones
        facts.append(str(stones.tolist()))
        again = Position.from_stones(position.game, stones, position.turn)
        facts.append(str(_fields(again.state)))
    facts.append(str(_fields(position.state)))
    for policy in position.game.playouts:
        for trace in (False, True) if policy == "uniform" else (True,):
            sampler = PlayoutSampler(position, seed=seed, policy=policy, trace=trace)
            sample = sampler.run(1)
            facts.append(f"{policy} {sample.result} {sample.length} {sample.first_moves.tolist()}")
    return "; ".join(facts)


def _fields(state: np.record) -> list[object]:
    names = state.dtype.names or ()
    return [np.asarray(state[name]).tolist() for name in names if not name.startswith("scratch")]


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    print(json.dumps({spec: transcript(spec, agents) for spec, agents in asked.items()}))
