"""uctlab gtp: an agent for GoGui, Sabaki, HexGui, and whatever else speaks GTP."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from uctlab.agents import make_agent, with_threads
from uctlab.cli.arguments import AgentName, Memory, PlayoutBudget, Seed, Threads, TimeBudget
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.mcts.searcher import check_budget
from uctlab.protocol.gtp_engine import Engine, EngineOptions
from uctlab.protocol.gtp_loop import serve


def gtp(
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="The game before a controller says more.")
    ] = "go:9",
    agent: AgentName = "uct",
    playouts: PlayoutBudget = None,
    seconds: TimeBudget = None,
    threads: Threads = None,
    resign: Annotated[
        float,
        typer.Option(
            metavar="P", help="Resign when two searches in a row expect less than P %; 0: never."
        ),
    ] = 5.0,
    early: Annotated[
        bool,
        typer.Option("--early/--no-early", help="End a search whose leader cannot be overtaken."),
    ] = True,
    reuse: Annotated[
        bool, typer.Option("--reuse/--no-reuse", help="Keep the tree from move to move.")
    ] = True,
    memory: Memory = 1024,
    seed: Seed = 0,
) -> None:
    """Speak GTP on standard input and output.

    A search ends with the first budget that is spent, the clock's included, if a controller sets
    one; without any budget it takes 5 seconds.
    """
    if playouts is not None or seconds is not None:
        check_budget(playouts, seconds)
    if not 0 <= resign <= 100:
        raise UsageError(f"--resign must be a percentage from 0 to 100, not {resign:g}")
    options = EngineOptions(
        playouts=playouts,
        seconds=seconds,
        resign=resign / 100,
        early=early,
        reuse=reuse,
        seed=seed,
        memory=memory * 2**20,
    )
    engine = Engine(make_game(game), make_agent(with_threads(agent, threads)), options)
    try:
        serve(engine, sys.stdin.fileno(), _write)
    except BrokenPipeError:  # the controller is gone; nothing is to be written at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
