"""The one line that a user reads when the other library of a bridge is not installed."""

from __future__ import annotations

from uctlab.errors import UsageError


class MissingPackageError(UsageError, ImportError):
    """A library is not installed; the message says how to install it."""


def missing(module: str, library: str, extra: str) -> MissingPackageError:
    """The error for a module of uctlab that needs a library; `extra` is its name for pip."""
    return MissingPackageError(f"{module} needs {library}: pip install 'uctlab[{extra}]'")
