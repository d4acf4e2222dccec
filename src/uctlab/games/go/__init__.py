"""Go: rules, board, policy, priors and referee."""

from uctlab.games.go.game import make

__all__ = ["make"]
