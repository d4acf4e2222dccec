"""Which versions of uctlab have contributed to a result, and whether they may be mixed.

Results of two versions go together if both had the same kernels. A digest tells (see
mcts/rules_digest.py). Digests of another form cannot be compared, such as those of earlier versions
and of the user's own code under another Python; there a result that is made again tells, when more
are to be added. Stores from before there were digests have none: only results of the very same
version count as the same then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from uctlab.bench.machine import program_version
from uctlab.errors import UsageError
from uctlab.mcts.rules_digest import comparable


class Origin(NamedTuple):
    """Where a game or another outcome is from."""

    run: int
    """Of the store; runs are in the order of their numbers."""
    version: str
    kernels: str
    """Digest of its kernels; empty if it is not known."""


@dataclass(frozen=True)
class Share:
    """What one version has contributed."""

    version: str
    kernels: str
    """Digest of its kernels; empty if it is not known."""
    count: int
    """Games or outcomes."""


def shares_of(origins: Iterable[Origin]) -> list[Share]:
    """How much each version has contributed, in the order of their first runs."""
    counts: dict[tuple[str, str], int] = {}
    for origin, count in sorted(Counter(origins).items()):
        kind = origin.version, origin.kernels
        counts[kind] = counts.get(kind, 0) + count
    return [Share(*kind, count) for kind, count in counts.items()]


def difference(one: Share, other: Share) -> str:
    """How the kernels of two versions differ: empty, "different" or "unknown"."""
    if one.version == other.version or (one.kernels and one.kernels == other.kernels):
        return ""
    return "different" if comparable(one.kernels, other.kernels) else "unknown"


def refuse_mixture(
    what: str,
    shares: Iterable[Share],
    kernels: str,
    compare: Callable[[Share], str],
    unit: str = "games",
) -> None:
    """UsageError unless this program, with these kernels, may add to those results.

    Where digests cannot be compared, `compare` makes a result of such a share again and returns
    what `difference` does. It is called once for each digest.
    """
    ours = Share(program_version(), kernels, 0)
    compared: dict[str, str] = {}
    for share in shares:
        found = difference(share, ours)
        if found == "unknown" and share.kernels and kernels:
            if share.kernels not in compared:
                compared[share.kernels] = compare(share)
            found = compared[share.kernels]
        if found:
            how = "had other kernels than" if found == "different" else "may have had other kernels"
            how += "" if found == "different" else " (the store does not tell) than"
            again = compared.get(share.kernels) == "different"
            why = "; one of them, made again, is not the same" if again else ""
            raise UsageError(
                f"{what}: {share.count} {unit} are by uctlab {share.version}, which {how} this "
                f"{ours.version}{why}; use another store, or add --mix-versions"
            )


def versions_in_words(shares: Iterable[Share], unit: str = "games") -> str:
    """Who contributed how much; empty if it was one version."""
    counts = by_version(shares)
    if len(counts) < 2:
        return ""
    return ", ".join(f"{count:,} {unit} by uctlab {name}" for name, count in counts.items())


def kernels_in_words(shares: Iterable[Share]) -> str:
    """Whether all of them had the same kernels: same, different or unknown."""
    some = list(shares)
    found = {difference(one, other) for one in some for other in some}
    return "different" if "different" in found else "unknown" if "unknown" in found else "same"


def by_version(shares: Iterable[Share]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for share in shares:
        counts[share.version] = counts.get(share.version, 0) + share.count
    return counts
