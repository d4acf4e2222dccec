"""The course of a search: every move's visits and values at each look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from uctlab.drawing.style import COLOURS, SOFT, plotted
from uctlab.errors import UsageError
from uctlab.frames import make_frame
from uctlab.mcts.view import TreeView

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 6  # moves in a plot that have a colour of their own


class History:
    """Visits and values of all moves at the root, one row for each look at a live search.

    Examples:
        >>> with uctlab.Searcher("hex:4", "uct", seed=1).start() as search:
        ...     for snapshot in search.every(100, playouts=500):
        ...         pass
        >>> search.history.playouts
        array([100, 200, 300, 400, 500])
        >>> search.history.visits.shape == search.history.values.shape == (5, 16)
        True
    """

    def __init__(self, moves: tuple[str, ...]) -> None:
        self.moves = moves
        """Names of the moves: the columns of `visits` and `values`."""
        self._playouts: list[int] = []
        self._visits: list[np.ndarray] = []
        self._values: list[list[float]] = []

    def add(self, playouts: int, view: TreeView) -> None:
        """Look at the tree."""
        children = view.children(0)
        self._playouts.append(playouts)
        self._visits.append(
            np.array(view.nodes.visits[children.start : children.stop], dtype=np.int64)
        )
        self._values.append(
            [view.value(n) if view.nodes[n].visits > 0 else np.nan for n in children]
        )

    @property
    def playouts(self) -> np.ndarray:
        """How many playouts the search had made at each look."""
        return np.array(self._playouts, np.int64)

    @property
    def visits(self) -> np.ndarray:
        """Visits by look and move."""
        return np.array(self._visits, np.int64).reshape(-1, len(self.moves))

    @property
    def values(self) -> np.ndarray:
        """Values by look and move, 0 to 1, for the player to move; nan before the first visit."""
        return np.array(self._values).reshape(-1, len(self.moves))

    def __len__(self) -> int:
        return len(self._playouts)

    def to_frame(self) -> Any:
        """A pandas data frame with one row for each look and move."""
        rows = (
            {"playouts": playouts, "move": move, "visits": int(visits), "value": float(value)}
            for playouts, counted, valued in zip(
                self._playouts, self._visits, self._values, strict=True
            )
            for move, visits, value in zip(self.moves, counted, valued, strict=True)
        )
        return make_frame(rows, ("playouts", "move", "visits", "value"))

    def plot(self, what: str = "value", ax: Axes | None = None) -> Axes:
        """Draw the values, or the shares of the visits, over the playouts.

        Args:
            what: "value" or "visits".
            ax: Where to draw; a new figure if not given.

        Returns:
            The axes.
        """
        if what not in ("value", "visits"):
            raise UsageError(f"plot shows value or visits, not {what!r}")
        table = self.values
        if what == "visits":
            table = 100 * self.visits / np.maximum(1, self.visits.sum(axis=1, keepdims=True))
        last = self.visits[-1] if len(self) else np.zeros(len(self.moves))
        leading = set(np.argsort(-last, kind="stable")[:SHOWN].tolist())

        def draw(axes: Axes) -> None:
            colours = iter(COLOURS)
            for move in np.argsort(-last, kind="stable").tolist():
                named = move in leading
                axes.plot(
                    self.playouts,
                    table[:, move],
                    color=next(colours) if named else SOFT,
                    linewidth=1.6 if named else 0.6,
                    alpha=1.0 if named else 0.5,
                    label=self.moves[move] if named else None,
                )
            axes.set_xlabel("playouts")
            axes.set_ylabel("value" if what == "value" else "share of the visits, %")
            axes.grid(axis="y")
            if leading:
                axes.legend(ncols=2)

        return plotted(draw, ax, (6.4, 3.6))
