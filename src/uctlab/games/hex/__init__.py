"""Hex.

| file | what it is for |
| --- | --- |
| `game.py` | the rules, the uniform playout, and `make()` |
| `board.py` | the board as rows of bits |
| `bridge.py` | playouts that keep bridges |
| `evaluation.py` | how good a board looks: shortest paths |
| `solve.py` | who wins on small boards, exactly |
| `chain.py` | the chain that won a game, to show it |
"""

from uctlab.games.hex.game import make

__all__ = ["make"]
