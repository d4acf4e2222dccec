"""Games of the league that measure a fault of the program that played them: they do not count."""

from __future__ import annotations

from collections.abc import Iterable

from uctlab.arena.result import MatchResult
from uctlab.papers.league_plan import TIME

GRAPH = "uct(graph=on)"
SLOW_GRAPH = {"0.2.0 (source 1de23248)", "0.2.0 (source fe0ca8eb)"}
"""Versions that have played the league with a table of positions for which 10 ms are too short."""


def is_faulty(budget: str, match: MatchResult) -> bool:
    """Whether one of the players is known to have been broken in this match."""
    return (
        budget == TIME
        and GRAPH in (match.plan.a, match.plan.b)
        and any(share.version in SLOW_GRAPH for share in match.shares)
    )


def withdrawn(matches: Iterable[MatchResult]) -> tuple[str, ...]:
    """What does not count and why, in sentences."""
    games = sum(match.score.games for match in matches)
    if not games:
        return ()
    return (
        f"{GRAPH} in equal time is withdrawn: the version that played these {games:,} games spent "
        "most of each move on an empty table of positions, which is corrected since. They measure "
        "that fault, not the method, and count for nobody.",
    )
