"""uctlab gtp: run an agent as a GTP engine for GoGui, Sabaki, HexGui and other programs."""

from __future__ import annotations

import os
import select
import sys
from typing import Annotated

import typer

from uctlab.agents import make_agent, with_threads
from uctlab.cli.arguments import AgentName, Memory, PlayoutBudget, Seed, Threads, TimeBudget
from uctlab.games import make_game
from uctlab.mcts.budget import Budget
from uctlab.mcts.resigning import check_limit
from uctlab.protocol.gtp_engine import Client, Engine, EngineOptions
from uctlab.protocol.gtp_loop import serve


def gtp(
    game: Annotated[
        str,
        typer.Option("--game", metavar="GAME", help="Game until the controller changes it."),
    ] = "go:9",
    agent: AgentName = "uct",
    playouts: PlayoutBudget = None,
    seconds: TimeBudget = None,
    threads: Threads = None,
    resign: Annotated[
        float,
        typer.Option(
            metavar="P", help="Resign when two searches in a row expect less than P %. 0: never."
        ),
    ] = 5.0,
    early: Annotated[
        bool,
        typer.Option("--early/--no-early", help="Stop when the best move cannot be overtaken."),
    ] = True,
    reuse: Annotated[
        bool, typer.Option("--reuse/--no-reuse", help="Keep the tree from move to move.")
    ] = True,
    client: Annotated[
        Client,
        typer.Option(
            metavar="PROGRAM",
            help="gogui: cells are named as in Go from the start, for gogui-twogtp; lizzie: the "
            "version is that of Leela Zero whose commands these are.",
        ),
    ] = "auto",
    hexagons: Annotated[
        bool,
        typer.Option(
            "--hexagons/--no-hexagons",
            help="Let GoGui draw Hex and Havannah as hexagons; versions before 1.6 cannot.",
        ),
    ] = True,
    memory: Memory = 1024,
    seed: Seed = 0,
) -> None:
    """Speak GTP on standard input and output.

    A search ends when the first of its budgets is spent: playouts, seconds, or the clock that the
    controller sets. Without a budget a search takes 5 seconds.
    """
    if playouts is not None or seconds is not None:
        Budget(playouts, seconds)  # reports a mistake at once
    check_limit("--resign", resign)
    options = EngineOptions(
        playouts=playouts,
        seconds=seconds,
        resign=resign / 100,
        early=early,
        reuse=reuse,
        seed=seed,
        client=client,
        hexagons=hexagons,
        memory=memory * 2**20,
    )
    engine = Engine(make_game(game), make_agent(with_threads(agent, threads)), options)
    try:
        serve(engine, sys.stdin.fileno(), _write, _listened)
        if engine.compiling:  # nobody waits for it, and it cannot be stopped otherwise
            os._exit(0)
    except BrokenPipeError:  # the controller is gone; write nothing at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _listened() -> bool:
    """Whether the other end of standard output is still open."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return not poll.poll(0)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
