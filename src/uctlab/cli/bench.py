"""uctlab bench: measure the speed of playouts, searches, threads and GPUs."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from uctlab.api.progress import progress_bar
from uctlab.bench import playouts as playout_bench
from uctlab.bench import revision as revision_bench
from uctlab.bench import search as search_bench
from uctlab.bench.machine import machine_facts, machine_line
from uctlab.bench.peers import PEERS
from uctlab.bench.playouts import measure_playouts
from uctlab.bench.search import KNOWING, STEPS, SearchSpeed, measure_search
from uctlab.bench.threads import AGENT as THREADS_AGENT
from uctlab.bench.threads import GAMES as THREADS_GAMES
from uctlab.bench.threads import measure_threads, threads_here
from uctlab.cli.arguments import Json, Seed, at_most, print_json
from uctlab.cli.parser import Command, Group
from uctlab.errors import UsageError
from uctlab.example_files import example_file
from uctlab.games import make_game
from uctlab.rules.fields import MAX_VISITS

EXAMPLE = "connect_four"
Games = Annotated[
    list[str] | None,
    typer.Argument(metavar="GAME", help="Games to measure. Default: a few of each kind."),
]
Playouts = Annotated[
    int, typer.Option(min=1, max=MAX_VISITS, metavar="N", help="Playouts per search.")
]
Speed = TypeVar("Speed")

app = typer.Typer(cls=Group, help="Measure speed; without a subcommand, playouts and search.")


@app.callback(invoke_without_command=True)
def playouts_and_search(
    context: typer.Context,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="COMMIT",
            help="Measure an earlier commit beside this version, in turns; needs a git checkout.",
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="--compare: only rows that contain this text."),
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="--compare: measurements per row.")
    ] = revision_bench.ROUNDS,
    json: Annotated[bool, typer.Option("--json", help="--compare: print JSON.")] = False,
) -> None:
    if compare is not None and context.invoked_subcommand is not None:
        raise UsageError("--compare goes with no subcommand: uctlab bench --compare COMMIT")
    if compare is not None:
        compare_with(compare, only, rounds, json)
    elif context.invoked_subcommand is None:
        playouts(None)
        search(None)


@app.command("playouts", cls=Command)
def playouts(
    games: Games = None,
    seconds: Annotated[float, typer.Option(metavar="S", help="CPU seconds per game.")] = 2.0,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Random games per CPU second from the start position, one thread."""
    at_most("--seconds", seconds, 3600)
    speeds = _measure(
        "playouts",
        games or _with_example(playout_bench.GAMES),
        lambda name: measure_playouts(name, seconds=seconds, seed=seed),
    )
    title = "Random games per CPU second, one thread; mean length; score of the first player"
    table = _table(title, "games/s", "length", "first", "signature")
    for speed in speeds:
        numbers = f"{speed.per_second:,.0f}", f"{speed.length:.1f}", f"{100 * speed.result:.1f} %"
        table.add_row(speed.game, *numbers, speed.signature)
    _report({"seed": seed, "playouts": speeds}, json, table)


@app.command("search", cls=Command)
def search(
    games: Games = None,
    playouts: Playouts = 50_000,
    against: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Other programs to measure: openspiel,rust-reversi."),
    ] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Simulations per CPU second from the start position, one thread, for uct and other agents."""
    peers = [] if against is None else _peers(against)
    names = games or _with_example(search_bench.GAMES)
    speeds = _measure(
        "searches", names, lambda name: measure_search(name, playouts=playouts, seed=seed)
    )
    others: dict[str, dict[str, float | None]] = {
        peer: {speed.game: PEERS[peer][1](speed.game) for speed in speeds} for peer in peers
    }
    tables = [_search_table(speeds)]
    if any(KNOWING in speed.per_second for speed in speeds):
        tables.append(_table(f"Simulations per CPU second of {KNOWING}", "simulations/s"))
        for speed in speeds:
            if KNOWING in speed.per_second:
                tables[-1].add_row(speed.game, f"{speed.per_second[KNOWING]:,.0f}")
    tables.append(_table("Where uct's time goes, in %", *STEPS))
    for speed in speeds:
        tables[-1].add_row(speed.game, *(f"{100 * speed.steps[step]:.0f}" for step in STEPS))
    if others:
        tables.append(_peer_table(speeds, others))
    _report({"seed": seed, "search": speeds, "against": others}, json, *tables)


@app.command("threads", cls=Command)
def threads(
    games: Games = None,
    agent: Annotated[
        str, typer.Option("--agent", metavar="AGENT", help="The agent that searches.")
    ] = THREADS_AGENT,
    numbers: Annotated[
        str | None,
        typer.Option(
            "--threads",
            metavar="N,N,...",
            help="Thread counts. Default: 1,2,4,... up to the cores.",
        ),
    ] = None,
    playouts: Playouts = 200_000,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Simulations per second of wall time when several threads search one tree."""
    wanted = threads_here() if numbers is None else _numbers(numbers)
    speeds = [
        speed
        for game in _measure(
            "searches",
            games or list(THREADS_GAMES),
            lambda name: measure_threads(
                name, threads=wanted, playouts=playouts, seed=seed, agent=agent
            ),
        )
        for speed in game
    ]
    title = (
        f"Simulations per second of wall time, {agent}; CPU ratio: per CPU second of all threads"
    )
    table = _table(title, "sharing", "threads", "simulations/s", "ratio", "CPU ratio")
    for speed in speeds:
        how = speed.sharing or "one thread", str(speed.threads), f"{speed.per_second:,.0f}"
        table.add_row(speed.game, *how, f"{speed.ratio:.2f}", f"{speed.efficiency:.2f}")
    facts = {"seed": seed, "agent": agent, "playouts": playouts, "threads": speeds}
    _report(facts, json, table)


def compare_with(commit: str, only: str | None, rounds: int, json: bool) -> None:
    """Measure this version and an earlier one in turns, row by row, with a verdict for each."""
    tasks = tuple(task for task in revision_bench.TASKS if only is None or only in str(task))
    if not tasks:
        known = ", ".join(map(str, revision_bench.TASKS))
        raise UsageError(f"--only '{only}' fits no row; rows: {known}")
    rows = []
    with revision_bench.sources_of(commit) as old, progress_bar() as bar:
        work = bar.add_task(f"{commit} and this version", total=len(tasks))
        here = revision_bench.these_sources()
        for row in revision_bench.compare(old, here, tasks, rounds):
            rows.append(row)
            bar.advance(work)
    table = _table(
        f"Playouts per CPU second of {commit} and this version, best of {rounds} rounds in turns; "
        "speed as a multiple of the old one, in the rounds mostly between the next two",
        *("old/s", "new/s", "speed", "from", "to", "verdict"),
    )
    for row in rows:
        numbers = [""] * 5
        if row.old is not None:
            numbers = [f"{row.old:,.0f}", f"{row.new:,.0f}"]
            numbers += [f"{ratio:.3f}" for ratio in (row.ratio, row.low, row.high)]
        table.add_row(row.task, *numbers, row.verdict)
    _report({"commit": commit, "rounds": rounds, "compare": rows}, json, table)


def _numbers(text: str) -> list[int]:
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 1:
        raise UsageError(f"--threads takes positive whole numbers, such as 1,2,4; not '{text}'")
    return numbers


@app.command("cuda", cls=Command)
def cuda(
    games: Games = None,
    number: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="Number of games searched at once.")
    ] = 14_000,
    playouts: Playouts = 10_000,
    agent: Annotated[
        str | None,
        typer.Option(metavar="AGENT", help="The agent that searches. Default: uct(expand=10)."),
    ] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Simulations per second of many games at once on a GPU, one game per thread."""
    from uctlab.devices import cuda_bench  # noqa: PLC0415 (numba-cuda is slow to load)
    from uctlab.devices.cuda_driver import gpu_name, require_gpu  # noqa: PLC0415 (likewise)

    require_gpu()
    agent = cuda_bench.AGENT if agent is None else agent
    speeds = _measure(
        "searches",
        games or list(cuda_bench.GAMES),
        lambda name: cuda_bench.measure_cuda(
            name, agent=agent, games=number, playouts=playouts, seed=seed
        ),
    )
    title = f"Simultaneous searches of {playouts:,} playouts each, {agent}"
    table = _table(title, "games", "simulations/s")
    for speed in speeds:
        table.add_row(speed.game, f"{speed.games:,}", f"{speed.per_second:,.0f}")
    _report({"seed": seed, "cuda": speeds}, json, table, gpu=gpu_name())


def _measure(what: str, names: list[str], work: Callable[[str], Speed]) -> list[Speed]:
    """Measure one game after the other, with a progress bar."""
    for name in names:
        make_game(name)  # report mistakes before the work begins
    speeds = []
    with progress_bar() as bar:
        task = bar.add_task(what, total=len(names))
        for name in names:
            bar.update(task, description=f"{what} of {name}")
            speeds.append(work(name))
            bar.advance(task)
    return speeds


def _with_example(games: Sequence[str]) -> list[str]:
    return [*games, str(example_file(EXAMPLE))]


def _peers(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in PEERS:
            raise UsageError(f"unknown program '{name}'; known: {', '.join(PEERS)}")
    here = [name for name in names if importlib.util.find_spec(PEERS[name][0]) is not None]
    for name in names:
        if name not in here:
            print(f"{name} is not installed; skipped", file=sys.stderr)
    return here


def _report(facts: dict[str, Any], json: bool, *tables: Table, gpu: str = "") -> None:
    """Print the facts with the machine as JSON, speeds as objects; or the tables."""
    machine = machine_facts(gpu)
    if json:
        written = {
            name: [asdict(speed) for speed in fact] if isinstance(fact, list) else fact
            for name, fact in facts.items()
        }
        print_json({"machine": machine, **written})
        return
    for table in tables:
        Console().print(table)
    print(machine_line(machine))


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, box=None, pad_edge=False, title_justify="left")
    table.add_column("game", overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", overflow="fold")  # never cut off numbers
    return table


def _search_table(speeds: list[SearchSpeed]) -> Table:
    agents = search_bench.AGENTS[1:]
    title = "Simulations per CPU second of uct; other agents as multiples of it"
    table = _table(title, "uct/s", *agents, "signature")
    for speed in speeds:
        ratios = (f"{speed.ratio[agent]:.2f}" for agent in agents)
        table.add_row(speed.game, f"{speed.per_second['uct']:,.0f}", *ratios, speed.signature)
    return table


def _peer_table(speeds: list[SearchSpeed], others: dict[str, Any]) -> Table:
    headings = [text for peer in others for text in (f"{peer}/s", "uct is x")]
    table = _table("Other programs on this machine, simulations per CPU second", *headings)
    for speed in speeds:
        cells: list[str] = []
        for rates in others.values():
            rate = rates[speed.game]
            cells += [f"{rate:,.0f}", f"{speed.per_second['uct'] / rate:.1f}"] if rate else ["", ""]
        table.add_row(speed.game, *cells)
    return table
