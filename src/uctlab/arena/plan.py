"""Defines a match: game, players, budget, openings and seed.

A game depends only on its plan and its number. So it can be played anywhere, in any order, and
again after a crash, with the same result (unless the budget is in seconds).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from uctlab.agents import Agent, make_agent
from uctlab.arena.objects import Given
from uctlab.arena.sprt import Sprt
from uctlab.games import Game, make_game
from uctlab.mcts.searcher import DEFAULT_MEMORY
from uctlab.protocol.files import read_openings
from uctlab.seeds import derive_seed
from uctlab.user_modules import digest_of_files, without_folders


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """How the games of a match are played."""

    playouts: int | None = None
    """Budget per move; `seconds` likewise."""
    seconds: float | None = None
    openings: int | str | tuple[str, ...] = 0
    """Number of random moves at the start, the same for both games of a pair; or lines of play, one
    for each pair in turn, which may be given as the name of a file (protocol/files.py)."""
    seed: int = 0
    reuse: bool = False
    """Whether an agent keeps its tree from move to move."""
    memory: int = DEFAULT_MEMORY
    """Memory limit of a tree, in bytes."""
    resign: float = 0.0
    """Our agents resign when two searches in a row expect to score less than this, in percent; 0:
    never."""


@dataclass(frozen=True, kw_only=True)
class MatchSettings(Conditions):
    """What a user sets for matches: how they are played, where, and what the games are added to."""

    sprt: Sprt | None = None
    """The test that ends a match early."""
    store: str | None = None
    """The file that keeps every game."""
    mix_versions: bool = False
    """Whether games of a version with other kernels may be added to."""
    device: str = "cpu"
    """A name, as devices/registry.py knows it."""
    workers: int | None = None
    """How many games run at once; None for one per core."""

    def plan(self, game: str, a: str, b: str, **own: Any) -> MatchPlan:
        """The match of A and B; `own` are a plan's fields for objects."""
        conditions = {one.name: getattr(self, one.name) for one in fields(Conditions)}
        return MatchPlan(game, a, b, **own, **conditions)


@dataclass(frozen=True)
class MatchPlan(Conditions):
    """Everything that determines the games of a match."""

    game: str
    a: str
    b: str
    """An agent such as uct(c=1), or gtp:"gnugo --mode gtp"."""
    own_game: Given | None = field(default=None, repr=False)
    """The game, where its text does not describe it; likewise the agents."""
    own_a: Given | None = field(default=None, repr=False)
    own_b: Given | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.openings, str):
            object.__setattr__(self, "openings", read_openings(self.load_game(), self.openings))
        elif not isinstance(self.openings, int):  # a list, from a store
            object.__setattr__(self, "openings", tuple(self.openings))

    def __str__(self) -> str:
        return f"{self.game}: {self.a} against {self.b}"

    @property
    def conditions(self) -> str:
        """The budget and the other conditions, in words."""
        parts = [f"{self.playouts:,} playouts per move"] if self.playouts else []
        parts += [f"{self.seconds:g} seconds per move"] if self.seconds else []
        if isinstance(self.openings, tuple):
            parts += [f"{len(self.openings):,} openings in turn"]
        elif self.openings:
            parts += [f"{self.openings} random opening moves"]
        parts += ["trees reused"] if self.reuse else []
        parts += [f"resignation below {self.resign:g} %"] if self.resign else []
        return ", ".join(parts) or "no budget"

    @property
    def key(self) -> str:
        """Equal for equal plans; the contents of the user's files count too."""
        text = json.dumps(self.facts(), sort_keys=True)
        for name in (self.game, self.a, self.b):
            text += digest_of_files(name)
        for role, given in self.given().items():
            text += f"{role} {given.digest}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def facts(self) -> dict[str, Any]:
        """All that can be written down; objects are left out.

        So is a resignation that never happens: stores from before there was one have no such entry.
        """
        plain = asdict(replace(self, own_game=None, own_a=None, own_b=None))
        facts = {name: fact for name, fact in plain.items() if not name.startswith("own_")}
        limit = float(facts.pop("resign"))  # 5 and 5.0 are written in one way
        return facts | ({"resign": limit} if limit else {})

    def given(self) -> dict[str, Given]:
        """The objects of the plan: game, a, b."""
        parts = {"game": self.own_game, "a": self.own_a, "b": self.own_b}
        return {role: part for role, part in parts.items() if part is not None}

    @property
    def has_own_parts(self) -> bool:
        """Whether game or agents are objects or files of the user's own."""
        return bool(self.given()) or any(map(digest_of_files, (self.game, self.a, self.b)))

    def load_game(self) -> Game:
        return make_game(self.game) if self.own_game is None else self.own_game.get()

    def player(self, side: str) -> tuple[str, Given | None]:
        """The player of side "a" or "b": its text, and the object where that says not all."""
        return (self.a, self.own_a) if side == "a" else (self.b, self.own_b)

    def load_agent(self, side: str, game: Game) -> Agent:
        """The agent of side "a" or "b" in that game."""
        text, own = self.player(side)
        return make_agent(text) if own is None else own.get(game)

    def derive_seed(self, *what: object) -> int:
        """A seed for that purpose, the same every time and unrelated to the others.

        The folders of the user's files do not matter: a clone elsewhere plays the same games.
        """
        names = map(without_folders, (self.game, self.a, self.b))
        return derive_seed(*names, self.seed, *what)
