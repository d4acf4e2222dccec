"""Holes: globals that a kernel leaves open until `specialise` fills them.

    value: Any = hole("backup.value")

declares that the backup operator provides `value`. `specialise(template, backup=mean)` fills it in
the template and in every kernel that it calls. Only holes are replaced, so your own rule may give
its helper functions any names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NOTHING: Any = object()


class UnfilledHole(TypeError):  # noqa: N818 (it says what is wrong)
    """A kernel reads a hole that no owner fills."""


class Hole:
    """A global that a kernel leaves open; until it is filled it acts as its default, if any."""

    def __init__(self, path: str, default: Any = _NOTHING) -> None:
        self.owner, _, self.name = path.partition(".")
        self.path = path
        self._default = default
        if not self.owner or not self.name:
            raise ValueError(f"a hole is named after its owner, as in 'backup.value', not '{path}'")

    def fill(self, owners: Mapping[str, Any]) -> Any:
        """What the owner provides under the hole's name, or the default; else UnfilledHole."""
        owner = owners.get(self.owner, _NOTHING)
        if isinstance(owner, Mapping):
            found = owner.get(self.name, _NOTHING)
        else:
            found = getattr(owner, self.name, _NOTHING)
        if found is _NOTHING or isinstance(found, Hole):
            found = self._default
        if found is _NOTHING:
            raise UnfilledHole(f"{self}, which no owner fills")
        return found

    def __call__(self, *args: Any) -> Any:
        return self._known()(*args)

    def __bool__(self) -> bool:
        return bool(self._known())

    @property
    def default(self) -> Any:
        """What the hole is while nobody fills it; None if it has no default."""
        return None if self._default is _NOTHING else self._default

    def _known(self) -> Any:
        if self._default is _NOTHING:
            raise UnfilledHole(f"{self} is not filled: call a kernel that `specialise` has made")
        return self._default

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy in another process knows the absence of a default too, which is one object."""
        return Hole, (self.path,) if self._default is _NOTHING else (self.path, self._default)

    def __repr__(self) -> str:
        return f"hole('{self.path}')"


def hole(path: str, default: Any = _NOTHING) -> Any:
    """Leave a name open for its owner, who fills it when kernels are compiled.

    Args:
        path: The owner and the name, such as "backup.value" or "game.SIZE".
        default: What stands there if the owner has nothing of that name.

    Returns:
        The hole, to be put under a name that kernels read. For a type checker it is whatever the
        kernel takes it for.

    Examples:
        >>> value = uctlab.hole("backup.value")  # the mean result of a node, of any backup operator
    """
    return Hole(path, default)
