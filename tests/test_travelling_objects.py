"""Matches of objects: what goes by its text, what travels to workers, and what cannot."""

import os
import subprocess
import sys
import threading
import types
import warnings

import pytest

from tests.cells import GAME, RULE
from tests.matches import CONNECT_FOUR
from uctlab.agents import AGENTS, make_agent, with_rules
from uctlab.api import running
from uctlab.api.matches import match, tournament
from uctlab.arena.objects import given_agent, given_game
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.kernels.holes import Hole, hole
from uctlab.rules.select import ucb1
from uctlab.user_modules import load_module

PLAIN = make_game("hex:3").interpreted()
FEW = {"games": 4, "playouts": 10, "progress": False}


def run_cells(code, folder):
    """Run code as a notebook does: in __main__, from no file."""
    done = subprocess.run(
        [sys.executable, "-"],
        input=code,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def moves_of(result):
    return [record.moves for record in result.records]


class Rule:
    """UCB1 under another name; `lock` cannot be pickled."""

    node_terms = staticmethod(ucb1.node_terms)
    score = staticmethod(ucb1.score)
    untried_score = staticmethod(ucb1.untried_score)


@pytest.fixture
def stuck():
    rule = Rule()
    rule.lock = threading.Lock()
    return with_rules(make_agent("uct"), select=rule)


@pytest.mark.parametrize(
    "spec",
    ["othello", "hex:4,swap=on", "havannah:3", "go:4,komi=1.5", "kalah", "deceptive", CONNECT_FOUR],
)
def test_a_game_that_its_text_describes_goes_by_its_text(spec):
    game = make_game(spec)
    text, given = given_game(game)
    assert given is None and make_game(text).options == game.options
    name, given = given_game(game.interpreted())
    assert given is not None and name in (f"{game.name}*", game.name)


@pytest.mark.parametrize("kind", AGENTS)
def test_so_does_an_agent(kind):
    agent = make_agent(f"{kind}(k=3)" if "k" in AGENTS[kind].options else kind)
    assert given_agent(agent, PLAIN) == (agent.name, None)
    name, given = given_agent(with_rules(make_agent("uct"), select=Rule), PLAIN)
    assert name == "uct*Rule" and given is not None


def test_objects_play_the_games_of_their_texts():
    by_name = match("hex:3", "uct", "mc", games=4, playouts=20, workers=1)
    objects = match(
        make_game("hex:3"), make_agent("uct"), make_agent("mc"), games=4, playouts=20, workers=1
    )
    assert objects.plan == by_name.plan and moves_of(objects) == moves_of(by_name)
    assert objects.plan.key == by_name.plan.key


def test_a_rule_from_a_cell_plays_in_workers_and_an_edited_one_begins_anew(tmp_path):
    said = run_cells(
        RULE
        + """
from uctlab.api.matches import match
def play(workers):
    agent = with_rules(make_agent("uct"), select=Mine)
    game = make_game("hex:3").interpreted()
    found = match(game, agent, "mc", games=4, playouts=10, workers=workers, store="games.sqlite")
    return [record.moves for record in found.records], found.plan
one, plan = play(2)
two, same = play(1)
SCALE = 30.0
three, other = play(1)
assert one == two and plan.key == same.key and plan.key != other.key
from uctlab.arena.store import Store
with Store("games.sqlite") as store:
    print([(kept.plan.a, len(store.records(kept.id))) for kept in store.matches()])
agent = with_rules(make_agent("uct"), select=Mine)
here = match(make_game("hex:3").interpreted(), agent, "mc", games=4, playouts=10, workers=1)
assert [record.moves for record in here.records] == three
""",
        tmp_path,
    )
    assert said == "[('uct*Mine', 4), ('uct*Mine', 4)]\n"


def test_a_game_from_a_cell_plays_in_workers(tmp_path):
    said = run_cells(
        GAME
        + """
from uctlab.api.matches import match, tournament
found = match(nim(7), "uct", "mc", games=4, playouts=10, workers=2)
same = match(nim(7), "uct", "mc", games=4, playouts=10, workers=1)
assert [record.moves for record in found.records] == [record.moves for record in same.records]
assert found.plan.key == same.plan.key != match(
    nim(8), "uct", "mc", games=1, playouts=10, workers=1
).plan.key
print(found.plan, found.score.games)
print(tournament(nim(7), ["uct", "mc"], games=2, playouts=10, workers=2).game)
""",
        tmp_path,
    )
    assert said == "nim: uct against mc 4\nnim\n"


def test_a_rule_in_a_file_of_its_own_travels_as_it_was_loaded(tmp_path):
    path = tmp_path / "travelling_rule.py"
    path.write_text(RULE)
    mine = with_rules(make_agent("uct"), select=load_module(str(path), ()).Mine)
    path.unlink()
    there = match(PLAIN, mine, "mc", **FEW, workers=2)
    assert moves_of(there) == moves_of(match(PLAIN, mine, "mc", **FEW, workers=1))


def test_a_module_that_was_edited_after_its_import_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "rule_to_be_edited.py"
    path.write_text(RULE)
    import rule_to_be_edited  # noqa: PLC0415

    mine = with_rules(make_agent("uct"), select=rule_to_be_edited.Mine)
    assert match(PLAIN, mine, "mc", **FEW, workers=2).score.games == 4
    path.write_text(RULE.replace("SCALE = 1.0", "SCALE = 20.0"))
    with pytest.raises(UsageError, match=r"'uct\*Mine' has other kernels in a worker process"):
        match(PLAIN, mine, "mc", **FEW, workers=2)
    assert match(PLAIN, mine, "mc", **FEW, workers=1).score.games == 4


def test_a_module_that_workers_do_not_find(monkeypatch):
    module = types.ModuleType("module_of_this_process")
    exec(RULE, vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    mine = with_rules(make_agent("uct"), select=module.Mine)
    says = r"the agent 'uct\*Mine' does not arrive .*module_of_this_process.*workers=1 plays"
    with pytest.raises(UsageError, match=says):
        match(PLAIN, mine, "mc", **FEW, workers=2)


def test_an_object_that_cannot_travel_is_played_here_or_refused(stuck, monkeypatch):
    says = r"uctlab\.match: the agent 'uct\*Rule' cannot travel to worker processes \(TypeError"
    for options in ({"workers": 2}, {"device": "ray"}):
        with pytest.raises(UsageError, match=f"{says}.*workers=1 plays in this process"):
            match(PLAIN, stuck, "mc", **FEW, **options)
    monkeypatch.setattr(running, "cores", lambda: 2)
    with pytest.warns(RuntimeWarning, match=f"{says}.*: playing in this process; workers=1 makes"):
        found = match(PLAIN, stuck, "mc", **FEW)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explicit = match(PLAIN, stuck, "mc", **FEW, workers=1)
        plain = match(PLAIN, "uct", "mc", **FEW, workers=1)
    assert moves_of(found) == moves_of(explicit) and plain.score.games == 4


def test_objects_of_one_name_are_told_apart():
    mine = [with_rules(make_agent("uct"), select=Rule) for _ in range(2)]
    found = tournament(PLAIN, [*mine, "mc"], **FEW, workers=1)
    assert found.players == ("uct*Rule", "uct*Rule#2", "mc") and found.game == "hex:3*"
    with pytest.raises(UsageError, match="mc is listed twice"):
        tournament(PLAIN, ["mc", make_agent("mc")], **FEW, workers=1)


def test_a_hole_stays_a_hole_in_another_process():
    import cloudpickle  # noqa: PLC0415

    for one in (hole("backup.value"), hole("device.ON_GPU", False)):
        copy = cloudpickle.loads(cloudpickle.dumps(one))
        assert isinstance(copy, Hole) and repr(copy) == repr(one)
        assert copy.default == one.default
    with pytest.raises(TypeError, match="is not filled"):
        cloudpickle.loads(cloudpickle.dumps(hole("backup.value")))(1)
