"""Arguments and options that several subcommands share, and small helpers for them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from uctlab.errors import UsageError
from uctlab.rules.fields import MAX_VISITS

if TYPE_CHECKING:  # NumPy is slow to load
    from uctlab.games import Game, Position

GAMES = "othello, hex:11, havannah:8, go:9,komi=7.5, kalah, deceptive, or the path of a .py file"
GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"{GAMES}.")]
Moves = Annotated[
    str, typer.Option("--moves", metavar="MOVES", help='Moves to play first, such as "f5 d6 c3".')
]
PositionFile = Annotated[
    str | None,
    typer.Option(
        "--position",
        metavar="FILE",
        help="Start from this position: an .sgf file, a text diagram, - for standard input, or "
        "browne2013 (hex:5).",
    ),
]
AgentName = Annotated[
    str,
    typer.Option(
        "--agent",
        metavar="AGENT",
        help='An agent such as "auct(k=3,expand=10)"; see uctlab agents.',
    ),
]
OptionalAgent = Annotated[
    str | None,
    typer.Option(
        "--agent",
        metavar="AGENT",
        help='An agent such as "auct(k=3)"; see uctlab agents. Default: uct.',
    ),
]
PlayoutBudget = Annotated[
    int | None,
    typer.Option("--playouts", min=1, max=MAX_VISITS, metavar="N", help="Playouts per search."),
]
TimeBudget = Annotated[
    float | None, typer.Option("--seconds", metavar="S", help="Seconds per search.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help="Search threads, usually one per core; the same as threads=N in the agent.",
    ),
]
Games = Annotated[int, typer.Option("--games", min=1, metavar="N", help="Games per match.")]
MovePlayouts = Annotated[
    int | None,
    typer.Option(
        "--playouts",
        min=1,
        max=MAX_VISITS,
        metavar="N",
        help="Playouts per move. Our agents need this, --seconds or both.",
    ),
]
MoveSeconds = Annotated[
    float | None, typer.Option("--seconds", metavar="S", help="Seconds per move, likewise.")
]
DeviceName = Annotated[
    str,
    typer.Option(
        "--device",
        metavar="DEVICE",
        help="Where games run: cpu, cuda (all GPUs of this machine), ray (a cluster on this "
        "machine) or ray:ADDRESS.",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        help="Games to run at once. Default: the number of cores. With threads=N in the agents, "
        "use cores / N.",
    ),
]
StoreFile = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help="Save every game in this SQLite file, and continue where an earlier run stopped.",
    ),
]
MixVersions = Annotated[
    bool,
    typer.Option(
        "--mix-versions",
        help="Continue a store although the version of uctlab that began it had, or may have had, "
        "other kernels.",
    ),
]


def _openings(text: str) -> int | str:
    """A number of random moves, or the name of a file."""
    if not re.fullmatch("-?[0-9]+", str(text)):
        return text
    if int(text) < 0:
        raise UsageError(f"--openings takes a number of moves, at least 0, or a file, not {text}")
    return int(text)


Openings = Annotated[
    Any,
    typer.Option(
        "--openings",
        parser=_openings,
        metavar="N|FILE",
        help="Start with N random moves, the same for both games of a pair; or with the games of "
        "an SGF, WTHOR (.wtb), GGF or text file, one for each pair: games.wtb:8 is the first 8 "
        "moves of each.",
    ),
]
Reuse = Annotated[bool, typer.Option("--reuse", help="Keep the tree from move to move.")]
Resign = Annotated[
    float,
    typer.Option(
        "--resign",
        metavar="P",
        help="Our agents resign when two searches in a row expect less than P %. 0: never.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Seed = Annotated[
    int, typer.Option("--seed", min=0, metavar="N", help="Random seed, for repeatable runs.")
]
Trust = Annotated[
    bool,
    typer.Option("--trust", help="Run the Python files that the loaded file names, if any."),
]
Memory = Annotated[
    int, typer.Option("--memory", min=1, metavar="M", help="Memory limit of a tree, in MiB.")
]


def position_of(game: Game, moves: str, position_file: str | None) -> Position:
    """The position that --position and --moves describe together."""
    from uctlab.games import Position  # noqa: PLC0415 (NumPy is slow to load)
    from uctlab.protocol.files import read_position  # noqa: PLC0415 (likewise)

    if position_file is None:
        return Position.start(game).play_all(moves)
    return read_position(game, position_file).play_all(moves)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


def at_most(name: str, value: float, limit: float) -> None:
    if not 0 < value <= limit:
        raise UsageError(f"{name} must be more than 0 and at most {limit:g}, not {value:g}")
