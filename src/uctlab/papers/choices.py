"""Searches of single positions: which move an agent chooses."""

from __future__ import annotations

from dataclasses import dataclass

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher


@dataclass(frozen=True)
class Choice:
    """One search; its outcome is the name of the chosen move."""

    game: str
    agent: str
    playouts: int
    seed: int
    diagram: str = ""
    """The position to begin with, where it is not the game's start."""
    moves: str = ""
    """Made from there."""

    def __str__(self) -> str:
        return f"a search of {self.game} by {self.agent} with {self.playouts:,} playouts"

    def perform(self) -> str:
        game = make_game(self.game)
        start = Position.from_diagram(game, self.diagram) if self.diagram else Position.start(game)
        searcher = Searcher(game, make_agent(self.agent), seed=self.seed)
        report = searcher.search(start.play_all(self.moves), playouts=self.playouts)
        if report.stopped:
            raise KeyboardInterrupt
        return report.best
