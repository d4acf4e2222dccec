"""The disk cache: hit by a second process, never stale, never shared by two specialisations."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "connect_four.py"

# Prints a game's playouts and, for all kernels together, how often the disk cache was hit.
PROGRAM = """
import json, sys
from numba.core.dispatcher import Dispatcher
from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.kernel.specialise import _made

facts = {}
for spec in sys.argv[1:]:
    sample = PlayoutSampler(Position.start(make_game(spec)), seed=1).run(200)
    facts[spec] = [sample.result, sample.length]
stats = [k.stats for k in _made.values() if isinstance(k, Dispatcher)]
facts["hits"] = sum(sum(s.cache_hits.values()) for s in stats)
facts["misses"] = sum(sum(s.cache_misses.values()) for s in stats)
print(json.dumps(facts))
"""


@pytest.fixture
def run(tmp_path):
    """Run the program in a process of its own with a cache of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    environment.pop("NUMBA_DISABLE_JIT", None)

    def run_program(*specs):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *map(str, specs)],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return {**json.loads(done.stdout), "said": done.stderr}

    return run_program


def test_second_process_hits_the_cache_and_an_edit_misses_it(run, tmp_path):
    game = tmp_path / "four.py"
    game.write_text(EXAMPLE.read_text())
    cold = run(game)
    assert cold["hits"] == 0 and cold["misses"] > 0
    warm = run(game)
    assert warm["misses"] == 0 and warm["hits"] > 0
    assert warm[str(game)] == cold[str(game)]
    # Three in a row win. Size and time of the file stay the same, which is all that Numba's own
    # cache looks at, and the kernel that runs the playouts is in another file altogether.
    times = game.stat().st_atime_ns, game.stat().st_mtime_ns
    source = game.read_text()
    edited = source.replace("pairs & (pairs >> TWICE[i])", "pairs & (pairs >> STEPS[i])")
    assert edited != source and len(edited) == len(source)
    game.write_text(edited)
    os.utime(game, ns=times)
    fresh = run(game)
    assert fresh["misses"] > 0
    assert fresh[str(game)][1] < cold[str(game)][1] - 3  # games are much shorter


def test_comments_and_folders_do_not_matter(run, tmp_path):
    """Two checkouts share what is compiled, and an edit that changes no code costs nothing."""
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    here, there = tmp_path / "here" / "four.py", tmp_path / "there" / "four.py"
    here.write_text(EXAMPLE.read_text())
    there.write_text("# one line more\n" + EXAMPLE.read_text())
    cold, warm = run(here), run(there)
    assert warm["misses"] == 0 and warm["hits"] > 0
    assert warm[str(there)] == cold[str(here)]


def test_damage_everywhere_is_told_in_one_line_and_repaired(run, tmp_path):
    cold = run("hex:3")
    entries = sorted((tmp_path / "cache" / "uctlab").iterdir())
    assert len(entries) == cold["misses"]
    for i, entry in enumerate(entries):
        damaged = bytearray(entry.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        entry.write_bytes([damaged, damaged[:100], b""][i % 3])
    repaired = run("hex:3")
    assert repaired["said"].count("\n") == 1 and "damaged" in repaired["said"]
    warm = run("hex:3")
    assert warm["misses"] == 0 and not warm["said"]
    assert cold["hex:3"] == repaired["hex:3"] == warm["hex:3"]


def test_a_copy_under_another_name_is_a_game_of_its_own(run, tmp_path):
    """Machine code in the cache names the module whose globals it wants."""
    for name in ("first_four.py", "second_four.py"):
        (tmp_path / name).write_text(EXAMPLE.read_text())
    first = run(tmp_path / "first_four.py")
    second = run(tmp_path / "second_four.py")
    assert first[str(tmp_path / "first_four.py")] == second[str(tmp_path / "second_four.py")]


def test_specialisations_do_not_share_an_entry(run):
    """Sizes of one game differ in bound constants alone: same file, same lines.

    And the kernel that runs the playouts is one for all games.
    """
    sizes = ["hex:3", "hex:4", "havannah:2"]
    alone = {size: run(size)[size] for size in sizes}
    together = run(*reversed(sizes))
    assert together["misses"] == 0
    assert {size: together[size] for size in sizes} == alone
    assert len({tuple(value) for value in alone.values()}) == len(sizes)
