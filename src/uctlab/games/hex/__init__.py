"""Hex: rules, board, playouts that keep bridges, and a solver of small boards."""

from uctlab.games.hex.game import make

__all__ = ["make"]
