"""Which match in a store it is: the key that a plan and the user's files make."""

import json
import shutil
from dataclasses import replace

from tests.stored_matches import (
    EXAMPLES,
    PLAN,
    Program,
)
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan, MatchSettings
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu


def test_games_of_a_changed_file_are_not_continued(tmp_path):
    game = tmp_path / "my_connect_four.py"
    shutil.copy(EXAMPLES / "connect_four.py", game)
    plan = MatchPlan(str(game), "uct", "mc", playouts=3)
    path = tmp_path / "store.db"

    def play_to(games):
        code, out, err = Program(path, games, plan=plan, workers=1).finish()
        assert (code, err) == (0, "") and json.loads(out)["games"] == games
        with Store(path) as store:
            return [len(store.games(match.id)) for match in store.matches()]

    assert play_to(2) == [2]
    game.write_text(game.read_text() + "\n# changed\n")
    assert play_to(3) == [2, 3]


def test_keys(tmp_path):
    rule = tmp_path / "my_rule.py"
    rule.write_text("first = 1\n")
    plain = MatchPlan("hex:3", "uct", "mc", playouts=3)
    own = replace(plain, b=f"uct(c=2,select={rule})")
    key = own.key
    assert key == replace(own).key and key != plain.key
    rule.write_text("first = 2\n")
    assert own.key != key
    rule.write_text("first = 1\n")
    assert own.key == key
    others = [
        replace(plain, **change)
        for change in (
            {"game": "hex:4"},
            {"a": "mc", "b": "uct"},
            {"playouts": 4},
            {"seconds": 1.0},
            {"openings": 1},
            {"seed": 1},
            {"reuse": True},
            {"memory": 1000},
        )
    ]
    assert len({plan.key for plan in (plain, *others)}) == 1 + len(others)


def test_the_same_match_written_differently(tmp_path):
    with Store(tmp_path / "store.db") as store:
        ways = [
            *({"a": "uct(c=1)"}, {"a": "uct( c = 1 )"}, {"a": " uct(c=1.0)"}),
            *({"game": "hex:3,swap=off"}, {"game": "hex:size=3"}),
        ]
        for games, way in enumerate(ways, 2):
            plan = replace(PLAN, **way)
            result = play_matches([plan], games=games, device=Cpu(1), store=store)[0]
            assert result.score.games == games and result.plan == PLAN
            assert [len(store.games(match.id)) for match in store.matches()] == [games]
        default = play_matches([replace(PLAN, game="hex")], games=1, device=Cpu(1), store=store)[0]
        assert default.plan.game == store.matches()[1].plan.game == "hex:11"


def test_the_key_of_a_match_stays_the_same():
    """Stores of earlier versions find their matches by it, however a plan is made."""
    plan = MatchSettings(playouts=5, openings=1, seed=3).plan(PLAN.game, PLAN.a, PLAN.b)
    assert plan == PLAN and plan.key == "dd551f8f5128d07be354032e7dc1d950"
    resigning = MatchPlan("hex:4", "uct", "mc", seconds=1.5, resign=5)
    assert resigning.key == "f7a020daf25a457480351a894978492c"
