"""uctlab: a laboratory for Monte-Carlo tree search in two-player games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uctlab.agents import Agent
    from uctlab.games import Game, Position
    from uctlab.mcts.report import SearchReport

__version__ = "0.1.0"


def search(
    game: Game | str,
    position: Position | str | None,
    agent: Agent | str,
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    memory: int = 2**30,
) -> SearchReport:
    """Search one position.

    `position` is a Position, moves such as "f5 d6", or nothing for the start; `memory` limits the
    tree, in bytes. The search ends with the first budget that is spent, or with Ctrl-C.

        print(uctlab.search("othello", "f5 d6", "auct(k=3)", playouts=50_000, seed=1))
    """
    from uctlab.agents import make_agent  # noqa: PLC0415 (Numba takes its time to load)
    from uctlab.games import Position, make_game  # noqa: PLC0415
    from uctlab.mcts.searcher import Searcher  # noqa: PLC0415

    rules = make_game(game) if isinstance(game, str) else game
    if not isinstance(position, Position):
        position = Position.start(rules).play_all(position or "")
    who = make_agent(agent) if isinstance(agent, str) else agent
    searcher = Searcher(rules, who, seed=seed, memory=memory)
    return searcher.search(position, playouts=playouts, seconds=seconds)
