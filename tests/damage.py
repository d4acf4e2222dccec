"""What becomes of a store in which a bit is flipped, or whose end is cut off.

    python -m tests.damage --flips 10000 --cuts 1000

damages copies of a small store and uses each in every way that stores are used. That is *refused*
with one line, or what is damaged is *reported* and does not count, or it has *no effect*: all is as
in the undamaged store. Anything else is a failure.
"""

import argparse
import io
import json
import random
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path

from tests.stored_matches import PLAN, RECORD
from uctlab.arena.match import play_matches
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch
from uctlab.cli.stored_games import export_games, list_matches, merge_stores
from uctlab.errors import LabError, UsageError
from uctlab.lab.results import Results

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # nothing waits for a disk there
GAMES = 20
PLANS = (PLAN, replace(PLAN, seed=4, a="uct(c=2)"))
OUTCOMES = {f"a task: {number}": [number, "a1"] for number in range(12)}


def record_of(plan, number):
    """Any game; some records are larger than a page."""
    chance = random.Random(f"{plan.seed} {number}")
    lost = {"moves": "a1 b2", "length": 2, "ending": "forfeit (crashed): " + "no " * 2000}
    return replace(
        RECORD,
        number=number,
        score=chance.choice((0.0, 1.0)),
        seed=chance.getrandbits(60),
        seconds_a=chance.random(),
        referee=chance.choice(("", "B+2.5")),
        opinion="W+3.5",
        **(lost if number % 10 == 7 else {}),
    )


def build(path):
    """Two runs, two matches, and outcomes of other tasks."""
    for plan in PLANS:
        with Store(path) as store:
            match = store.match_id(plan)
            store.add([(match, record_of(plan, n)) for n in range(GAMES)], {match: "3.11 digest"})
            store.keep({task: OUTCOMES[task] for task in sorted(OUTCOMES)[plan.seed :: 2]})


class Ready:
    """A device on which every game is played as it was before."""

    searches_on_cpu = False

    def run(self, tasks):
        for task in tasks:
            yield Batch([(task, record_of(task.plan, task.number))])


# The uses. Each gets a store, in a folder of its own, and returns figures.


def listed(path):
    return printed(list_matches, str(path), True)


def exported(path):
    out = path.parent / "out"
    printed(export_games, str(path), out, 1, False)
    return {str(file.relative_to(out)): file.read_text() for file in out.rglob("*.sgf")}


def merged(path):
    new = path.parent / "new"
    facts = printed(merge_stores, str(new), [str(path)], True).replace(str(path), "")
    return facts, listed(new)


def on_the_page(path):
    """What is wrong is part of what is shown there."""
    results = Results(path.parent / "none", path.parent)
    shown = results.matches()
    print(*(f"{one['store']}: {one['reason']}" for one in shown.pop("troubles")), file=sys.stderr)
    return shown, [results.games(match["id"]) for match in shown["matches"]]


def in_a_report(path):
    with Store(path) as store:
        for plan in PLANS:
            assert all(game == record_of(plan, game.number) for game in store.records(plan))
        outcomes = store.outcomes()
        assert outcomes.items() <= OUTCOMES.items()
        return store.sums(), store.runs(), store.run_seconds(), outcomes, store.origins()


def in_a_match(path):
    with Store(path) as store:
        results = play_matches(PLANS, games=GAMES, device=None, store=store)
    return [replace(result, seconds=0.0) for result in results]


def gone_on_with(path):
    """Whatever is missing is played again, and then nothing is. Totals that do not fit stay so if
    there is nothing to be played."""
    with Store(path) as store:
        play_matches(PLANS, games=GAMES, device=Ready(), store=store)
        store.keep({task: o for task, o in OUTCOMES.items() if task not in store.outcomes()})
    with Store(path) as store:
        games = [store.records(plan) for plan in PLANS]
        assert games == [[record_of(plan, n) for n in range(GAMES)] for plan in PLANS]
        assert store.outcomes() == OUTCOMES
        assert not any("does not count" in damage for damage in store.damage)
    return "whole"


USES = (listed, exported, merged, on_the_page, in_a_report, in_a_match, gone_on_with)


def printed(command, *arguments):
    out = io.StringIO()
    with redirect_stdout(out):
        command(*arguments)
    return out.getvalue()


def use(way, data):
    """The figures, or None if the store is refused; and what was reported."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, redirect_stderr(said):
        path = Path(folder) / "store.sqlite"
        path.write_bytes(data)
        try:
            found = way(path)
        except (UsageError, LabError) as refusal:
            return None, str(refusal)
    return json.dumps(found, default=repr).replace(folder, ""), said.getvalue().strip()


def flipped(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def damaged(data, flips, cuts, seed):
    """Copies of the data and what was done to them."""
    chance = random.Random(seed)
    for bit in chance.sample(range(8 * len(data)), flips):
        yield f"flip of bit {bit}", flipped(data, bit)
    for size in chance.sample(range(len(data)), cuts):
        yield f"cut to {size} bytes", data[:size]


def trial(flips, cuts, seed=0, uses=USES):
    """How often each use had each outcome, and the failures."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder) / "store.sqlite")
        data = (Path(folder) / "store.sqlite").read_bytes()
    undamaged = {way: use(way, data) for way in uses}
    counts, failures = Counter(), []
    for what, bad in damaged(data, flips, cuts, seed):
        kind = what.split()[0]
        for way in uses:
            try:
                figures, said = use(way, bad)
            except Exception as error:
                failures.append(f"{way.__name__}, {what}: {type(error).__name__}: {error}")
                continue
            if figures is None:
                outcome = "refused"
            elif said:
                outcome = "reported"
            elif figures == undamaged[way][0]:
                outcome = "no effect"
            else:
                failures.append(f"{way.__name__}, {what}: other figures, and not a word")
                continue
            counts[kind, way.__name__, outcome] += 1
    return counts, failures


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for name, default in (("flips", 1000), ("cuts", 100), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    counts, failures = trial(**vars(parser.parse_args()))
    for key, count in sorted(counts.items()):
        print(*key, count, sep="\t")
    print(*failures, f"{len(failures)} failures", sep="\n")
    sys.exit(bool(failures))
