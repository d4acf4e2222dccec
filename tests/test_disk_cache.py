"""The disk cache: hit by a second process, never stale, never shared by two specialisations."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "connect_four.py"

# Prints each game's playouts and how often the disk cache was hit by its kernels.
PROGRAM = """
import json, sys
from numba.core.dispatcher import Dispatcher
from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.kernels.specialise import _made

def counted():
    stats = [k.stats for k in _made.values() if isinstance(k, Dispatcher)]
    kinds = [s.cache_hits for s in stats], [s.cache_misses for s in stats]
    return [sum(sum(times.values()) for times in kind) for kind in kinds]
facts = {}
for spec in sys.argv[1:]:
    hits, misses = counted()
    sample = PlayoutSampler(Position.start(make_game(spec)), seed=1).run(200)
    after = counted()
    facts[spec] = {"sample": [sample.result, sample.length], "hits": after[0] - hits,
                   "misses": after[1] - misses}
print(json.dumps(facts))
"""


@pytest.fixture
def run(tmp_path):
    """Run the program in a process of its own with a cache of its own."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for name in ("NUMBA_DISABLE_JIT", "UCTLAB_CACHE"):
        environment.pop(name, None)

    def run_program(*specs):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *map(str, specs)],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        facts = json.loads(done.stdout)
        return [SimpleNamespace(**facts[str(spec)], said=done.stderr) for spec in specs]

    return run_program


def test_another_process_hits_the_cache_and_an_edit_misses_it(run, tmp_path):
    """Two checkouts share what is compiled, and an edit that changes no code costs nothing.

    A copy under another name is a game of its own: machine code in the cache names the module
    whose globals it wants.
    """
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    here, there = tmp_path / "here" / "four.py", tmp_path / "there" / "four.py"
    renamed = tmp_path / "here" / "second_four.py"
    here.write_text(EXAMPLE.read_text())
    renamed.write_text(EXAMPLE.read_text())
    there.write_text("# one line more\n" + EXAMPLE.read_text())
    (cold,) = run(here)
    assert cold.hits == 0 and cold.misses > 0
    warm, copy = run(there, renamed)
    assert warm.misses == 0 and warm.hits > 0
    assert cold.sample == warm.sample == copy.sample
    # Three in a row win. Size and time of the file stay the same, which is all that Numba's own
    # cache looks at, and the kernel that runs the playouts is in another file altogether.
    times = here.stat().st_atime_ns, here.stat().st_mtime_ns
    source = here.read_text()
    edited = source.replace("pairs & (pairs >> TWICE[i])", "pairs & (pairs >> STEPS[i])")
    assert edited != source and len(edited) == len(source)
    here.write_text(edited)
    os.utime(here, ns=times)
    fresh, again = run(here, renamed)
    assert fresh.misses > 0
    assert fresh.sample[1] < cold.sample[1] - 3  # games are much shorter
    assert again.misses == 0 and again.hits > 0 and again.sample == cold.sample


def test_specialisations_do_not_share_an_entry_and_damage_is_repaired(run, tmp_path):
    """Sizes of one game differ in bound constants alone: same file, same lines.

    And the kernel that runs the playouts is one for all games. Damage everywhere is told in one
    line.
    """
    specs = ["hex:2", "deceptive:3", "deceptive"]
    alone = [*run("hex:2", "deceptive:3"), *run("deceptive")]
    samples = [one.sample for one in alone]
    assert len(set(map(tuple, samples))) == len(specs)
    together = run(*reversed(specs))[::-1]
    assert [one.sample for one in together] == samples
    assert not any(one.misses for one in together) and not together[0].said
    entries = sorted((tmp_path / "cache" / "uctlab").iterdir())
    assert len(entries) == sum(one.misses for one in alone)
    for i, entry in enumerate(entries):
        damaged = bytearray(entry.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        entry.write_bytes([damaged, damaged[:100], b""][i % 3])
    (repaired,) = run("deceptive")
    assert repaired.said.count("\n") == 1 and "damaged" in repaired.said
    assert repaired.hits == 0 and repaired.sample == samples[-1]
    (warm,) = run("deceptive")
    assert warm.misses == 0 and not warm.said and warm.sample == samples[-1]
