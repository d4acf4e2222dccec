"""The result of a match: scores, statistics and warnings, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from uctlab.arena.game import GameRecord
from uctlab.arena.plan import MatchPlan
from uctlab.arena.playing_on import disagree, judged_in_words
from uctlab.arena.sprt import Sprt
from uctlab.arena.statistics import Score, elo, elo_interval, finite, pair_counts
from uctlab.arena.stopped import MAX_PAIRS, METHOD, Estimate, adjusted_estimate
from uctlab.arena.versions import Share, by_version, kernels_in_words, versions_in_words
from uctlab.drawing import html
from uctlab.frames import make_frame

if TYPE_CHECKING:  # it is slow to load, and not always installed
    from matplotlib.axes import Axes

PLAYED = ("game", "a", "b", "playouts", "seconds", "openings", "resign", "seed")
"""The fields of a plan that a table of results has."""


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The result of a match. All scores are A's.

    It prints as text, shows its table in notebooks, and has `to_frame()` and `plot()`.

    Examples:
        >>> result = uctlab.match("hex:4", "uct", "mc", games=4, playouts=50, workers=1)
        >>> result.score.wins + result.score.draws + result.score.losses
        4
    """

    plan: MatchPlan
    score: Score
    first: Score
    """Score of the games in which A moved first."""
    second: Score
    pairs: tuple[int, int, int, int, int]
    """Pairs of games in which A got 0, 1/2, 1, 3/2, 2 points."""
    repeats: int
    """Games with the same moves as an earlier game in which the same player moved first."""
    forfeited: Score
    """Games that one side lost by forfeit, which are among `score` as well."""
    forfeit: str
    """The reason for the first forfeit."""
    unfinished: int
    """Games that reached the limit on moves and count as draws."""
    resigned: int
    """Games that one side gave up."""
    judged: int
    """Games that a referee has judged and the external program has scored too."""
    disputed: int
    """Number of those in which the two disagree on the winner."""
    settled: Mapping[str, int]
    """How many of these were settled in which way; see playing_on.py."""
    length: float
    """Mean number of moves per game."""
    speed: tuple[float | None, float | None]
    """Playouts per second of A and B while searching; None for an external program."""
    wanted: int
    """Number of games requested."""
    seconds: float
    """Wall time of this run, without games that were already in the store."""
    sprt: Sprt | None = None
    shares: tuple[Share, ...] = ()
    """Which versions of uctlab have played how many of the games."""
    records: tuple[GameRecord, ...] = field(default=(), compare=False, repr=False)
    """The games that count, in the order of their numbers."""

    @property
    def forfeits(self) -> int:
        return self.forfeited.games

    @property
    def contested(self) -> Score:
        """Score of the games that nobody lost by forfeit."""
        every, lost = self.score, self.forfeited
        return Score(every.wins - lost.wins, every.draws, every.losses - lost.losses)

    @property
    def llr(self) -> float | None:
        return self.sprt.llr(self.pairs) if self.sprt else None

    @property
    def verdict(self) -> str:
        """elo0, elo1, or empty while neither is accepted."""
        return self.sprt.verdict(self.llr or 0.0) if self.sprt else ""

    @property
    def complete(self) -> bool:
        return self.score.games >= self.wanted or self.verdict != ""

    @property
    def elo(self) -> float | None:
        """Elo of A minus Elo of B; infinite if A won or lost every game."""
        games = self.score.games
        return elo(self.score.points / games) if games else None

    @property
    def elo_interval(self) -> tuple[float, float] | None:
        """As if the number of games had been fixed, which it is not with an SPRT."""
        return elo_interval(self.score, self.pairs) if self.score.games else None

    @property
    def adjusted(self) -> Estimate | None:
        """The Elo difference adjusted for the SPRT; None without one."""
        return adjusted_estimate(self.pairs, self.sprt) if self.sprt else None

    def strength(self) -> tuple[float, float, float] | None:
        """The Elo difference and its 95 % interval, adjusted for the SPRT if there is one."""
        if self.elo is None or self.elo_interval is None:
            return None
        found = self.adjusted
        return (found.elo, found.low, found.high) if found else (self.elo, *self.elo_interval)

    def figures(self) -> dict[str, Any]:
        """The figures of the match; scores in percent, Elo as in `strength`."""
        score = self.score
        low, high = score.wilson or (None, None)
        elo, elo_low, elo_high = self.strength() or (None, None, None)
        return {
            "games": score.games,
            **score.as_json(),
            "score": score.percent,
            "score_low": low,
            "score_high": high,
            "elo": elo,
            "elo_low": elo_low,
            "elo_high": elo_high,
            "superiority": score.superiority,
            "verdict": self.verdict,
        }

    def to_frame(self) -> Any:
        """A pandas.DataFrame with one row: who played, how, and `figures()`."""
        facts = {name: getattr(self.plan, name) for name in PLAYED}
        return make_frame([facts | self.figures()])

    def games_frame(self) -> Any:
        """A pandas.DataFrame with one row per game: score, moves, length, times, ..."""
        return make_frame(map(asdict, self.records), list(GameRecord.__dataclass_fields__))

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw A's score after each game with its 95 % interval; returns matplotlib's axes."""
        from uctlab.arena.pictures import plot_match  # noqa: PLC0415 (it needs this class)

        return plot_match(self, ax)

    def _repr_html_(self) -> str:
        columns = ["", "games", "won", "drawn", "lost", "A scores", "95 % interval"]
        title = f"{self.plan.game}: A = {self.plan.a} against B = {self.plan.b}, "
        title += f"{self.plan.conditions}, seed {self.plan.seed}"
        rows = [
            [
                *(name, *map(str, (part.games, part.wins, part.draws, part.losses))),
                *(part.percent_text, part.wilson_text and f"{part.wilson_text} %"),
            ]
            for name, part in self._parts()
        ]
        return html.table(columns, rows, caption=title) + html.paragraphs(self._remarks())

    @property
    def versions(self) -> str:
        """Who played how many games and whether with the same kernels; empty for one version."""
        words = versions_in_words(self.shares)
        return words and f"{words}; {kernels_in_words(self.shares)} kernels"

    def as_json(self) -> dict[str, Any]:
        score = self.score
        played = {name: getattr(self.plan, name) for name in PLAYED}
        facts: dict[str, Any] = {
            **played,
            "games": score.games,
            **score.as_json(),
            "score": score.percent,
            "interval": score.interval,
            "wilson": score.wilson and list(score.wilson),
            "elo": finite(self.elo),
            "elo_interval": self.elo_interval and [finite(bound) for bound in self.elo_interval],
            "superiority": score.superiority,
            "first": self.first.as_json(),
            "second": self.second.as_json(),
            "pairs": list(self.pairs),
            "repeats": self.repeats,
            "forfeits": self.forfeits,
            "forfeited": self.forfeited.as_json(),
            "contested": self.contested.as_json() | {"score": self.contested.percent},
            "forfeit": self.forfeit or None,
            "unfinished": self.unfinished,
            "resigned": self.resigned,
            "judged": self.judged,
            "disputed": self.disputed,
            "settled": dict(self.settled),
            "length": self.length,
            "playouts_per_second": dict(zip("ab", self.speed, strict=True)),
            "seconds": self.seconds,
            "wanted": self.wanted,
            "complete": self.complete,
            "seconds_a_move": played["seconds"],
            "versions": [
                {"version": name, "games": count} for name, count in by_version(self.shares).items()
            ],
        }
        if len(facts["versions"]) > 1:
            facts["kernels"] = kernels_in_words(self.shares)
        if self.sprt:
            facts["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "llr": self.llr,
                "bounds": list(self.sprt.bounds),
                "verdict": self.verdict or None,
                "adjusted": self.adjusted and self.adjusted.as_json(),
            }
        return facts

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = [f"{self.plan.game}: A = {self.plan.a} against B = {self.plan.b}"]
        lines.append(f"{self.plan.conditions}, seed {self.plan.seed}")
        if self.score.games:
            lines.append(f"{'':10}{'games':>7}{'won':>7}{'drawn':>7}{'lost':>7}{'A scores':>11}")
            for name, part in self._parts():
                counts = f"{part.games:7}{part.wins:7}{part.draws:7}{part.losses:7}"
                lines.append(f"{name:10}{counts}{part.percent_text:>11}")
        return "\n".join([*lines, *self._remarks()])

    def _parts(self) -> list[tuple[str, Score]]:
        parts = [("A first", self.first), ("A second", self.second), ("all", self.score)]
        if self.forfeits:
            parts += [("forfeits", self.forfeited), ("others", self.contested)]
        return parts

    def _remarks(self) -> list[str]:
        """All that is said below the table."""
        score = self.score
        if score.games == 0:
            return ["no game was finished"]
        lines = []
        assert self.elo is not None and self.elo_interval
        caution = ", not adjusted for the SPRT" if self.sprt else ""
        lines.append(
            f"score {score.percent:.1f} +- {score.interval:.1f} %  "
            f"(Wilson {score.wilson_text}){caution}"
        )
        low, high = self.elo_interval
        lines.append(
            f"Elo {self.elo:+.0f} ({low:+.0f} to {high:+.0f}); "
            f"likelihood that A is stronger: {100 * score.superiority:.1f} %{caution}"
        )
        lines += self._test_in_words()
        speeds = " and ".join(
            "unknown" if speed is None else f"{speed:,.0f}" for speed in self.speed
        )
        lines.append(
            f"{self.length:.1f} moves per game; {speeds} playouts per second; {self.seconds:.1f} s"
        )
        return lines + self._warnings()

    def _test_in_words(self) -> list[str]:
        """The decision of the SPRT and the estimate that allows for stopping; empty without one."""
        if not self.sprt:
            return []
        found = self.adjusted
        if found is None:
            lines = [f"no adjusted Elo: it takes 1 to {MAX_PAIRS:,} pairs of games"]
        else:
            interval = f"{found.elo:+.0f} ({found.low:+.0f} to {found.high:+.0f})"
            lines = [f"adjusted for the SPRT: Elo {interval}, {METHOD}"]
        below, above = self.sprt.bounds
        elo0, elo1 = f"{self.sprt.elo0:g}", f"{self.sprt.elo1:g}"
        llr = f"LLR {self.llr:.2f} ({below:.2f} to {above:.2f})"
        verdicts = {"elo1": f"verdict: {elo1} is accepted, A passes"}
        verdicts["elo0"] = f"verdict: {elo0} is accepted, A fails"
        lines.append(f"SPRT of {elo0} against {elo1} normalized Elo: {llr}")
        return [*lines, verdicts.get(self.verdict, "no verdict yet")]

    def _warnings(self) -> list[str]:
        a, b = self.forfeited.losses, self.forfeited.wins
        missing = self.wanted - self.score.games
        lines = [
            (self.versions, self.versions),
            (self.repeats, f"games that repeat an earlier game: {self.repeats}"),
            (
                self.forfeits,
                f"games lost by forfeit, which count: {a} by A, {b} by B; {self.forfeit}",
            ),
            (self.unfinished, f"games that were too long and count as draws: {self.unfinished}"),
            (self.resigned, f"games that were resigned: {self.resigned}"),
            (self.judged, judged_in_words([self])),
            (not self.complete, f"games missing: {missing} of {self.wanted}"),
        ]
        return [line for needed, line in lines if needed]


def summarise(
    plan: MatchPlan,
    records: Iterable[GameRecord],
    *,
    wanted: int,
    seconds: float,
    sprt: Sprt | None = None,
    shares: Sequence[Share] = (),
) -> MatchResult:
    """Compute the result of a match from its games."""
    games = sorted(records, key=lambda record: record.number)
    even = [record for record in games if record.number % 2 == 0]
    odd = [record for record in games if record.number % 2 == 1]
    forfeits = [record for record in games if record.ending.startswith("forfeit")]
    judged = [record for record in games if record.referee and record.opinion]
    different = {(record.number % 2, record.moves) for record in games}
    return MatchResult(
        plan=plan,
        score=Score.of(game.score for game in games),
        first=Score.of(game.score for game in even),
        second=Score.of(game.score for game in odd),
        pairs=pair_counts({record.number: record.score for record in games}),
        repeats=len(games) - len(different),
        forfeited=Score.of(game.score for game in forfeits),
        forfeit=f"game {forfeits[0].number}: {forfeits[0].ending}" if forfeits else "",
        unfinished=sum(record.ending == "limit" for record in games),
        resigned=sum(record.ending == "resigned" for record in games),
        judged=len(judged),
        disputed=sum(disagree(record.referee, record.opinion) for record in judged),
        settled=Counter(record.settled.split()[0] for record in judged if record.settled),
        length=sum(record.length for record in games) / max(1, len(games)),
        speed=(
            _rate(sum(r.playouts_a for r in games), sum(r.seconds_a for r in games)),
            _rate(sum(r.playouts_b for r in games), sum(r.seconds_b for r in games)),
        ),
        wanted=wanted,
        seconds=seconds,
        sprt=sprt,
        shares=tuple(shares),
        records=tuple(games),
    )


def _rate(playouts: int, seconds: float) -> float | None:
    return playouts / seconds if playouts and seconds > 0 else None
