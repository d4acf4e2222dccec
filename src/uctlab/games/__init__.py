"""Games: the contract, the games of the papers, and your own from a Python file.

To add a game, write one file that ends in `make()`; `uctlab new game` writes one to start from.

| file | what it is for |
| --- | --- |
| `api.py` | the contract: `Game` |
| `capabilities.py` | what a game may do besides its rules: `Verdict` of a referee, `GtpHabits` |
| `families.py` | the games that ship with uctlab, as data for listings |
| `registry.py` | makes a game from its name, such as `"hex:11"` |
| `position.py` | `Position`: a real game at one moment, immutable, with its history |
| `othello.py`, `havannah.py`, `kalah.py`, `deceptive.py` | games, one file each |
| `go/`, `hex/` | games with a folder each |
| `evaluation.py`, `othello_evaluation.py` | a lead as a value; Othello by sight |
| `havannah_shapes.py`, `shapes.py` | the shape that won a game, to show it |
| `sgf.py`, `sgf_dialects.py` | SGF files of any game, read and written; how others write them |
| `sgf_tree.py` | SGF files with variations and comments |
| `othello_files.py` | games of Othello from WTHOR and GGF files |
| `diagram.py` | boards as text; names of cells |
| `uniform.py` | the default playout, for games without their own |
| `border.py` | steps on boards with a border |
| `past.py` | earlier boards, where none may come back |
| `turning.py` | either colour to move, for GTP |
| `line.py` | legal moves and perft on a line of play, where no board may repeat |
| `sampling.py` | many playouts from one position |
| `conformance.py` | conformance of any game with the contract |
| `check_walk.py`, `check_playouts.py` | its parts: a game move by move; single playouts |
| `check_evaluation.py` | its part for `Game.evaluate` |
| `check_chances.py`, `reference.py` | are "uniform" playouts uniform? games by the rules alone |
| `check_scene.py`, `check_memory.py` | where a check is and what it says; memory with fences |
| `solve.py` | the exact value of small positions |
| `named.py` | positions that have a name |
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uctlab.games.api import Game
    from uctlab.games.capabilities import GtpHabits, Verdict
    from uctlab.games.conformance import CheckReport, ConformanceError, check
    from uctlab.games.diagram import Diagram
    from uctlab.games.families import FAMILIES
    from uctlab.games.position import Position
    from uctlab.games.registry import make_game

__all__ = [
    "FAMILIES",
    "CheckReport",
    "ConformanceError",
    "Diagram",
    "Game",
    "GtpHabits",
    "Position",
    "Verdict",
    "check",
    "make_game",
]

_HOMES = {
    "CheckReport": "conformance",
    "ConformanceError": "conformance",
    "Diagram": "diagram",
    "FAMILIES": "families",
    "Game": "api",
    "GtpHabits": "capabilities",
    "Position": "position",
    "Verdict": "capabilities",
    "check": "conformance",
    "make_game": "registry",
}


def __getattr__(name: str) -> Any:
    """Load what is asked for and no more: a listing of games needs neither NumPy nor Numba."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
