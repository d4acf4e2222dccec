"""uctlab warm: compile games and searches ahead of time."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.kernels.seldom import compiling_at_once
from uctlab.mcts.searcher import Searcher

DEFAULT_GAMES = ["othello", "hex:11", "havannah:8", "go:9"]


def warm(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME", help=f"Games to compile. Default: {', '.join(DEFAULT_GAMES)}."
        ),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agent", metavar="AGENT", help="Agent to compile; may be repeated. Default: uct."
        ),
    ] = None,
) -> None:
    """Compile games and searches now, so that later commands start quickly."""
    with compiling_at_once():
        for name in games or DEFAULT_GAMES:
            begin = time.perf_counter()
            game = make_game(name)
            position = Position.start(game)
            position.play(position.legal[0]).perft(1)
            game.kernels.result(position.state)
            if game.diagram is not None:
                Position.from_stones(game, position.stones, position.turn)
            for policy in game.playouts:
                for trace in (False, True):
                    PlayoutSampler(position, seed=0, policy=policy, trace=trace).run(1)
            for agent in agents or ["uct"]:
                Searcher(game, make_agent(agent), reuse=True).search(position, playouts=1)
            print(f"{game.name}: ready after {time.perf_counter() - begin:.1f} s")
