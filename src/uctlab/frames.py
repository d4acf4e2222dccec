"""Makes pandas data frames, where pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from uctlab.errors import UsageError


def make_frame(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None) -> Any:
    """A pandas.DataFrame with one row per mapping; `columns` fixes their order."""
    try:
        import pandas  # noqa: PLC0415 (an extra, and slow to load)
    except ImportError:
        raise UsageError("to_frame needs pandas: pip install 'uctlab[frames]'") from None
    return pandas.DataFrame(list(rows), columns=None if columns is None else list(columns))
