"""The task of searching one position: which move does an agent choose?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.rules_digest import kernels_digest
from uctlab.mcts.searcher import make_searcher


@dataclass(frozen=True)
class SearchTask:
    """One search; its outcome is the name of the chosen move."""

    STORED_AS: ClassVar[str] = "Choice"  # its name in stores, from before it was renamed

    game: str
    agent: str
    playouts: int
    seed: int
    diagram: str = ""
    """The position to start from; empty for the start of the game."""
    moves: str = ""
    """Moves played from there."""

    def __str__(self) -> str:
        return f"a search of {self.game} by {self.agent} with {self.playouts:,} playouts"

    @property
    def position(self) -> Position:
        return _position(self.game, self.diagram, self.moves)

    @property
    def kernels(self) -> str:
        """Digest of what the search computes."""
        return kernels_digest(self.game, (self.agent,))

    def perform(self) -> str:
        searcher = make_searcher(make_game(self.game), make_agent(self.agent), seed=self.seed)
        report = searcher.search(self.position, playouts=self.playouts)
        if report.stopped:
            raise KeyboardInterrupt
        return report.best


@lru_cache(maxsize=1024)
def _position(name: str, diagram: str, moves: str) -> Position:
    game = make_game(name)
    start = Position.from_diagram(game, diagram) if diagram else Position.start(game)
    return start.play_all(moves)
