"""The report of a search, as small frozen objects that print well."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from uctlab.drawing import board_svg, html
from uctlab.drawing.style import BLUE, INK, plotted
from uctlab.frames import make_frame
from uctlab.games.position import Position
from uctlab.parts.listing import PARTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from uctlab.mcts.grown import GrownTree

SHOWN = 12  # moves in the table
COLUMNS = frozenset(
    {"velocity", "discounted_visits"} | {name for part in PARTS for name in part.columns}
)
"""What may be known of a move by uctlab's operators and parts."""


@dataclass(frozen=True)
class MoveReport:
    """One move at the root. Values are for the player to move, 0 to 1.

    Examples:
        >>> first = uctlab.search("hex:4", "uct", playouts=500, seed=1).moves[0]
        >>> first.visits, 0 < first.value < 1
        (49, True)
    """

    move: str
    visits: int
    value: float | None
    """Mean result, or its accelerated or discounted form; None before the first visit."""
    columns: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What the backup operator and the parts of the search know of the move, by name. Each is an
    attribute as well, such as `move.velocity`: None where there is none."""
    letter: str | None = None
    """The letter of the cell in the paper, in a named position."""
    truth: str | None = None
    """The solver's verdict on the move, if it was asked: wins, draws or loses."""

    def __getattr__(self, name: str) -> Any:
        if name in COLUMNS or name in vars(self).get("columns", ()):
            return self.columns.get(name)
        raise AttributeError(f"a MoveReport has no {name!r}")

    def facts(self) -> dict[str, Any]:
        """All that is known of the move, by name; None where nothing is."""
        known = {"move": self.move, "visits": self.visits, "value": self.value}
        return {**known, **self.columns, "letter": self.letter, "truth": self.truth}

    def __repr__(self) -> str:
        facts = (f"{k}={v!r}" for k, v in self.facts().items() if v is not None)
        return f"MoveReport({', '.join(facts)})"


@dataclass(frozen=True, repr=False)
class SearchReport:
    """The outcome of one search: the best move, all moves, and the tree.

    It prints as text, and shows the board with the shares of the visits in notebooks.

    Examples:
        >>> report = uctlab.search("hex:4", "uct", playouts=500, seed=1)
        >>> report.best == report.moves[0].move == report.pv[0]
        True
    """

    game: str
    agent: str
    best: str
    won: bool
    """Whether the best move ends the game with a win, which needs no statistics."""
    moves: tuple[MoveReport, ...]
    """Moves at the root, the most visited first."""
    pv: tuple[str, ...]
    """Principal variation: the best move, then the most visited answers."""
    playouts: int
    """Playouts of this search, without those of a reused tree."""
    seconds: float
    """Wall time of the search alone, without compilation."""
    nodes: int
    depth: int
    """Moves from the root to the deepest node."""
    full: bool
    """Whether the tree ran out of room for nodes."""
    memory: int
    """Size of the tree's nodes in bytes."""
    reused: int
    """Visits to the root that were kept from earlier searches."""
    stopped: bool
    """Whether the search was interrupted before its budget was spent."""
    seed: int
    proven: str | None = None
    """win, draw or loss for the player to move, if the search has proven the position;
    it then ended without spending the rest of its budget."""
    trees: int = 1
    """Number of trees whose roots were added up: root= of the agent, or those of a GPU."""
    position: Position | None = field(default=None, repr=False, compare=False)
    """What was searched, to show it; not in JSON and not in a pickle, which must stay small."""
    tree: GrownTree | None = field(default=None, repr=False, compare=False)
    """The tree, as long as its searcher does not search on; None if there are several. Not in
    JSON and not in a pickle either."""

    @property
    def playouts_per_second(self) -> float:
        return self.playouts / self.seconds if self.seconds > 0 else 0.0

    def best_but(self, left_out: Container[str]) -> MoveReport | None:
        """The most visited move that is none of those; None if there is none."""
        return next((move for move in self.moves if move.move not in left_out), None)

    def as_json(self) -> dict[str, Any]:
        facts = asdict(replace(self, position=None, tree=None))
        del facts["position"], facts["tree"]
        facts["moves"] = [
            {k: v for k, v in move.facts().items() if v is not None or k == "value"}
            for move in self.moves
        ]
        facts["pv"] = list(self.pv)
        facts["playouts_per_second"] = self.playouts_per_second
        return facts

    def to_frame(self) -> Any:
        """The moves at the root as a pandas data frame, the most visited first.

        Examples:
            >>> frame = uctlab.search("hex:4", "uct", playouts=500, seed=1).to_frame()
            >>> list(frame.columns), len(frame)
            (['move', 'visits', 'value'], 16)
        """
        rows = [move.facts() for move in self.moves]
        columns = [name for name in rows[0] if any(row[name] is not None for row in rows)]
        return make_frame(({name: row[name] for name in columns} for row in rows), columns)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the share of the visits and the value of the leading moves as bars.

        Args:
            ax: Where to draw; a new figure if not given.

        Returns:
            The axes.
        """
        shown = self.moves[:SHOWN]
        visits = max(1, sum(move.visits for move in self.moves))

        def draw(axes: Axes) -> None:
            places = range(len(shown))
            shares = [100 * move.visits / visits for move in shown]
            values = [100 * move.value if move.value is not None else math.nan for move in shown]
            axes.bar(places, shares, color=BLUE, width=0.7, label="share of the visits")
            axes.plot(places, values, "o", color=INK, markersize=5, label="value")
            axes.set_xticks(list(places), [move.move for move in shown])
            axes.set_title(f"{self.game}, {self.agent}, {self.playouts:,} playouts")
            axes.set_ylabel("%")
            axes.set_ylim(0, 100)
            axes.grid(axis="y")
            axes.legend()

        return plotted(draw, ax, (6.4, 3.6))

    def __str__(self) -> str:
        lines = ["  ".join(f"{cell:>12}" for cell in row) for row in self._table()]
        if len(self.moves) > SHOWN:
            lines.append(f"  and {len(self.moves) - SHOWN} more moves")
        return "\n".join([*lines, *self._sentences()])

    def __repr__(self) -> str:
        return str(self)

    def _table(self) -> list[list[str]]:
        """The most visited moves, below a row of titles."""
        columns = ["move", "letter", "truth", "visits", "value", *self.moves[0].columns]
        facts = [move.facts() for move in self.moves]
        used = [name for name in columns if any(row[name] is not None for row in facts)]
        titles = {"discounted_visits": "disc. visits"}
        rows = [[_cell(row[name]) for name in used] for row in facts[:SHOWN]]
        return [[titles.get(name, name) for name in used], *rows]

    def _sentences(self) -> list[str]:
        """What there is to say below the table."""
        letters = {move.move: f" ({move.letter})" for move in self.moves if move.letter}
        best, *line = (move + letters.get(move, "") for move in (self.best, *self.pv))
        lines = [
            f"best {best}" + (" (wins at once)" if self.won else ""),
            "principal variation: " + " ".join(line),
            f"{self.playouts:,} playouts in {self.seconds:.2f} s, "
            f"{self.playouts_per_second:,.0f} per second; "
            f"{self.nodes:,} nodes, {self.memory / 2**20:.1f} MiB, depth {self.depth}"
            + (f", {self.trees:,} trees" if self.trees > 1 else ""),
        ]
        if self.proven:
            lines.append(f"proven: a {self.proven} for the player to move, so the search ended")
        if self.reused:
            lines.append(f"the tree had {self.reused:,} visits from earlier searches")
        if self.full:
            lines.append("the tree is full: some nodes could not be expanded")
        if self.stopped:
            lines.append("the search was stopped early")
        return lines

    def _repr_html_(self) -> str:
        """The board with each move's share of the visits in percent, and the table of moves."""
        board = ""
        if self.position is not None:
            visits = max(1, sum(move.visits for move in self.moves))
            heat = {move.move: move.visits / visits for move in self.moves if move.visits}
            board = board_svg(
                self.position,
                heat=heat,
                numbers={
                    name: f"{100 * share:.0f}" for name, share in heat.items() if share >= 0.005
                },
                marks={move.move: move.letter for move in self.moves if move.letter},
            )
        titles, *rows = self._table()
        left_out = len(self.moves) - SHOWN
        more = [f"and {left_out} more moves"] if left_out > 0 else []
        return html.beside(
            board,
            html.table(titles, rows, f"{self.game}, {self.agent}"),
            below=[*more, *self._sentences()],
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "position": None, "tree": None}


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return f"{value:,}" if isinstance(value, int) else value or ""
