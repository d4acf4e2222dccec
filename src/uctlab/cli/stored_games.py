"""The commands below `uctlab games`: list, export, merge and judge the games of stores."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from uctlab.arena.packed import pack
from uctlab.arena.rejudge import SecondVerdict, in_words, judge_again
from uctlab.arena.result import MatchResult, summarise
from uctlab.arena.store import Store
from uctlab.arena.store_merge import Merged, merge_store, mixed_matches
from uctlab.arena.store_reader import StoredMatch, StoreReader
from uctlab.arena.store_rows import StoredGame
from uctlab.arena.versions import shares_of
from uctlab.atomic_files import replace_file
from uctlab.cli.arguments import print_json
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.registry import own_files
from uctlab.games.sgf import write_sgf
from uctlab.user_modules import refuse_files


def list_matches(store: str, json: bool) -> None:
    with StoreReader(store) as opened, opened.snapshot():
        results = [(match, _result(match, opened.games(match.id))) for match in opened.matches()]
    if json:
        matches = [{"id": match.id, **result.as_json()} for match, result in results]
        print_json({"matches": matches, "damage": opened.damage})
        return
    if not results:
        print(f"{store} has no match yet")
    for match, result in results:
        score = result.score
        share = "" if score.percent is None else f"; A scores {score.percent:.1f} %"
        share += "" if score.interval is None else f" +- {score.interval:.1f}"
        print(f"{match.id:4}  {match.plan}")
        print(f"      {match.plan.conditions}, seed {match.plan.seed}; {score.games} games{share}")
        if result.versions:
            print(f"      {result.versions}")


def _result(match: StoredMatch, games: list[StoredGame]) -> MatchResult:
    records = [game.record for game in games]
    shares = shares_of(game.origin for game in games)
    return summarise(match.plan, records, wanted=len(games), seconds=0, shares=shares)


def export_games(store: str, out: Path, match: int | None, trust: bool) -> None:
    with StoreReader(store) as opened:
        total = 0
        for found in _chosen(opened, match, trust):
            game = make_game(found.plan.game)
            if not game.sgf_root:
                print(
                    f"match {found.id} is skipped: {game.name} has no SGF format", file=sys.stderr
                )
                continue
            total += _export(opened, found, Position.start(game), out)
    print(f"{total} games written to {out}")


def merge_stores(store: str, sources: Sequence[str], json: bool) -> None:
    for source in sources:
        if not os.path.isfile(source):
            raise UsageError(f"there is no store {source}")
        if os.path.exists(store) and os.path.samefile(source, store):
            raise UsageError(f"{source} cannot be merged into itself")
    merged = []
    with Store(store) as opened:
        for source in sources:
            one = merge_store(opened, Path(source))
            merged.append({"from": source, **one._asdict()})
            if not json:
                print(_merged_in_words(source, store, one))
        mixed = mixed_matches(opened)
    if json:
        print_json({"merged": merged, "mixed_matches": mixed})
    elif mixed:
        print(
            f"matches with games by versions whose kernels differ or cannot be compared: {mixed}; "
            f"uctlab games stored {store} names the versions"
        )


def _merged_in_words(source: str, store: str, merged: Merged) -> str:
    text = f"{source}: games added: {merged.games:,}"
    text += f", other results added: {merged.outcomes:,}" if merged.outcomes else ""
    text += f", there already: {merged.known:,}"
    if merged.different:
        text += f"; {merged.different:,} of these are different there, those of {store} stay"
    return text


def pack_stores(stores: list[str]) -> None:
    for path in map(Path, stores):
        with StoreReader(path) as opened, opened.snapshot():
            pass  # it is a store, and nobody is writing to it
        packed = pack(path)
        print(f"{packed}: {packed.stat().st_size:,} bytes, of {path.stat().st_size:,}")


def judge_games(store: str, match: int | None, write: bool, trust: bool, json: bool) -> None:
    found: list[tuple[StoredMatch, list[SecondVerdict]]] = []
    with Store(store, create=False) as opened:
        matches = _chosen(opened, match, trust)
        for one in matches:
            start = Position.start(make_game(one.plan.game))
            verdicts = list(judge_again(start, opened.records(one.id)))
            if not verdicts:
                continue
            found.append((one, verdicts))
            if write:
                opened.revise(one.id, [verdict.revised for verdict in verdicts if verdict.change])
    if json:
        print_json({"matches": [_judged_json(one, verdicts) for one, verdicts in found]})
        return
    if not found:
        print(f"{store} has no game that a referee has judged")
    for one, verdicts in found:
        print(f"{one.id:4}  {one.plan}\n      {in_words(verdicts)}")
        changed = [verdict for verdict in verdicts if verdict.change]
        if changed:
            Console().print(_changes(changed))
    if found and not write and any(v.change for _, verdicts in found for v in verdicts):
        print("nothing was stored; --write does that")


def _changes(verdicts: list[SecondVerdict]) -> Table:
    table = Table("game", "before", "now", "opponent", "A scored", "A scores", "", box=None)
    for one in verdicts:
        record = one.record
        table.add_row(
            str(record.number),
            record.referee,
            one.referee,
            record.opinion or "-",
            f"{record.score:g}",
            f"{one.score:g}",
            record.settled and f"played on: {record.settled}",
        )
    return table


def _judged_json(match: StoredMatch, verdicts: list[SecondVerdict]) -> dict[str, object]:
    return {
        "id": match.id,
        "game": match.plan.game,
        "a": match.plan.a,
        "b": match.plan.b,
        "judged": len(verdicts),
        "changes": [
            {
                "number": one.record.number,
                "change": one.change,
                "before": one.record.referee,
                "now": one.referee,
                "opinion": one.record.opinion,
                "settled": one.record.settled,
                "score_before": one.record.score,
                "score": one.score,
            }
            for one in verdicts
            if one.change
        ],
    }


def _chosen(store: StoreReader, match: int | None, trust: bool) -> list[StoredMatch]:
    """All matches of a store, or one of them, if their games may be run."""
    matches = [found for found in store.matches() if match in (None, found.id)]
    if not matches:
        known = ", ".join(str(found.id) for found in store.matches()) or "no matches"
        raise UsageError(f"{store.path} has no such match; it has {known}")
    if not trust:
        for found in matches:
            refuse_files(f"match {found.id} of {store.path}", own_files(found.plan.game))
    return matches


def _export(store: StoreReader, match: StoredMatch, start: Position, out: Path) -> int:
    """Write the games of one match and return their number."""
    plan = match.plan
    folder = out / re.sub(r"[^\w.=-]+", "_", f"{match.id}-{plan.game}-{plan.a}-{plan.b}")[:120]
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for record in store.records(match.id):
            first, second = (plan.a, plan.b) if record.number % 2 == 0 else (plan.b, plan.a)
            first_scores = record.score if record.number % 2 == 0 else 1 - record.score
            data = write_sgf(
                start.play_all(record.moves),
                players=(first, second),
                first_scores=first_scores,
                resigned=record.ending == "resigned",
                comment=f"{plan}, game {record.number}, seed {record.seed}: {record.ending}"
                + (f"; played on: {record.settled} ({record.cleanup})" if record.settled else ""),
            )
            replace_file(folder / f"{record.number:05}.sgf", data)
            count += 1
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from None
    return count
