"""What has been found so far: reports of experiments, and the matches of stores.

Everything is only read. A store may be in use by a running match, so that reading takes a moment
and nothing is ever waited for.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from uctlab.arena.statistics import Score
from uctlab.arena.store import APPLICATION

SHOWN = {
    ".html": "text/html; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
MAX_REPORTS = 200
MAX_STORES = 100
MAX_MATCHES = 500
RUNNING_SECONDS = 60.0  # since the last game of a match that counts as running
PATIENCE = 0.2  # seconds to wait for a writer
_NAME = re.compile(r"[\w][\w.+=-]*")
_QUERY = """
SELECT matches.id, matches.plan, count(games.number), sum(games.score = 1.0),
    sum(games.score = 0.5), sum(games.score = 0.0), max(games.finished)
FROM matches LEFT JOIN games ON games.match = matches.id
GROUP BY matches.id ORDER BY matches.id DESC LIMIT ?
"""


@dataclass(frozen=True)
class KnownStore:
    """What a store held when it was last read."""

    state: tuple[int, int]
    """When its file was changed, and its size."""
    matches: tuple[dict[str, Any], ...]


class Results:
    def __init__(self, folder: Path, here: Path) -> None:
        self.folder = folder
        """Of reports, each in a folder of its own with its store."""
        self.here = here
        """Where `uctlab match --store` may have put more stores."""
        self._known: dict[Path, KnownStore] = {}

    def reports(self) -> list[dict[str, Any]]:
        """The newest first."""
        found = []
        for folder in self._folders():
            with suppress(OSError):  # no report, or one that has just been removed
                found.append(_report(folder))
        return sorted(found, key=lambda report: report["changed"], reverse=True)[:MAX_REPORTS]

    def file(self, report: str, name: str) -> Path | None:
        """A file of a report, if it is one that may be shown."""
        if not _NAME.fullmatch(report) or not _NAME.fullmatch(name):
            return None
        path = self.folder / report / name
        if path.suffix not in SHOWN or not path.is_file():
            return None
        inside = path.resolve().is_relative_to(self.folder.resolve())
        return path if inside else None

    def matches(self) -> list[dict[str, Any]]:
        """Of all stores, those with the latest games first."""
        found: list[dict[str, Any]] = []
        for path in list(self._stores())[:MAX_STORES]:
            inside = path.parent.parent == self.folder
            found += self._matches_of(path, path.parent.name if inside else "")
        now = time.time()
        for match in found:
            match["running"] = match["finished"] is not None and (
                now - match["finished"] < RUNNING_SECONDS
            )
        return sorted(found, key=lambda match: -(match["finished"] or 0.0))[:MAX_MATCHES]

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
            for path in sorted(folder.glob("*.sqlite"))
        }
        yield from found.values()

    def _matches_of(self, path: Path, folder: str) -> list[dict[str, Any]]:
        """Read anew only when the file has changed; while a writer is at it, what was last read."""
        known = self._known.get(path, KnownStore((0, 0), ()))
        try:
            facts = path.stat()
            state = (facts.st_mtime_ns, facts.st_size)
            if state != known.state:
                known = KnownStore(state, _read_matches(path, folder))
                self._known[path] = known
        except FileNotFoundError:
            return []
        except sqlite3.OperationalError:
            pass
        return [dict(match) for match in known.matches]


def _report(folder: Path) -> dict[str, Any]:
    page = folder / "report.md"
    changed = page.stat().st_mtime
    title, date = _title_and_date(page, changed)
    files = sorted(p.name for p in folder.iterdir() if p.suffix in SHOWN and p.is_file())
    return {
        "id": folder.name,
        "title": title,
        "date": date,
        "changed": changed,
        "files": [name for name in files if _NAME.fullmatch(name)],
    }


@lru_cache(maxsize=MAX_REPORTS)
def _title_and_date(page: Path, changed: float) -> tuple[str, str]:
    """`changed` makes an edited file another one."""
    text = page.read_text(errors="replace")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    date = re.search(r"^date +(\S+)$", text, re.MULTILINE)
    day = date[1] if date else time.strftime("%Y-%m-%d", time.localtime(changed))
    return (title[1] if title else page.parent.name), day


def _read_matches(path: Path, folder: str) -> tuple[dict[str, Any], ...]:
    try:
        address = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as store:
            if store.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                return ()
            rows = store.execute(_QUERY, (MAX_MATCHES,)).fetchall()
    except sqlite3.OperationalError:
        raise  # a writer is at it
    except sqlite3.DatabaseError:
        return ()  # no store
    return tuple(_match(row, path.name, folder) for row in rows)


def _match(row: tuple[Any, ...], store: str, folder: str) -> dict[str, Any]:
    number, plan_text, games, wins, draws, losses, finished = row
    plan = json.loads(plan_text)
    score = Score(wins or 0, draws or 0, losses or 0)
    return {
        "id": f"{folder}/{store}#{number}" if folder else f"{store}#{number}",
        "report": folder or None,
        "name": f"{plan['game']}: {plan['a']} against {plan['b']}",
        "game": plan["game"],
        "players": [plan["a"], plan["b"]],
        "playouts": plan.get("playouts"),
        "seconds": plan.get("seconds"),
        "seed": plan.get("seed"),
        "games": games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "score": score.percent,
        "interval": list(score.wilson) if score.wilson else None,
        "finished": finished,
    }
