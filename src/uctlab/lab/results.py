"""Results on disk: reports of experiments, and the matches in stores.

Everything is only read. A store may be in use by a running match, so that reading takes a moment
and never waits for the writer.
"""

from __future__ import annotations

import html
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from uctlab.arena.packed import SUFFIX, packed_form
from uctlab.arena.store_peek import MatchSummary, latest_games, summaries
from uctlab.arena.store_rows import NotAStore
from uctlab.errors import LabError, UsageError
from uctlab.lab.own_games import is_known, lab_game
from uctlab.papers.pages import HTML, MARKDOWN, saved_page
from uctlab.papers.report import FILE, read_report
from uctlab.user_files import REPORT, read_file

SHOWN = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
MAX_REPORTS = 200
MAX_STORES = 100
MAX_MATCHES = 500  # that are shown, of all stores together
MAX_READ = 10_000  # of a store, the latest
MAX_GAMES = 500  # of a match
RUNNING_SECONDS = 60.0  # a match whose last game is no older counts as running
PATIENCE = 0.2  # seconds to wait for a writer
_NAME = re.compile(r"[\w][\w.+=-]*")
_DATE = re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b")


@dataclass(frozen=True)
class KnownStore:
    """What a store contained when it was last read."""

    state: tuple[int, int]
    """When its file was last changed, and its size."""
    matches: tuple[MatchSummary, ...] = ()
    troubles: tuple[str, ...] = ()
    """What is damaged in it, or why none of its matches can be shown."""


class Results:
    def __init__(self, folder: Path, here: Path) -> None:
        self.folder = folder
        """Contains the reports, each in its own folder with its store."""
        self.here = here
        """Where `uctlab match --store` may have put more stores."""
        self._known: dict[Path, KnownStore] = {}

    def reports(self) -> list[dict[str, Any]]:
        """Newest first, by the dates in them: a clone gives all files the same time."""
        found = []
        for folder in self._folders():
            with suppress(OSError, UsageError):  # no report, or it has just been removed
                found.append(_report(folder))
        return sorted(found, key=lambda report: report["date"], reverse=True)[:MAX_REPORTS]

    def file(self, report: str, name: str) -> bytes | None:
        """A file of a report, if it may be shown; UsageError if it cannot be read.

        The page of a report is made from its data where it was not kept, as in the repository.
        """
        if not _NAME.fullmatch(report) or not _NAME.fullmatch(name):
            return None
        path = self.folder / report / name
        wanted = path if path.is_file() or name != HTML else path.with_name(FILE)
        if path.suffix not in SHOWN or not wanted.is_file():
            return None
        if not wanted.resolve().is_relative_to(self.folder.resolve()):
            return None
        return saved_page(path.parent).encode() if wanted != path else read_file(path, REPORT)

    def matches(self) -> dict[str, Any]:
        """The matches by their stores: how many each has, and those that are shown, running ones
        first and then those with the most games. Also what is wrong with which store.

        A store with a running match comes first, then the one with the latest game. One with too
        many matches, such as a league's, leaves room for the others and comes after them.
        """
        stores: list[tuple[str, tuple[MatchSummary, ...]]] = []
        troubles: list[dict[str, str]] = []
        for path in list(self._stores())[:MAX_STORES]:
            known = self._read(path)
            if known.matches:
                stores.append((self._name(path), known.matches))
            troubles += [{"store": self._name(path), "reason": why} for why in known.troubles]
        share = MAX_MATCHES // max(1, len(stores))

        def order(store: tuple[str, tuple[MatchSummary, ...]]) -> tuple[bool, bool, float]:
            latest = max(store[1], key=_finished)
            return not _is_running(latest), len(store[1]) > share, -_finished(latest)

        stores.sort(key=order)
        return {
            "matches": [
                _match(match, name)
                for name, matches in stores
                for match in sorted(matches, key=_rank)[:share]
            ],
            "totals": {name: len(matches) for name, matches in stores},
            "troubles": troubles,
        }

    def games(self, match: str) -> dict[str, Any] | None:
        """The games of a match, the latest ones if there are many; None if there is none."""
        known = {
            f"{self._name(path)}#{one.id}": (path, one)
            for path in self._stores()
            for one in self._read(path).matches
        }
        if match not in known:
            return None
        path, summary = known[match]
        games = latest_games(path, summary.id, limit=MAX_GAMES, patience=PATIENCE)
        plan = summary.plan
        shown = is_known(plan.game)
        return {
            "game": plan.game,
            "shown": shown,
            "colours": list(lab_game(plan.game).colours) if shown else ["B", "W"],
            "players": [plan.a, plan.b],
            "total": summary.score.games,
            "games": [
                {
                    "number": game.number,
                    "a_first": game.number % 2 == 0,
                    "score": game.score,
                    "ending": game.ending,
                    "moves": game.moves.split(),
                }
                for game in games
            ],
        }

    def _name(self, path: Path) -> str:
        """Unlike that of any other store."""
        if path.parent == self.here:
            return path.name
        return str(self.folder.resolve().name / path.relative_to(self.folder))

    def _folders(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return sorted(
            path
            for path in self.folder.iterdir()
            if path.is_dir() and not path.is_symlink() and _NAME.fullmatch(path.name)
        )

    def _stores(self) -> Iterator[Path]:
        found = {
            path.resolve(): path
            for folder in [self.here, self.folder, *self._folders()]
            if folder.is_dir()
            for path in sorted((*folder.glob("*.sqlite"), *folder.glob("*.sqlite.xz")))
            if path.suffix != SUFFIX or packed_form(path.with_suffix("")) is not None
        }
        yield from found.values()

    def _read(self, path: Path) -> KnownStore:
        """Read again only if the file has changed and is not just being written."""
        known = self._known.get(path, KnownStore((0, 0)))
        try:
            facts = path.stat()
            state = (facts.st_mtime_ns, facts.st_size)
            if state != known.state:
                found, damage = summaries(path, limit=MAX_READ, patience=PATIENCE)
                known = KnownStore(state, tuple(found), damage)
        except FileNotFoundError:
            return KnownStore((0, 0))
        except LabError:  # in use
            return known
        except NotAStore:
            known = KnownStore(state)
        except UsageError as mistake:
            known = KnownStore(state, troubles=(f"it is not shown, since {mistake}",))
        self._known[path] = known
        return known


def _report(folder: Path) -> dict[str, Any]:
    """A report that was written by hand may have no page but the one in Markdown."""
    files = {p.name for p in folder.iterdir() if p.suffix in SHOWN and p.is_file()}
    files |= {HTML} if FILE in files else set()
    page = folder / (HTML if HTML in files else MARKDOWN)
    dated = page if page.is_file() else folder / FILE
    title, date = _title_and_date(page, dated.stat().st_mtime)
    return {
        "id": folder.name,
        "title": title,
        "date": date,
        "page": page.name,
        "files": [name for name in sorted(files) if _NAME.fullmatch(name)],
    }


@lru_cache(maxsize=MAX_REPORTS)
def _title_and_date(page: Path, changed: float) -> tuple[str, str]:
    """`changed` is in the cache's key, so that an edited report is read again."""
    try:
        report = read_report(page.with_name(FILE))
        return report.title, report.provenance.date
    except UsageError:  # earlier versions of uctlab wrote no such file
        text = read_file(page, REPORT).decode("utf-8", "replace")
        title = re.search(r"<title>(.+?)</title>|^# (.+)", text, re.MULTILINE)
        name = html.unescape(title[1]) if title and title[1] else title[2] if title else ""
        return name or page.parent.name, max(_DATE.findall(text), default="")


def _finished(match: MatchSummary) -> float:
    return match.finished or 0.0


def _is_running(match: MatchSummary) -> bool:
    return time.time() - _finished(match) < RUNNING_SECONDS


def _rank(match: MatchSummary) -> tuple[bool, int, float]:
    return not _is_running(match), -match.score.games, -_finished(match)


def _match(match: MatchSummary, store: str) -> dict[str, Any]:
    score, plan = match.score, match.plan
    return {
        "id": f"{store}#{match.id}",
        "store": store,
        "name": f"{plan.game}: {plan.a} against {plan.b}",
        "game": plan.game,
        "players": [plan.a, plan.b],
        "playouts": plan.playouts,
        "seconds": plan.seconds,
        "seed": plan.seed,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.percent,
        "interval": list(score.wilson) if score.wilson else None,
        "finished": match.finished,
        "running": _is_running(match),
    }
