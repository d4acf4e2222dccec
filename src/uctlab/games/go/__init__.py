"""Go.

| file | what it is for |
| --- | --- |
| `game.py` | the rules, and `make()`, which puts everything below together |
| `board.py` | the board as a search plays on it: chains that count pseudo-liberties, for speed |
| `placing.py` | puts stones on it |
| `settled.py` | eyes where neither player may play, set apart during light playouts |
| `light.py` | the light playouts: random moves that fill no own eye |
| `exact.py` | the same board with exact liberties, for playouts that know something |
| `shape.py` | what a move would do to the chains around it |
| `patterns.py` | 3x3 patterns, drawn as diagrams |
| `eyes.py` | eyes that light playouts do not fill, and simple ones, which a tree may leave out |
| `candidates.py` | what each part of the heavy playouts would choose from |
| `choice.py`, `choice_on_gpu.py` | draw a move from those candidates |
| `policy.py` | the heavy playouts |
| `priors.py` | how good the moves of a new node look before any playout |
| `trained_priors.py` | the same by weights that were learnt from games |
| `trained_weights.py` | reads and writes the file of these weights |
| `groups.py` | chains and empty regions of a finished game, in plain Python |
| `safety.py` | what is proven of chains and territory (Benson), in plain Python |
| `ladders.py` | whether a chain in atari is caught in a ladder, in plain Python |
| `root_filter.py` | moves that a search may leave out at its root |
| `referee.py` | who has won a game that ended with dead stones on the board |
| `gtp.py` | habits of Go over GTP: moves out of turn, handicap stones, komi |
"""

from uctlab.games.go.game import make

__all__ = ["make"]
