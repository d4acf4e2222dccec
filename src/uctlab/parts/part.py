"""What a part of a search declares; everything else is derived from these declarations.

Which parts a search has: the options of its agent choose some (Agent.parts); its rules and the
device bring others; those need more; and last come parts that only make it faster, where they
apply. parts/listing.py puts them together.

A part is one file. It says when it is active, which fields it adds to a node and which arrays to a
search's memory, and which kernels it has for the steps and hooks of the loop (parts/hooks.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from uctlab.games import Game
from uctlab.rules.fields import Field

Values = Mapping[str, Any]
"""All options of an agent, by name."""


@dataclass(frozen=True)
class Option:
    """One parameter of an agent."""

    default: Any
    """Its default; of a number that kernels read, a float."""
    about: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    words: tuple[str, ...] = ()
    """What it accepts besides numbers."""
    aliases: tuple[str, ...] = ()
    """Earlier names, still found in stores and links."""
    whole: bool = False
    """Whether it must be a whole number."""
    used: Callable[[Values], bool] = lambda values: True
    """Whether it has an effect beside the other options."""
    needs: str = ""
    """What it is for, said where it has no effect: "it is for RAVE"."""
    reads: frozenset[str] = frozenset()
    """For what a rule must read: the names under which it does, without which the option has no
    effect. Empty for options that act by a part's own kernels."""
    unread: str = "no rule of this agent reads it"
    """Said where no rule reads it; {kind} is the kind of agents."""
    instead: str = ""
    """What to write instead where a rule of the user's own does not read it; {kind}, {name}."""
    for_kernels: bool = True
    """Whether kernels read it as params.NAME, if it is a number."""
    sets_numbers: bool = False
    """Whether all that it does is to set numbers, or defaults of other options."""
    title: str = ""
    """What the page's form calls it; by default its name."""
    not_on_page: str = ""
    """Why the page's form does not have it."""


@dataclass(frozen=True)
class Array:
    """An array that a part adds to the memory of every search."""

    name: str
    shape: Callable[[Game, Any], tuple[int, ...]]
    """Its shape, from the game and the agent."""
    type: Any
    guarded: str = ""
    """What a kernel of the game has done that has written beyond its ends, as in "priors writes
    values of moves that do not exist"; empty if kernels of games do not write it."""
    per_node: int = 0
    """How many elements it has for each node of the tree, in place of its shape."""
    common: bool = False
    """Whether all threads of a tree have the same one."""
    resized: Callable[[Any, int], Any] | None = None
    """For an array that grows with the tree: called before each search with the array so far (None
    before a new tree) and the number of simulations; returns the array to use."""
    reset: str = ""
    """When it is filled with zeros: before every "search" or every new "tree"; never if empty."""


@dataclass(frozen=True)
class Column:
    """What a report says of a move."""

    about: str
    read: Callable[[Any], Any]
    """Its value, from the move's node; None if there is none yet."""


@dataclass(frozen=True)
class Setting:
    """What a search is put together for: a game, an agent, a device, and instruments."""

    game: Any
    """The game; None where only the agent matters."""
    agent: Any
    device: str = "cpu"
    """"cpu" for one thread, "threads" for several in one tree, or "gpu"."""
    profile: bool = False
    """Whether the time of each step is measured."""
    record_last: bool = False
    """Whether the path of the last simulation is recorded."""
    record_moves: bool = False
    """Whether playouts write down their moves."""
    inject_yields: bool = False
    """Whether threads give way at every place where that might do harm."""

    @property
    def shared(self) -> bool:
        """Whether several threads build one tree."""
        return self.device == "threads"


Kernels = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """A feature of a search."""

    name: str
    about: str
    """What it does, in one sentence."""
    version: int = 1
    """Raised when trees come out otherwise by it: a store keeps results of both apart."""
    chosen: tuple[str, ...] | Callable[[Values], bool] | None = None
    """The options of parts that ask for it if all of them are not the default, or a function of all
    options that says so; None for a part that no option asks for."""
    brought: Callable[[Setting], bool] | None = None
    """Whether a search has it whatever its options are, since the agent's rules or the device bring
    it. Then `chosen` only decides what follows from the options."""
    active: Callable[[Setting], bool] = lambda setting: True
    """What else must be true of a search that has it."""
    devices: tuple[str, ...] = ("cpu", "threads", "gpu")
    """The devices that have it: see Setting."""
    needs: tuple[str, ...] = ()
    """Names of parts that a search has with it; those have no other way into a search."""
    example: str = ""
    """An agent that has it and as little else as possible, for the tests of all pairs of parts."""
    groups: tuple[str, ...] = ()
    """The kinds of agents that have its options: those that take one of these groups
    (agents/kinds.py)."""
    source: str = ""
    """The paper that it comes from."""
    options: Mapping[str, Option] = field(default_factory=dict)
    """The options of agents that it brings, by name."""
    defaults: Callable[[Values], Values] = lambda values: {}
    """Other defaults that it wants, if it is chosen."""
    rules: Callable[[Values], Mapping[str, str]] = lambda values: {}
    """The selection rule and the backup operator that it wants, by module, if it is chosen."""
    missing: str = ""
    """What the parser says of kinds of agents that do not have its options."""
    switch: str = ""
    """The option that messages name for it; by default its first one."""
    numbers: Callable[[str, Values], Mapping[str, float]] = lambda kind, values: {}
    """Numbers for kernels that it computes from the options of a kind of agents, if it is chosen;
    options that are numbers are passed on as they are."""
    computed: Mapping[str, float] = field(default_factory=dict)
    """The names of those numbers, with their values where it is not chosen."""
    excludes: Mapping[str, str] = field(default_factory=dict)
    """Names of parts (not of their options), or of options that are no part's, that do not go with
    it, and why. One of the two sides is enough."""
    serves: Mapping[str, str] = field(default_factory=dict)
    """Parts beside which alone it is in a search, and what it is for."""
    scores_alone: str = ""
    """Why no part that wraps scores goes with it, if none does."""
    idles: Mapping[str, str] = field(default_factory=dict)
    """Options that have no effect where it is chosen, and why."""
    read_with: Callable[[str], frozenset[str]] = lambda option: frozenset()
    """Further names under which rules read what some option sets, if it is chosen."""
    gpu: str = ""
    """Why a GPU cannot have it, and what to do; empty if it can."""
    columns: Mapping[str, Column] = field(default_factory=dict)
    """What reports say of a move because of it, by name."""
    proves: Callable[[Any], str | None] | None = None
    """What is proven for the player to move at the root, from its node: win, draw or loss."""
    parallel: bool = False
    """Whether a search with it has several threads of Python."""
    check: Callable[[Any, Any, Any, Any], bool] | None = None
    """Whether its fields may stand in a tree that comes from a file: the nodes, the numbers of
    those with moves, and of the first and behind the last move of each."""
    keeps_tree: bool = True
    """Whether a part of the tree may be kept for the next search, or saved."""
    large: bool = False
    """Whether it brings so much code that the kernels of a GPU slow each other down by it."""
    fields: tuple[Field, ...] = ()
    arrays: tuple[Array, ...] = ()
    steps: Kernels = field(default_factory=dict)
    """Kernels for steps, in place of those of parts before it in the list."""
    wraps: Kernels = field(default_factory=dict)
    """Kernels around a step, "score" or "untried_score", which call hole("wrapped.NAME"); those of
    later parts are around those of earlier ones. The hole is filled in the kernel's own file."""
    hooks: Kernels = field(default_factory=dict)
    """Kernels for hooks."""
    fills: Callable[[Setting], Mapping[str, Any]] | None = None
    """What fills the holes of the part's own kernels, hole("PART.NAME")."""
    views: Callable[[Setting, Mapping[str, Any]], Mapping[str, Any]] | None = None
    """Arrays that are others, seen in another way, from the arrays of the search."""
    positions: int = 2
    """How many positions it needs: the root's, the one on which moves are played, and more, from
    work.states[position_at(depth) + 1] on. A thread of a GPU has two."""
    records_moves: bool = False
    """Whether playouts must write down their moves."""
    changes: tuple[str, ...] = ()
    """Numbers that its kernels change for kernels that they call:
    hole("params.set_NAME")(params, value)."""
    forbids_moves: bool = False
    """Whether its wrapped score only gives minus infinity to moves that may not be chosen."""
    spoils_scores: Callable[[Setting], bool] = lambda setting: True
    """Whether float32 copies of scores would be wrong beside it, since scores change otherwise than
    by results of simulations, which are multiples of 1/2. Without them a search is slower, and
    always right."""
    reads_counts: bool = False
    """Whether it reads or writes nodes otherwise than the backup operator does, so that threads
    cannot count in copies of them."""
    applies: Callable[[Setting, tuple[Part, ...]], bool] | None = None
    """For a part that changes the speed of a search and not its trees: whether it may be used
    beside those other parts. It is asked after all parts without it."""
    refuses: Callable[[Setting], str | None] | None = None
    """Why the game does not suit it, and what to do; None if it does."""

    @property
    def changes_scores(self) -> bool:
        """Whether it wraps scores, and not only to put moves out of the question."""
        return "score" in self.wraps and not self.forbids_moves

    @property
    def asked_by(self) -> str:
        """The option that asks for it; empty if none does by itself."""
        return self.switch or next(iter(self.options), "")

    def is_active(self, setting: Setting) -> bool:
        """Whether a search has it, apart from what other parts need and `applies` decides."""
        if setting.device not in self.devices or not self.active(setting):
            return False
        if self.brought is not None:
            return self.brought(setting)
        return self.chosen is None or self.name in setting.agent.parts
