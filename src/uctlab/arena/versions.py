"""Which versions of uctlab have contributed to a result, and whether they may be mixed.

Results of two versions go together if both had the same kernels. A digest tells (see
mcts/rules_digest.py); stores of earlier versions have none, and kernels of another Python cannot be
compared, so that only results of the very same version count as the same then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from uctlab.bench.machine import program_version
from uctlab.errors import UsageError


@dataclass(frozen=True)
class Share:
    """What one version has contributed."""

    version: str
    kernels: str
    """Digest of its kernels; empty if it is not known."""
    count: int
    """Games or outcomes."""


def difference(one: Share, other: Share) -> str:
    """How the kernels of two versions differ: empty, "different" or "unknown"."""
    if one.version == other.version or (one.kernels and one.kernels == other.kernels):
        return ""
    comparable = one.kernels and one.kernels.split()[0] == other.kernels.partition(" ")[0]
    return "different" if comparable else "unknown"


def refuse_mixture(what: str, shares: Iterable[Share], kernels: str, unit: str = "games") -> None:
    """UsageError unless this program, with these kernels, may add to those results."""
    ours = Share(program_version(), kernels, 0)
    for share in shares:
        found = difference(share, ours)
        if found:
            how = "had other kernels than" if found == "different" else "may have had other kernels"
            how += "" if found == "different" else " (the store does not tell) than"
            raise UsageError(
                f"{what}: {share.count} {unit} are by uctlab {share.version}, which {how} this "
                f"{ours.version}; use another store, or add --mix-versions"
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
