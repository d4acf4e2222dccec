"""Matches: the same games whoever plays them, and numbers that follow from the games."""

import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import pytest

from uctlab.arena.game import GameTask
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.sprt import Sprt
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch
from uctlab.devices.cpu import Cpu
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.protocol.gtp_client import GtpOpponent

CONNECT_FOUR = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
WEAK = "mc(final=visits)"  # all moves are tried alike, so it plays any of them
CLOCK = {"seconds", "playouts_per_second"}
RECORD_CLOCK = {"seconds_a", "seconds_b", "finished"}
TEST = Sprt(0, 100)


def play(plan, games, *, workers=1, **options):
    return play_matches([plan], games=games, device=Cpu(workers), **options)[0]


def timeless(result):
    return {name: fact for name, fact in result.as_json().items() if name not in CLOCK}


def stored(path):
    """All games of a store with one match, without what the clock said."""
    with Store(path, create=False) as store:
        (match,) = store.matches()
        records = [asdict(record) for record in store.records(match.id)]
    return [{k: v for k, v in record.items() if k not in RECORD_CLOCK} for record in records]


# Pairs, openings, seeds


def test_a_pair_shares_its_opening_and_changes_colours():
    plan = MatchPlan("hex:4", "uct", WEAK, playouts=30, openings=3, seed=7)
    tasks = [GameTask(plan, number) for number in range(8)]
    records = [task.perform() for task in tasks]
    openings = [tuple(record.moves.split()[:3]) for record in records]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 4
    assert len({record.seed for record in records}) == 8
    assert [task.a_first for task in tasks] == [True, False] * 4
    for record, task in zip(records, tasks, strict=True):
        assert (record.number, record.seed, record.opening) == (task.number, task.seed, 3)
        assert record.length == len(record.moves.split()) > 3


def test_openings_of_other_seeds_and_numbers():
    plans = [MatchPlan("hex:4", "uct", "uct", playouts=1, openings=2, seed=s) for s in (0, 1)]
    begin = [GameTask(plan, n).perform().moves.split()[:2] for plan in plans for n in (0, 2)]
    assert len({tuple(moves) for moves in begin}) == 4


def test_an_opening_that_ends_the_game():
    with pytest.raises(UsageError, match="deceptive:2: the game is over after 5 random opening"):
        play(MatchPlan("deceptive", "uct", "uct", playouts=1, openings=5), 2)
    result = play(MatchPlan("deceptive", "uct", "uct", playouts=50, openings=2), 2)
    assert result.length == 3  # B's leaves end the game too early: the opening is C G


def test_the_first_player_wins():
    """On a board of 3x3 whoever moves first: one side's wins must not be booked to the other."""
    result = play(MatchPlan("hex:3", "uct", "uct(c=0.9)", playouts=2000), 6)
    assert asdict(result.first) == {"wins": 3, "draws": 0, "losses": 0}
    assert asdict(result.second) == {"wins": 0, "draws": 0, "losses": 3}
    assert result.pairs == (0, 0, 3, 0, 0)
    assert result.elo == 0 and "\nElo +0 (" in str(result)
    assert re.search(r"A first +3 +3 +0 +0 +100\.0 %\nA second +3 +0 +0 +3 +0\.0 %", str(result))


def test_who_is_a_and_who_is_b():
    strong = play(MatchPlan("hex:4", "uct", WEAK, playouts=50), 8)
    weak = play(MatchPlan("hex:4", WEAK, "uct", playouts=50), 8)
    assert strong.first.wins == 4 and strong.second.wins >= 3
    assert weak.first.wins <= 1 and weak.second.wins == 0


@pytest.mark.parametrize("game", ["hex:4", "othello", CONNECT_FOUR])
def test_records_replay_to_the_score(game):
    plan = MatchPlan(game, "uct", "mc", playouts=20, openings=2)
    start = Position.start(make_game(game))
    for number in range(4):
        record = GameTask(plan, number).perform()
        end = start.play_all(record.moves)
        assert end.over and record.ending == "played"
        assert record.score == (end.result if number % 2 == 0 else 1 - end.result)
        assert len(end.moves) == record.length
        # 20 playouts a move, and the two opening moves cost none.
        made = (record.playouts_a, record.playouts_b)
        first, second = made if number % 2 == 0 else made[::-1]
        turns = [move % 2 for move in range(2, record.length)]
        if game != "othello":  # where a pass is a move without a choice, but searched as well
            assert (first, second) == (20 * turns.count(0), 20 * turns.count(1))


def test_repeated_games_are_counted():
    plan = MatchPlan("deceptive", "uct", "uct", playouts=200)
    assert {GameTask(plan, number).perform().moves for number in range(6)} == {"C G H"}
    result = play(plan, 6)
    assert result.repeats == 4  # of three games with A first two, with A second as well
    assert "games that repeat an earlier one move for move: 4" in str(result).splitlines()
    assert play(MatchPlan("hex:4", "uct", "uct", playouts=20), 6).repeats == 0


# Workers and seeds


def test_one_and_two_workers_play_the_same_games(tmp_path):
    plan = MatchPlan("hex:4", "auct(k=2)", "uct", playouts=40, openings=2, seed=5)
    results = []
    for workers in (1, 2):
        with Store(tmp_path / f"{workers}.sqlite") as store:
            results.append(play(plan, 12, workers=workers, store=store))
    one, two = (stored(tmp_path / f"{workers}.sqlite") for workers in (1, 2))
    assert one == two and len(one) == 12
    assert timeless(results[0]) == timeless(results[1])


def test_another_seed_plays_other_games(tmp_path):
    games = []
    for seed in (0, 1):
        with Store(tmp_path / f"{seed}.sqlite") as store:
            play(MatchPlan("hex:4", "uct", "uct", playouts=30, seed=seed), 6, store=store)
        games.append({record["moves"] for record in stored(tmp_path / f"{seed}.sqlite")})
    assert not games[0] & games[1]


def test_a_worker_that_is_killed_is_replaced():
    plan = MatchPlan("hex:5", "uct", "uct(c=0.5)", playouts=2000)
    killed = []

    def kill_one(finished, total, begun, status):
        if finished and not killed:
            killed.append(_children()[0])
            os.kill(killed[0], signal.SIGKILL)

    disturbed = play(plan, 6, workers=2, progress=kill_one)
    assert killed and timeless(disturbed) == timeless(play(plan, 6))
    assert killed[0] not in _children()


def _children():
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    if not path.exists():
        pytest.skip("this system does not tell the children of a process")
    return [int(pid) for pid in path.read_text().split()]


def test_a_script_without_a_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import uctlab\n"
        "print('once')\n"
        "result = uctlab.match('hex:3', 'uct', 'mc', games=4, playouts=20, workers=2)\n"
        "print(result.score.games, result.complete)\n"
    )
    done = subprocess.run(
        [sys.executable, script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("once\n4 True\n", "", 0)


# SPRT


@pytest.fixture(scope="module")
def settled():
    """A stronger agent against a weaker one until the test is sure."""
    return play(MatchPlan("hex:4", "uct", "uct(c=1000)", playouts=200), 200, sprt=TEST)


def test_a_stronger_agent_is_found_stronger(settled):
    assert settled.verdict == "elo1" and settled.complete
    assert settled.llr >= TEST.bounds[1] == pytest.approx(math.log(19))
    assert settled.score.games == 2 * sum(settled.pairs) < 100
    assert settled.wanted == 200
    assert "verdict: 100 is accepted, A passes" in str(settled).splitlines()
    assert "missing" not in str(settled)


def test_the_weaker_one_is_found_weaker():
    weak = play(MatchPlan("hex:4", "uct(c=1000)", "uct", playouts=200), 200, sprt=TEST)
    assert weak.verdict == "elo0" and weak.llr <= TEST.bounds[0]
    assert weak.score.games < 100
    assert "verdict: 0 is accepted, A fails" in str(weak).splitlines()


def test_the_verdict_does_not_depend_on_the_workers(settled):
    two = play(settled.plan, 200, workers=2, sprt=TEST)
    assert timeless(two) == timeless(settled)


@pytest.mark.parametrize("together", [1, 7])
def test_the_verdict_does_not_depend_on_the_order(settled, together):
    """Of seven games the last one comes back first: some when it is settled already."""
    result = play_matches([settled.plan], games=200, device=_Backwards(together), sprt=TEST)[0]
    assert timeless(result) == timeless(settled)


class _Backwards:
    """Games backwards, seven by seven, so many in one batch."""

    def __init__(self, together):
        self._together = together

    def run(self, tasks):
        while group := list(islice(tasks, 7)):
            played = [(task, task.perform()) for task in reversed(group)]
            while played:
                yield Batch(played[: self._together])
                played = played[self._together :]


def test_the_verdict_does_not_depend_on_breaks(settled, tmp_path):
    """A store from a match without a test, with more games than the test needs."""
    with Store(tmp_path / "games.sqlite") as store:
        play(settled.plan, 5, store=store)
        first = play(settled.plan, 200, sprt=TEST, store=store)
        play(settled.plan, settled.score.games + 4, store=store)
        later = play(settled.plan, 200, sprt=TEST, store=store)
    assert timeless(first) == timeless(later) == timeless(settled)


def test_equal_agents_are_not_found_different():
    """Of 8 tests none says that A is better, and none that it is worse, by 150."""
    for seed in range(4):
        plan = MatchPlan("hex:4", "uct", "uct(c=1.0)", playouts=30, seed=seed)
        assert play(plan, 60, sprt=Sprt(0, 150)).verdict != "elo1"
        assert play(plan, 60, sprt=Sprt(-150, 0)).verdict != "elo0"


def test_an_interrupted_match_goes_on(tmp_path):
    plan = MatchPlan("hex:4", "uct", "mc", playouts=30, seed=2)
    with Store(tmp_path / "games.sqlite") as store:
        broken = play_matches([plan], games=10, device=_Interrupted(3), store=store)[0]
        assert broken.score.games == 3 and not broken.complete
        assert "games missing: 7 of 10" in str(broken).splitlines()
        seen = []
        whole = play(plan, 10, store=store, progress=lambda *news: seen.append(news))
    assert seen == [(finished, 10, 0.0, "") for finished in range(3, 11)]
    assert timeless(whole) == timeless(play(plan, 10))


class _Interrupted:
    """A device on which somebody presses Ctrl-C after so many games."""

    def __init__(self, games):
        self._games = games

    def run(self, tasks):
        for number, task in enumerate(tasks):
            if number == self._games:
                raise KeyboardInterrupt
            yield Batch([(task, task.perform())])


def test_what_a_device_says_of_itself_is_passed_on():
    """Also in a batch without a game."""
    seen = []
    plan = MatchPlan("hex:3", "uct", "mc", playouts=9)
    play_matches([plan], games=4, device=_Talkative(), progress=lambda *news: seen.append(news))
    assert seen == [
        (0, 4, 0.0, ""),
        (0, 4, 1.5, "warming up"),
        (2, 4, 0.5, "fast"),
        (4, 4, 0.0, ""),
    ]


class _Talkative:
    def run(self, tasks):
        played = [(task, task.perform()) for task in tasks]
        yield Batch([], begun=1.5, status="warming up")
        yield Batch(played[:2], begun=0.5, status="fast")
        yield Batch(played[2:])


# What is printed


def check_numbers(facts):
    """The JSON object says the same thing in all its places."""
    wins, draws, losses, games = (facts[key] for key in ("wins", "draws", "losses", "games"))
    assert games == wins + draws + losses
    for key in ("wins", "draws", "losses"):
        assert facts[key] == facts["first"][key] + facts["second"][key]
    assert sum(facts["first"].values()) - sum(facts["second"].values()) in (0, 1)
    share = (wins + draws / 2) / games
    assert facts["score"] == pytest.approx(100 * share)
    assert facts["interval"] == pytest.approx(2 * math.sqrt(1e4 * share * (1 - share) / games))
    low, high = facts["wilson"]
    for bound in (low / 100, high / 100):  # the share is 1.96 standard errors from either end
        assert (share - bound) ** 2 == pytest.approx(
            1.959964**2 * bound * (1 - bound) / games, abs=1e-7
        )
    if 0 < share < 1:
        assert facts["elo"] == pytest.approx(400 * math.log10(share / (1 - share)), abs=1e-9)
    assert sum(facts["pairs"]) == games // 2
    if games % 2 == 0:
        points = sum(n * i / 2 for i, n in enumerate(facts["pairs"]))
        assert points == pytest.approx(games * share)


def test_json(uctlab):
    command = ("match", "othello", "uct", "mc", "--playouts", 4, "--seed", 3, "--workers", 1)
    code, out, _ = uctlab(*command, "--games", 30, "--openings", 4, "--json")
    facts = json.loads(out)
    assert code == 0
    check_numbers(facts)
    assert facts["draws"] > 0 and facts["games"] == 30
    given = {"game": "othello", "a": "uct", "b": "mc", "playouts": 4, "seed": 3, "openings": 4}
    assert given.items() <= facts.items()
    assert facts["complete"] and facts["wanted"] == 30 and facts["repeats"] == 0
    assert 0 <= facts["superiority"] <= 1
    assert 40 < facts["length"] < 70
    assert facts["seconds"] > 0 and min(facts["playouts_per_second"].values()) > 1000
    assert facts["elo_interval"][0] < facts["elo"] < facts["elo_interval"][1]
    assert "sprt" not in facts


def test_json_of_a_test(uctlab):
    command = ("match", CONNECT_FOUR, "uct", WEAK, "--playouts", 60, "--workers", 1, "--json")
    facts = json.loads(uctlab(*command, "--games", 101, "--sprt", "0,200")[1])
    check_numbers(facts)
    assert facts["sprt"]["verdict"] == "elo1" and facts["sprt"]["llr"] >= facts["sprt"]["bounds"][1]
    assert (facts["sprt"]["elo0"], facts["sprt"]["elo1"]) == (0, 200)
    assert facts["games"] < facts["wanted"] == 101 and facts["complete"]
    open_end = json.loads(uctlab(*command, "--games", 3, "--sprt", "0,2")[1])
    check_numbers(open_end)
    assert open_end["sprt"]["verdict"] is None and open_end["games"] == 3


def test_where_a_file_lies_does_not_change_its_games():
    here, there = (MatchPlan(f"{folder}/own.py", "uct", "mc") for folder in ("/tmp", "a/b"))
    assert (
        here.derive_seed("game", 1) == there.derive_seed("game", 1) != here.derive_seed("game", 2)
    )
    other = MatchPlan("a/b/other.py", "uct", "mc")
    assert there.derive_seed("game", 1) != other.derive_seed("game", 1)


def test_infinite_elo_is_null(uctlab):
    command = ("match", CONNECT_FOUR, "uct", WEAK, "--playouts", 100, "--games", 4, "--workers", 1)
    text = uctlab(*command, "--json")[1]
    facts = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    check_numbers(facts)
    assert facts["wins"] == 4 and facts["elo"] is None and facts["elo_interval"][1] is None
    assert facts["interval"] == 0 and facts["wilson"][0] < 60
    assert "Elo +inf" in uctlab(*command)[1]


def test_the_printed_form(uctlab):
    command = ("match", "hex:3", "uct", "mc", "--games", 4, "--playouts", 20, "--workers", 1)
    code, out, _ = uctlab(*command, "--openings", 2, "--reuse", "--seed", 5)
    patterns = [
        r"hex:3: A = uct against B = mc",
        r"20 playouts a move, 2 random opening moves, trees kept, seed 5",
        r" +games +won +drawn +lost +A scores",
        r"A first +2( +\d){3} +[\d.]+ %",
        r"A second +2( +\d){3} +[\d.]+ %",
        r"all +4( +\d){3} +[\d.]+ %",
        r"score [\d.]+ \+- [\d.]+ %  \(Wilson [\d.]+ to [\d.]+\)",
        r"Elo [+-]\S+ \([+-]\S+ to [+-]\S+\); A is the stronger with a likelihood of [\d.]+ %",
        r"[\d.]+ moves a game; [\d,]+ and [\d,]+ playouts a second; [\d.]+ s",
    ]
    lines = out.splitlines()
    assert code == 0 and len(lines) == len(patterns)
    for line, pattern in zip(lines, patterns, strict=True):
        assert re.fullmatch(pattern, line) and len(line) <= 80


def test_draws():
    """Half a point to either side, in every count."""
    result = play(MatchPlan("othello", "uct", "uct", playouts=4), 20)
    assert result.score.draws > 0
    check_numbers(result.as_json())
    assert result.score.points == result.score.wins + result.score.draws / 2
    assert result.pairs[1] + result.pairs[3] > 0  # a draw and a decided game


def test_the_store_of_the_command_line(uctlab, tmp_path):
    """The same command again plays nothing; a longer one plays the rest; stored lists it."""
    path = tmp_path / "games.sqlite"
    command = ("match", "hex:3", "uct", "mc", "--playouts", 20, "--workers", 1, "--store", path)
    first = json.loads(uctlab(*command, "--games", 4, "--json")[1])
    before = stored(path)
    again = json.loads(uctlab(*command, "--games", 4, "--json")[1])
    assert {k: v for k, v in first.items() if k != "seconds"} == {
        k: v for k, v in again.items() if k != "seconds"
    }
    uctlab(*command, "--games", 6)
    assert stored(path)[:4] == before and len(stored(path)) == 6
    (listed,) = json.loads(uctlab("games", "stored", path, "--json")[1])["matches"]
    assert listed["games"] == 6
    code, out, _ = uctlab("games", "export", path, "--out", tmp_path / "sgf")
    assert code == 0 and out.startswith("6 games written")
    assert len(list((tmp_path / "sgf").rglob("*.sgf"))) == 6


def test_a_budget_of_seconds():
    result = play(MatchPlan("hex:3", "uct", "mc", seconds=0.002), 2)
    assert result.score.games == 2 and result.complete
    moves = 2 * result.length
    assert 0.002 * moves * 0.9 < result.seconds < 0.002 * moves + 2
    # Whichever is spent first.
    both = play(MatchPlan("hex:3", "uct", "mc", seconds=20.0, playouts=5), 2)
    assert both.seconds < 10


def test_a_tree_may_be_kept(tmp_path):
    for reuse in (False, True):
        with Store(tmp_path / f"{reuse}.sqlite") as store:
            plan = MatchPlan("hex:4", "uct", "uct", playouts=50, reuse=reuse)
            play(plan, 2, store=store)
    kept, fresh = (stored(tmp_path / f"{reuse}.sqlite") for reuse in (True, False))
    assert kept != fresh
    with Store(tmp_path / "again.sqlite") as store:
        plan = MatchPlan("hex:4", "uct", "uct", playouts=50, reuse=True)
        play(plan, 2, store=store)
    assert stored(tmp_path / "again.sqlite") == kept  # no tree comes in from another game


def test_a_player_of_several_matches_plays_each_as_if_alone():
    others = ("mc", "ucb", "uct(c=2)")
    plans = [MatchPlan("hex:4", "uct", b, playouts=50, openings=1, reuse=True) for b in others]
    together = play_matches(plans, games=4, device=Cpu(1))
    assert [timeless(result) for result in together] == [timeless(play(p, 4)) for p in plans]
    assert len({result.length for result in together}) > 1


# External programs

ENGINE = '''
"""A program that plays Hex: the first free cell of a row after the other, or worse."""
import os, sys

how, size, games, taken, last = sys.argv[1], 0, sys.argv[2:], [], ""
while line := sys.stdin.readline():
    number, command, *words = line.split()
    answer = ""
    if command == "list_commands":
        answer = "play genmove"
    elif command == "boardsize":
        size = int(words[0])
    elif command == "clear_board":
        taken = []
        if games:
            with open(games[0], "a") as file:
                file.write("x")
    elif command == "play" and words[1] in taken:
        print(f"?{number} taken", end="\\n\\n", flush=True)
        continue
    elif command == "play":
        taken.append(words[1])
    elif command == "genmove":
        cells = [f"{chr(97 + x)}{y + 1}" for y in range(size) for x in range(size)]
        answer = next(cell for cell in cells if cell not in taken)
        if how == "resign":
            answer = "resign"
        elif how == "nonsense":
            answer = "z99"
        elif how == "illegal" and taken:
            answer = taken[0]
        elif how == "die" and os.path.getsize(games[0]) % 2 == 0:
            sys.exit("tired")
        taken.append(answer)
    print(f"={number} {answer}", end="\\n\\n", flush=True)
    if command == "quit":
        break
'''


@pytest.fixture
def engine(tmp_path):
    """From a manner of playing to the name of such a player."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)

    def name(*arguments):
        words = [sys.executable, "-I", "-S", str(path), *map(str, arguments)]
        return f'gtp:"{shlex.join(words)}"'

    return name


def endings(path):
    return [record["ending"] for record in stored(path)]


def test_programs_win_and_lose(engine):
    """On a board of 2x2 the first player wins with a1 and a2 after b1."""
    result = play(MatchPlan("hex:2", engine("first"), engine("first", os.devnull)), 4)
    assert (result.first.wins, result.second.losses) == (2, 2)
    assert result.length == 3 and result.speed == (None, None) and result.forfeits == 0
    assert "unknown and unknown playouts a second" in str(result)


def test_a_program_against_an_agent(engine):
    """It learns of all moves, the opening's too: it would play on taken cells else."""
    plan = MatchPlan("hex:3", engine("first"), "uct", playouts=500, openings=2)
    result = play(plan, 6)
    assert result.forfeits == 0 and result.score.games == 6
    assert result.speed[0] is None and result.speed[1] > 1000
    assert result.second.losses >= 2
    assert play(MatchPlan("hex:3", "uct", engine("first"), playouts=500), 4).first.wins == 2


def test_a_program_is_started_once_for_all_its_games(engine, monkeypatch):
    """In two matches, and once for each trial before them; none runs on at the end."""
    started = []

    class Noted(GtpOpponent):
        def __init__(self, game, command, **options):
            started.append(command)
            super().__init__(game, command, **options)

    monkeypatch.setattr("uctlab.arena.player.GtpOpponent", Noted)
    before = _children()
    program = engine("first")
    plans = [
        MatchPlan("hex:2", program, b, playouts=9) for b in (engine("first", os.devnull), "uct")
    ]
    play_matches(plans, games=4, device=Cpu(1))
    assert sorted(map(started.count, set(started))) == [1 + 1, 2 + 1]
    assert _children() == before


def test_a_program_that_resigns(engine, tmp_path):
    with Store(tmp_path / "games.sqlite") as store:
        result = play(MatchPlan("hex:3", engine("resign"), "uct", playouts=10), 4, store=store)
    assert result.score.losses == 4 and result.forfeits == 0
    assert endings(tmp_path / "games.sqlite") == ["resigned"] * 4
    assert play(MatchPlan("hex:3", "uct", engine("resign"), playouts=10), 4).score.wins == 4


@pytest.mark.parametrize(("how", "reason"), [("illegal", "illegal"), ("nonsense", "garbage")])
def test_a_wrong_move_loses_the_game_and_no_more(engine, tmp_path, how, reason):
    plan = MatchPlan("hex:3", engine("first"), engine(how))
    with Store(tmp_path / "games.sqlite") as store:
        result = play(plan, 4, store=store)
    assert result.score.wins == 4 and result.forfeits == 4 and result.complete
    assert all(
        end.startswith(f"forfeit ({reason}): ") for end in endings(tmp_path / "games.sqlite")
    )
    # Of which the first is told.
    assert result.forfeit == f"game 0: {endings(tmp_path / 'games.sqlite')[0]}"
    assert f"games lost by forfeit: 4; {result.forfeit}" in str(result).splitlines()


def test_a_program_that_dies_now_and_then(engine, tmp_path):
    """In its second, fourth, ... game; the first one is the trial before the match."""
    dying = engine("die", tmp_path / "games")
    with Store(tmp_path / "games.sqlite") as store:
        result = play(MatchPlan("hex:2", dying, engine("first")), 6, store=store)
    ends = endings(tmp_path / "games.sqlite")
    assert [end == "played" for end in ends] == [False, True] * 3
    assert all("tired" in end for end in ends[::2])
    assert result.forfeits == 3 and result.score.games == 6
    assert result.first.losses == 3 and result.second.losses == 3


# Mistakes

BASE = ("match", "hex:3", "uct", "mc", "--playouts", 9)
MISTAKES = [
    (("match", "hex:3", "uct", "auto", "--playouts", 9), "unknown agent 'auto'; known: uct"),
    (("match", "hex:3", "uct(k=1)", "mc", "--playouts", 9), "uct: unknown parameter 'k=1'"),
    (("match", "chess", "uct", "mc", "--playouts", 9), "unknown game 'chess'; known: othello"),
    (("match", "hex:3", "uct", "mc"), "a search needs a budget: playouts, seconds, or both"),
    (("match", "hex:3", "uct", "mc", "--seconds", 0), "seconds must be more than 0, not 0"),
    (("match", "hex:3", "uct", "mc", "--playouts", 0), "Invalid value for '--playouts'"),
    ((*BASE, "--games", 0), "Invalid value for '--games'"),
    ((*BASE, "--games", 10**9), "a match has 1 to 10,000,000 games"),
    ((*BASE, "--device", "gpu"), "unknown device 'gpu'; known: cpu, cuda, ray, ray:ADDRESS"),
    ((*BASE, "--workers", 0), "there must be 1 to 1024 workers, not 0"),
    ((*BASE, "--sprt", "5"), "'5' is not a test; write two bounds in normalized Elo, as in 0,5"),
    ((*BASE, "--sprt", "5,0"), "the first bound must be less than the second"),
    ((*BASE, "--openings", -1), "Invalid value for '--openings'"),
    ((*BASE, "--openings", 9), "hex:3: the game is over after 9 random opening moves"),
    ((*BASE, "--store", "{text}"), "cannot be opened: file is not a database"),
    (("match", "hex:3", "uct", "gtp:", "--playouts", 9), "gtp: needs a program"),
    (("match", "hex:3", "uct", 'gtp:"no-such"', "--playouts", 9), "no program 'no-such' on PATH"),
    (("match", "hex:3", "uct", "gtp:false", "--playouts", 9), 'gtp:"false" cannot play'),
    (("match", "deceptive", "uct", "gtp:cat", "--playouts", 9), "is not played over GTP"),
    (("games", "stored", "{none}"), "there is no store"),
]


@pytest.mark.parametrize(("arguments", "says"), MISTAKES, ids=[says for _, says in MISTAKES])
def test_mistakes_are_one_line_and_code_two(uctlab, tmp_path, arguments, says):
    (tmp_path / "text").write_text("no database, but long enough to have the head of one\n" * 9)
    paths = {"text": tmp_path / "text", "none": tmp_path / "none"}
    code, out, err = uctlab(*[str(argument).format(**paths) for argument in arguments])
    assert code == 2 and out == ""
    assert err.startswith("uctlab: ") and err.count("\n") == 1 and says in err


def test_mistakes_in_python():
    with pytest.raises(UsageError, match="the same match is asked for twice"):
        plan = MatchPlan("hex:3", "uct", "mc", playouts=9)
        play_matches([plan, plan], games=2, device=Cpu(1))
    with pytest.raises(UsageError, match="games, not 0"):
        play(MatchPlan("hex:3", "uct", "mc", playouts=9), 0)
    with pytest.raises(UsageError, match="playouts must be at least 1, not -3"):
        play(MatchPlan("hex:3", "uct", "mc", playouts=-3), 2)
