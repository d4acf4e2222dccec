"""Runs matches: plays their games on a device, stores the results, and stops when all games are
played or an SPRT is decided.

Several matches run together and take turns, game by game. So no core is idle at the end of a
match, and a table that is stopped early has games in every cell.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from uctlab.arena.checks import check_plans
from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import plan_kernels, player_name
from uctlab.arena.replay import plays_alike, shortest_game
from uctlab.arena.result import MatchResult, summarise
from uctlab.arena.sprt import Sprt
from uctlab.arena.store import Store
from uctlab.arena.store_rows import StoredGame
from uctlab.arena.tasks import Device, Progress
from uctlab.arena.versions import Origin, Share, refuse_mixture, shares_of
from uctlab.bench.machine import program_version
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.games.registry import is_own_file

MAX_GAMES = 10_000_000


class _Match:
    """A match while it runs."""

    def __init__(self, plan: MatchPlan, games: int, sprt: Sprt | None) -> None:
        self.plan = plan
        self.games = games
        self.sprt = sprt
        self.played: dict[int, StoredGame] = {}
        self.counted = games
        """Games with lower numbers count; less than `games` once the SPRT has ended the match."""
        self.finished = 0
        """Number of finished games that count."""
        self._judged = 0
        """All games with lower numbers are finished, and the SPRT has seen their pairs."""
        self._pairs = [0] * 5

    @property
    def left(self) -> int:
        return self.counted - self.finished

    def add(self, game: StoredGame) -> None:
        self.played[game.record.number] = game
        self.finished += game.record.number < self.counted
        while self.sprt and self.counted == self.games and self._next_pair():
            if self.sprt.verdict(self.sprt.llr(self._pairs)):
                self.counted = self.finished = self._judged

    def _next_pair(self) -> bool:
        """Pass the next pair to the SPRT. Pairs go in the order of their numbers, so that the
        verdict does not depend on which game finishes first."""
        pair = [self.played.get(self._judged + game) for game in (0, 1)]
        scores = [game.record.score for game in pair if game is not None]
        if len(scores) < 2:
            return False
        self._pairs[round(2 * sum(scores))] += 1
        self._judged += 2
        return True

    def shares(self) -> list[Share]:
        """Which versions have played the games that count."""
        return shares_of(game.origin for n, game in self.played.items() if n < self.counted)

    def result(self, seconds: float) -> MatchResult:
        return summarise(
            self.plan,
            [game.record for n, game in self.played.items() if n < self.counted],
            wanted=self.games,
            seconds=seconds,
            sprt=self.sprt,
            shares=self.shares(),
        )


def play_matches(
    plans: Sequence[MatchPlan],
    *,
    games: int | Sequence[int],
    device: Device | None,
    store: Store | None = None,
    sprt: Sprt | None = None,
    progress: Progress | None = None,
    mix_versions: bool = False,
) -> list[MatchResult]:
    """Play all games of all plans that are not in the store yet; Ctrl-C stops early.

    `games` is one number for all plans, or one for each plan (0 for none). With `sprt` a match ends
    as soon as the test is decided. Without a device nothing is played: the results are those of the
    games in the store. UsageError if a version with other kernels has begun a match, unless
    `mix_versions` allows that.
    """
    least, counts = (1, [games] * len(plans)) if isinstance(games, int) else (0, list(games))
    for count in counts:
        if not least <= count <= MAX_GAMES:
            raise UsageError(f"a match has {least} to {MAX_GAMES:,} games, not {count}")
    begin = time.perf_counter()
    matches = [
        _Match(_normal(plan), count, sprt) for plan, count in zip(plans, counts, strict=True)
    ]
    if len({match.plan for match in matches}) < len(matches):
        raise UsageError("the same match is listed twice")
    for match in matches:
        for game in store.games(match.plan) if store is not None else ():
            if game.record.number < match.games:
                match.add(game)
    running = {match.plan: match for match in matches if match.left}

    def tell(begun: float = 0.0, status: str = "") -> None:
        if progress is not None:
            finished, total = sum(m.finished for m in matches), sum(m.counted for m in matches)
            progress(finished, total, begun, status)

    try:
        if store is not None and device is not None and not mix_versions:
            for match in running.values():
                _refuse_mixture(match, store, tell)
        tell()
        if running and device is not None:
            check_plans(list(running), device, lambda status: tell(status=status))
            _play(running, device, store, tell)
    except KeyboardInterrupt:
        pass
    seconds = time.perf_counter() - begin
    return [match.result(seconds) for match in matches]


def _refuse_mixture(match: _Match, store: Store, tell: Callable[[float, str], None]) -> None:
    """UsageError if the match was begun by a version with other kernels.

    A stored game is played again where digests cannot tell, and the store notes what came out.
    """
    plan, shares = match.plan, match.shares()
    if all(share.version == program_version() for share in shares):
        return
    number, kernels = store.match_id(plan), plan_kernels(plan)

    def compare(share: Share) -> str:
        alike = [one for one in match.played.values() if one.origin.kernels == share.kernels]
        game = shortest_game(plan, [one.record for one in alike])
        if game is None:
            return "unknown"
        tell(0.0, f"playing game {game.number} by uctlab {share.version} again")
        if not plays_alike(plan, game):
            return "different"
        store.renew(kernels, match=number, was=share.kernels)
        for one in alike:
            new = replace(one, origin=one.origin._replace(kernels=kernels))
            match.played[one.record.number] = new
        return ""

    refuse_mixture(f"{store.path}, {plan}", shares, kernels, compare)


def _play(
    running: dict[MatchPlan, _Match],
    device: Device,
    store: Store | None,
    tell: Callable[[float, str], None],
) -> None:
    # Of matches that have a finished game: a league has thousands, and may be stopped early.
    ids: dict[MatchPlan, int] = {}
    digests: dict[int, str] = {}
    with closing(device.run(_tasks(list(running.values())))) as finished:
        for batch in finished:
            games_of = [running[task.plan] for task, _ in batch.outcomes]
            here = Origin(0, program_version(), "")
            games = [StoredGame(record, here) for _, record in batch.outcomes]
            if store is not None and games:
                for plan in {match.plan for match in games_of} - ids.keys():
                    ids[plan] = store.match_id(plan)
                    digests[ids[plan]] = plan_kernels(plan)
                new = [(ids[task.plan], record) for task, record in batch.outcomes]
                games = store.add(new, digests)
            for match, game in zip(games_of, games, strict=True):
                match.add(game)
            tell(batch.begun, batch.status)
            if not any(match.left for match in running.values()):
                break


def _tasks(matches: list[_Match]) -> Iterator[GameTask]:
    """The games still to be played, one from each match in turn."""
    for number in range(max((match.games for match in matches), default=0)):
        for match in matches:
            if number < match.counted and number not in match.played:
                yield GameTask(match.plan, number)


def _normal(plan: MatchPlan) -> MatchPlan:
    """The same plan with canonical names, under which a store finds it again."""
    game = plan.game
    if plan.own_game is None and not is_own_file(game):
        game = make_game(game).name
    a = plan.a if plan.own_a else player_name(plan.a)
    b = plan.b if plan.own_b else player_name(plan.b)
    return replace(plan, game=game, a=a, b=b)
