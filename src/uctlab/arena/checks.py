"""Checks the players of matches before the first game, and compiles them on all cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import gtp_command
from uctlab.arena.tasks import Device

FEW_PLAYERS = 4  # so many are compiled here, one after the other: workers take time to start


@dataclass(frozen=True)
class CheckTask:
    """The check of one match; what it compiles stays on the disk."""

    plan: MatchPlan

    def __str__(self) -> str:
        return f"the check of {self.plan}"

    def perform(self) -> None:
        GameTask(self.plan, 0).check()


def check_plans(plans: Sequence[MatchPlan], device: Device, tell: Callable[[str], None]) -> None:
    """Report mistakes in plans and compile their kernels; a player of many matches is checked once.

    Many players are compiled by the device's workers first, if it has workers on this machine:
    here they are only loaded then. `tell` gets what is waited for, in words.
    """
    needed = list(_with_new_players(plans))
    if len(needed) > FEW_PLAYERS and getattr(device, "compiles", False):
        tasks = [CheckTask(plan) for plan in needed if not _programs(plan)]
        with closing(device.run(iter(tasks))) as finished:
            done = 0
            for batch in finished:
                done += len(batch.outcomes)
                tell(f"compiling: {done} of {len(tasks)}")
    on_cpu = getattr(device, "searches_on_cpu", True)
    for plan in needed:
        if programs := _programs(plan):
            tell(f"waiting for the first answer of {' and of '.join(programs)}")
        # What the user has written is tried in any case: mistakes are told better by a CPU.
        GameTask(plan, 0).check(compiled=on_cpu or plan.has_own_parts)


def _with_new_players(plans: Sequence[MatchPlan]) -> Iterator[MatchPlan]:
    """Those in which a player takes part that is in none of the plans before."""
    known: set[MatchPlan] = set()
    for plan in plans:
        players = {
            replace(plan, a=plan.a, own_a=plan.own_a, b="", own_b=None),
            replace(plan, a=plan.b, own_a=plan.own_b, b="", own_b=None),
        }
        if not players <= known:
            known |= players
            yield plan


def _programs(plan: MatchPlan) -> list[str]:
    return [name for name in (plan.a, plan.b) if gtp_command(name)]
