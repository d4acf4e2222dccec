"""Holes: names that a kernel leaves open, each belonging to the owner that fills it.

    value: Any = hole("backup.value")

says that the backup operator brings `value`. `specialise(template, backup=mean)` fills it in the
template and in every kernel below it. A name that is no hole is never replaced, so a rule of your
own may call its helpers whatever it likes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NOTHING: Any = object()


class UnfilledHole(TypeError):  # noqa: N818 (it says what is wrong)
    """A kernel reads a name that no owner gives a value."""


class Hole:
    """A global that a kernel leaves open. Unfilled, it behaves as its default, if it has one."""

    def __init__(self, path: str, default: Any = _NOTHING) -> None:
        self.owner, _, self.name = path.partition(".")
        self.path = path
        self._default = default
        if not self.owner or not self.name:
            raise ValueError(f"a hole is named after its owner, as in 'backup.value', not '{path}'")

    def fill(self, owners: Mapping[str, Any]) -> Any:
        """What the hole's owner has under its name, or the default; UnfilledHole without either."""
        owner = owners.get(self.owner, _NOTHING)
        if isinstance(owner, Mapping):
            found = owner.get(self.name, _NOTHING)
        else:
            found = getattr(owner, self.name, _NOTHING)
        if found is _NOTHING or isinstance(found, Hole):
            found = self._default
        if found is _NOTHING:
            raise UnfilledHole(f"{self}, which nobody fills")
        return found

    def __call__(self, *args: Any) -> Any:
        return self._known()(*args)

    def __bool__(self) -> bool:
        return bool(self._known())

    def _known(self) -> Any:
        if self._default is _NOTHING:
            raise UnfilledHole(f"{self} is not filled: call a kernel that `specialise` has made")
        return self._default

    def __repr__(self) -> str:
        return f"hole('{self.path}')"


def hole(path: str, default: Any = _NOTHING) -> Any:
    """Leave a name open for its owner: hole("backup.value"), hole("device.ON_GPU", False).

    For a type checker it is whatever the kernel takes it for.
    """
    return Hole(path, default)
