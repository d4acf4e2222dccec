"""GTP commands that report a search while it runs, in the styles of Leela Zero and KataGo.

A line holds all moves, the best first. Both styles give visits, the expected result for the player
to move, its lower confidence bound and the line of play. Leela Zero's results go up to 10000,
KataGo's to 1. Points are not reported, since the search does not count them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.mcts.budget import SearchStopped
from uctlab.mcts.report import MoveReport
from uctlab.mcts.resigning import upper_bound
from uctlab.protocol.gtp_engine import Engine
from uctlab.protocol.gtp_line import quoted, whole_number
from uctlab.protocol.gtp_session import Command, Session

Style = Literal["lz", "kata"]

DEFAULT_INTERVAL = 1.0  # seconds
SHORTEST_INTERVAL = 0.01  # seconds
MAX_MOVES = 50  # per line, unless maxmoves asks for another number

LIMITS = ("avoid", "allow")
# What KataGo can report besides, and what programs for it ask for; left out here.
IGNORED = (
    *("ownership", "ownershipstdev", "movesownership", "movesownershipstdev"),
    *("pvvisits", "pvedgevisits", "rootinfo", "noresultvalue"),
)


@dataclass(frozen=True)
class Wanted:
    """What a controller asks to be sent."""

    player: int
    interval: float
    """Seconds between two lines."""
    fewest: int
    """Moves per line: at least this many, visited or not, and at most this many."""
    most: int
    left_out: frozenset[int]
    """Moves that the search does without at its root."""


class Reporter:
    """Sends a line every so often."""

    def __init__(self, session: Session, wanted: Wanted, style: Style) -> None:
        self._session = session
        self._wanted = wanted
        self._style = style
        self._next = wanted.interval
        self.due = False
        """Whether there is something new since the last line."""

    def __call__(self, made: int, spent: float) -> None:
        self.due = True
        if spent >= self._next:
            self.tell()
            self._next = spent + self._wanted.interval

    def tell(self) -> None:
        line = info_line(self._session.engine, self._wanted, self._style)
        if line:  # an empty one would end the answer
            self._session.stream(line)
        self.due = False


def info_line(engine: Engine, wanted: Wanted, style: Style) -> str:
    """All moves of the running search in one line."""
    report = engine.searcher.report()
    moves = sorted(report.moves, key=lambda move: move.move != report.best)  # the best first
    visited = sum(move.visits > 0 for move in moves)
    shown = moves[: min(wanted.most, max(wanted.fewest, visited))]
    return " ".join(_info(engine, move, order, style) for order, move in enumerate(shown))


def _info(engine: Engine, move: MoveReport, order: int, style: Style) -> str:
    value = 0.5 if move.value is None else move.value
    # Not the normal interval, which has no width after one playout.
    lowest = max(0.0, 1 - float(upper_bound(1 - value, move.visits)))
    line = engine.searcher.variation(move.move)
    pv = " ".join(engine.names.vertex(name) for name in line)
    head = f"info move {engine.names.vertex(move.move)} visits {move.visits}"
    if style == "lz":
        figures = f"winrate {value * 10000:.0f} prior 0 lcb {lowest * 10000:.0f}"
    else:
        figures = (
            f"utility {2 * value - 1:.6f} winrate {value:.6f} prior 0 "
            f"lcb {lowest:.6f} utilityLcb {2 * lowest - 1:.6f}"
        )
    return f"{head} {figures} order {order} pv {pv}"


def _analyze(session: Session, arguments: list[str], *, style: Style) -> str:
    """Goes on until the next line arrives, which is answered afterwards."""
    wanted = _read(session, arguments)
    report = Reporter(session, wanted, style)

    def watch(made: int, spent: float) -> None:
        report(made, spent)
        if session.waiting():
            if report.due:
                report.tell()
            raise SearchStopped

    session.engine.observe(wanted.player, watch, wanted.left_out)
    return ""


def _genmove_analyze(session: Session, arguments: list[str], *, style: Style) -> str:
    """A move within the usual budget, with reports on the way."""
    wanted = _read(session, arguments)
    report = Reporter(session, wanted, style)
    move = session.engine.genmove(wanted.player, report, wanted.left_out)
    if report.due:
        report.tell()
    session.stream(f"play {move}")
    return ""


def _read(session: Session, arguments: list[str]) -> Wanted:
    """A color, an interval, and keys with their values, in any order, as in Leela Zero.

    `avoid` and `allow` take a color, vertices with commas between them, and until which depth: they
    hold for the move that is searched for, and not below it.
    """
    engine = session.engine
    player = engine.board.position.turn
    numbers = {"interval": -1, "minmoves": 0, "maxmoves": MAX_MOVES}
    limits: list[tuple[str, int, frozenset[int]]] = []
    words = iter(arguments)
    for word in words:
        key = word.lower()
        if key in ("b", "w", "black", "white"):
            player = engine.names.player(key)
        elif key.isdecimal():
            numbers["interval"] = whole_number(key)
        elif key in LIMITS:
            limits.append((key, *_read_limit(session, key, words)))
        elif key not in numbers and key not in IGNORED:
            accepted = ", ".join([*numbers, *LIMITS, *IGNORED])
            raise UsageError(f"syntax error: '{quoted(key)}'; accepted: {accepted}")
        elif (value := next(words, None)) is None:
            raise UsageError(f"syntax error: {key} needs a value")
        elif key in numbers:
            numbers[key] = whole_number(value)
    interval = numbers["interval"] / 100 if numbers["interval"] >= 0 else DEFAULT_INTERVAL
    return Wanted(
        player=player,
        interval=max(interval, SHORTEST_INTERVAL),
        fewest=numbers["minmoves"],
        most=numbers["maxmoves"],
        left_out=_left_out(engine.game, player, limits),
    )


def _read_limit(session: Session, key: str, words: Iterator[str]) -> tuple[int, frozenset[int]]:
    """Whose moves, and which."""
    colour, vertices, depth = (next(words, "") for _ in range(3))
    if not depth:
        raise UsageError(f"syntax error: {key} needs a color, vertices (as A1,B2) and a depth")
    whole_number(depth)
    names = session.engine.names
    return names.player(colour), frozenset(names.move(name) for name in vertices.split(","))


def _left_out(
    game: Game, player: int, limits: list[tuple[str, int, frozenset[int]]]
) -> frozenset[int]:
    left_out: frozenset[int] = frozenset()
    for key, whose, moves in limits:
        if whose == player:
            everything = frozenset(range(len(game.move_names)))
            left_out |= moves if key == "avoid" else everything - moves
    return left_out


_TAKES = "[color] [interval] ..."
ANALYSIS_COMMANDS = {
    "lz-analyze": Command(partial(_analyze, style="lz"), _TAKES, thinks=True),
    "kata-analyze": Command(partial(_analyze, style="kata"), _TAKES, thinks=True),
    "genmove_analyze": Command(partial(_genmove_analyze, style="lz"), _TAKES, thinks=True),
    "lz-genmove_analyze": Command(partial(_genmove_analyze, style="lz"), _TAKES, thinks=True),
    "kata-genmove_analyze": Command(partial(_genmove_analyze, style="kata"), _TAKES, thinks=True),
}
