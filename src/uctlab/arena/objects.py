"""Games and agents given as Python objects: how they are named, told apart and sent to workers.

An object that a text describes in full goes by that text, as if the user had written it. Any other,
such as a game from a notebook or an agent with a rule of the user's own, is `Given`: it travels as
a pickle, and a digest of its kernels tells whether two of the same name compute the same.

The pickle is cloudpickle's: code from a notebook and from files that uctlab has loaded goes by
value, modules go by import, machine code not at all. What cannot be pickled plays in the main
process, with a warning. Seeds depend on names, not on digests; a name that would be taken for
another game's or agent's ends in *.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from pathlib import Path
from types import FunctionType
from typing import Any

import cloudpickle
import numpy as np

from uctlab.agents import Agent, make_agent
from uctlab.errors import UsageError
from uctlab.games import Game, make_game
from uctlab.games.families import FAMILIES
from uctlab.games.registry import game_spec, is_own_file
from uctlab.kernels.specialise import digest_of
from uctlab.mcts.rules_digest import searches_digest
from uctlab.user_modules import file_of, loaded_modules

_arrivals: dict[bytes, Given] = {}


class Given:
    """A game or an agent that no text describes; the same object stays the same in a worker."""

    def __init__(self, value: Game | Agent, name: str, digest: str) -> None:
        self.value = value
        self.name = name
        self.digest = digest
        self._arrived = False
        """Whether it came from another process and its kernels are still to be compared."""

    @property
    def kind(self) -> str:
        return "game" if isinstance(self.value, Game) else "agent"

    def __str__(self) -> str:
        return f"the {self.kind} '{self.name}'"

    def get(self, game: Game | None = None) -> Any:
        """The object; an agent's kernels depend on the game.

        UsageError if a worker has imported other rules than those that were sent: a file that was
        edited after it was imported.
        """
        if self._arrived and _digest(self.value, game) != self.digest:
            raise UsageError(
                f"{self} has other kernels in a worker process than here: the file that defines "
                "them was edited after it was imported; import it again, or use workers=1"
            )
        self._arrived = False
        return self.value

    @cached_property
    def data(self) -> bytes:
        """The object as a pickle; UsageError if it has none."""
        try:
            with _own_files_by_value():
                return bytes(cloudpickle.dumps(self.value))
        except Exception as error:  # whatever the object's parts raise when they are pickled
            raise UsageError(
                f"{self} cannot travel to worker processes ({_in_one_line(error)})"
            ) from None

    def __reduce__(self) -> tuple[Any, ...]:
        return _arrive, (self.kind, self.name, self.digest, self.data)


def _arrive(kind: str, name: str, digest: str, data: bytes) -> Given:
    """The object in a worker, made once: every task brings it along."""
    key = hashlib.sha256(data).digest()
    if key not in _arrivals:
        try:
            found = Given(cloudpickle.loads(data), name, digest)
        except Exception as error:  # whatever its modules raise when they are imported
            raise UsageError(
                f"the {kind} '{name}' does not arrive in a worker process "
                f"({_in_one_line(error)}); workers=1 plays in this process"
            ) from None
        found._arrived = True
        _arrivals[key] = found
    return _arrivals[key]


def given_game(game: Game) -> tuple[str, Given | None]:
    """The game's text, or a name and the object where no text describes it."""
    for text in _texts(game):
        try:
            twin = make_game(text)
        except UsageError:
            continue
        # What made it does not matter: the parts that it made are compared.
        if all(
            _alike(getattr(game, part.name), getattr(twin, part.name))
            for part in fields(game)
            if part.name not in ("factory", "options", "name")
        ):
            return text, None
    known = is_own_file(game.name) or game.family in FAMILIES
    name = f"{game.name}*" if known else game.name
    return name, Given(game, name, _digest(game, None))


def given_agent(agent: Agent, game: Game) -> tuple[str, Given | None]:
    """Likewise for an agent, which is to play that game."""
    try:
        if _alike(make_agent(agent.name), agent):
            return agent.name, None
    except UsageError:
        pass
    return agent.name, Given(agent, agent.name, _digest(agent, game))


def _texts(game: Game) -> Iterator[str]:
    """Texts that may make this very game."""
    yield game.name
    path = file_of(game.factory) if game.factory is not None else None
    if path is not None:
        inside = path.is_relative_to(Path.cwd())
        yield game_spec(os.path.relpath(path) if inside else str(path), **game.options)


def _digest(value: Game | Agent, game: Game | None) -> str:
    if isinstance(value, Agent):
        assert game is not None
        return searches_digest(game, [value])
    kernels = vars(value.kernels)
    facts = [f"{name} {digest_of(kernels[name])}" for name in sorted(kernels)]
    facts += [digest_of(value.playout(policy)) for policy in sorted(value.playouts)]
    facts += [str(value.state), repr((value.max_moves, value.max_length, value.move_names))]
    facts.append(repr(sorted(value.options.items())))
    digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    return f"{sys.version_info.major}.{sys.version_info.minor} {digest}"


def _alike(one: Any, other: Any) -> bool:
    """Whether two parts do the same; functions do if they have the same code and values."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, FunctionType):
        if one.__code__ != other.__code__ or one.__globals__ is not other.__globals__:
            return False
        kept = [[cell.cell_contents for cell in f.__closure__ or ()] for f in (one, other)]
        return _alike(one.__defaults__, other.__defaults__) and _alike(*kept)
    if isinstance(one, partial):
        return _alike((one.func, one.args, one.keywords), (other.func, other.args, other.keywords))
    if is_dataclass(one):
        return all(_alike(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    return bool(one == other)


@contextmanager
def _own_files_by_value() -> Iterator[None]:
    """A worker cannot import the user's files that uctlab has loaded by their paths."""
    modules = loaded_modules()
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def _in_one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
