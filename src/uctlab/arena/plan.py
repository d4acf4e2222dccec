"""What a match is: who meets whom at what, and all that follows from its seed.

A game is a function of its plan and its number alone. Hence it may be played anywhere, in any
order, and again after a crash, and it is the same game (budgets in seconds excepted).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from uctlab.mcts.searcher import DEFAULT_MEMORY
from uctlab.seeds import derive_seed
from uctlab.user_modules import digest_of_files, without_folders


@dataclass(frozen=True)
class MatchPlan:
    """Everything that decides how the games of a match go."""

    game: str
    a: str
    b: str
    """An agent such as uct(c=1), or gtp:"gnugo --mode gtp"."""
    playouts: int | None = None
    """A move; likewise seconds."""
    seconds: float | None = None
    openings: int = 0
    """Random moves that a game begins with, the same for both games of a pair."""
    seed: int = 0
    reuse: bool = False
    """Whether an agent keeps its tree from move to move."""
    memory: int = DEFAULT_MEMORY
    """Most bytes of a tree."""

    def __str__(self) -> str:
        return f"{self.game}: {self.a} against {self.b}"

    @property
    def conditions(self) -> str:
        """The budget and what else both players share, in words."""
        parts = [f"{self.playouts:,} playouts a move"] if self.playouts else []
        parts += [f"{self.seconds:g} seconds a move"] if self.seconds else []
        parts += [f"{self.openings} random opening moves"] if self.openings else []
        parts += ["trees kept"] if self.reuse else []
        return ", ".join(parts) or "no budget"

    @property
    def key(self) -> str:
        """Equal for equal plans; files of the user's own count with what is in them."""
        text = json.dumps(asdict(self), sort_keys=True)
        for name in (self.game, self.a, self.b):
            text += digest_of_files(name)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def derive_seed(self, *what: object) -> int:
        """A number for that purpose, the same each time and unrelated to the others.

        Where the user's own files lie does not count: a clone elsewhere plays the same games.
        """
        names = map(without_folders, (self.game, self.a, self.b))
        return derive_seed(*names, self.seed, *what)
