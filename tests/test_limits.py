"""A game that exceeds its stated limits, or writes where it may not, gets an error.

Most of these games are compiled. Compiled code checks no index, so without guard zones they would
overwrite foreign memory.
"""

from dataclasses import replace

import numpy as np
import pytest

from tests.matches import play as play_match
from uctlab.agents import make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.objects import Given
from uctlab.arena.plan import MatchPlan
from uctlab.devices.rounds import Games
from uctlab.errors import UsageError
from uctlab.games import Game, Position, guard
from uctlab.games.guard import Guarded
from uctlab.games.sampling import PlayoutSampler
from uctlab.games.solve import solve
from uctlab.kernels import hole, kernel, seed_rng
from uctlab.mcts import overruns, tree
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import Searcher, make_searcher
from uctlab.mcts.workspace import Tree, new_counters, new_work
from uctlab.parts import layout

LENGTH = 8
STRANGE: int = hole("game.STRANGE")  # a code that goes wrong, or 0
COUNT: int = hole("game.COUNT")  # a number of moves that goes wrong, or 0
AT: int = hole("game.AT")  # after how many moves that happens
STATE = np.dtype(
    [("ply", "i4"), ("last", "i4"), ("turn", "i1"), ("scratch", "i1", (3,))], align=True
)


@kernel
def start(s):
    s.ply = 0
    s.last = 0
    s.turn = 0


@kernel
def moves(s, out):
    """One move at the start and one more after each; none after LENGTH."""
    if s.ply >= LENGTH:
        return 0
    for i in range(s.ply + 1):
        out[i] = i
    if STRANGE != 0 and s.ply == AT:
        out[1] = STRANGE
    if COUNT != 0 and s.ply == AT:
        return COUNT
    return s.ply + 1


@kernel
def play(s, move):
    s.ply += 1
    s.last = move
    s.turn ^= 1


@kernel
def result(s):
    return 1.0 if s.last % 2 == 1 else 0.0


@kernel
def evaluate(s):
    return 0.5


@kernel
def priors_of_too_many(s, moves, count, worth, weights):
    for i in range(count + 20):
        worth[i] = 500_000
        weights[i] = 1


@kernel
def writes_before_its_record(s, move):
    s.ply += 1
    s.last = move
    s.turn ^= 1
    if s.ply == 3:
        s.scratch[-60] = 7


@kernel
def writes_far_away(s, move):
    s.scratch[20_000] = 7
    s.ply += 1
    s.last = move
    s.turn ^= 1


@kernel
def lists_far_too_many(s, out):
    for i in range(100_000):
        out[i] = 0
    return 100_000


@kernel
def keeps_none(s, moves, count):
    return count if s.ply == 0 else 0


@kernel
def of_a_negative_length(s, rng, out, trace):
    return 1.0, -5


@kernel
def of_a_wrong_trace(s, rng, out, trace):
    trace[0] = 99
    return 1.0, 1


@kernel
def starts_behind_its_record(s):
    s.ply = 0
    s.last = 0
    s.turn = 0
    s.scratch[9] = 7


@kernel
def never_ends(s, move):
    s.ply = min(s.ply + 1, 5)
    s.last = move
    s.turn ^= 1


def growing(*, strange=0, count=0, at=2, **changes):
    """A game in which every position has one move more than the one before."""
    return replace(
        Game(
            name="growing",
            state=STATE,
            start=start,
            moves=moves,
            play=play,
            result=result,
            max_moves=LENGTH,
            max_length=LENGTH,
            move_names=tuple("abcdefgh"),
            constants={"STRANGE": strange, "COUNT": count, "AT": at},
            evaluate=evaluate,
        ),
        **changes,
    )


TOO_FEW = {"max_moves": 3}  # which is exceeded after three moves
TOO_SHORT = {"max_length": 5}
LIST = r"moves lists \d moves after \w+ \w+ \w+.*, and max_moves is 3: max_moves is exceeded by \d"
IN_PLAYOUT = r"in a playout .*, moves lists \d moves, and max_moves is 3: .* exceeded by \d"
LONG = r"a playout .* makes \d moves, and max_length is 5: max_length is exceeded by \d"
BY_ANY = f"^growing: ({LIST}|{IN_PLAYOUT})"


def search(game, agent="uct", playouts=400, position=None):
    searcher = Searcher(game, make_agent(agent), seed=1)
    return searcher.search(position or Position.start(game), playouts=playouts)


def test_the_game_is_sound():
    assert search(growing()).playouts == 400
    assert Position.start(growing()).perft(4) == 24


@pytest.mark.parametrize(
    ("changes", "agent", "says"),
    [
        (TOO_FEW, "uct", BY_ANY),
        (TOO_FEW, "uct(rave=k)", BY_ANY),
        (TOO_FEW, "uct(threads=2,sharing=locked)", BY_ANY),
        (TOO_FEW, "dfuct", BY_ANY),
        (TOO_SHORT, "uct", LONG),
        (TOO_SHORT, "uct(rave=k)", LONG),
        (TOO_SHORT, "uct(threads=2)", LONG),
        (
            {"strange": 99},
            "uct(fpu=0)",
            "the code 99 after .*, and move_names has the",
        ),
        ({"strange": -5}, "uct(rave=k)", "the code -5, "),
        ({"play": never_ends}, "uct", "makes 7[2-9] moves or more, and max_length is 8"),
        ({"play": writes_before_its_record}, "uct", "a kernel writes outside of its position"),
        ({"priors": priors_of_too_many}, "uct(prior=1)", "priors writes values of moves"),
    ],
)
def test_a_search_stops(changes, agent, says):
    with pytest.raises(UsageError, match=says) as caught:
        search(growing(**changes), agent)
    assert "\n" not in str(caught.value)


LATE = {"at": LENGTH - 1}  # in playouts alone: a short search does not expand such a node


@pytest.mark.parametrize(
    ("agent", "interpret"),
    [
        ("uct", False),
        ("uct(playout=mast)", False),
        ("uct(solver=on)", True),
        ("uct(threads=2,sharing=locked)", True),
        ("uct(playouts_per_leaf=2)", True),
        ("uct(playout=lgr)", True),
        ("dfuct", True),
    ],
)
@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"count": 10**9}, "moves returns a wrong number of moves, and max_moves is 8"),
        ({"count": -1}, "moves returns a wrong number of moves"),
        ({"strange": 99}, "moves lists the code 99, and move_names has the codes 0 to 7"),
        ({"strange": -5}, "moves lists the code -5, "),
    ],
)
def test_what_only_playouts_meet(wrong, says, agent, interpret):
    """It was taken for the end of the game, or for a move, or read from foreign memory."""
    if not interpret and "strange" in wrong:
        interpret = True  # compiled is as interpreted
    game = growing(**wrong, **LATE)
    with pytest.raises(UsageError, match=f"^growing: in a playout (at|after) .*, {says}"):
        search(game.interpreted() if interpret else game, agent, playouts=30)


@pytest.mark.parametrize(
    ("changes", "agent", "says"),
    [
        (TOO_SHORT, "uct(playout=mast)", LONG),
        ({"prune": keeps_none}, "uct(prune=on)", "prune keeps none of the moves, .*, after "),
        (
            {"playouts": {"uniform": of_a_negative_length}},
            "uct",
            "a playout after .* returns the length -5",
        ),
        (
            {"playouts": {"uniform": of_a_wrong_trace}},
            "uct(rave=k)",
            "a playout after .* writes the code 99 into its trace",
        ),
    ],
)
def test_a_search_in_plain_python_stops(changes, agent, says):
    with pytest.raises(UsageError, match=says):
        search(growing(**changes).interpreted(), agent, playouts=50)


def test_a_root_without_moves():
    game = growing(prune=keeps_none).interpreted()
    with pytest.raises(UsageError, match=r"prune keeps none of the moves, .*, after a"):
        search(game, "uct(prune=on)", position=Position.from_moves(game, "a"))


def test_writes_far_away_are_seen_after_the_search():
    with pytest.raises(UsageError, match="growing: a kernel writes outside of its position, far"):
        search(growing(play=writes_far_away), playouts=100)


def test_a_list_far_beyond_its_limit():
    """It used to end in malloc."""
    start = Position.start(growing(moves=lists_far_too_many))
    for use in (lambda: start.legal, lambda: start.perft(3)):
        with pytest.raises(UsageError, match="moves lists 100000 moves at the start, and max_mo"):
            use()


@pytest.mark.parametrize("changes", [TOO_FEW, {"strange": 99}])
@pytest.mark.parametrize("interpret", [False, True])
def test_everything_else_stops_too(changes, interpret):
    game = growing(**changes)
    position = Position.start(game.interpreted() if interpret else game)
    says = "growing: moves lists (4 moves|the code 99) after "
    with pytest.raises(UsageError, match=says):
        position.perft(6)
    with pytest.raises(UsageError, match=says):
        solve(position)
    with pytest.raises(UsageError, match=says):
        make_searcher(position.game, make_agent("alphabeta")).search(position, playouts=500)
    with pytest.raises(UsageError, match=f"{says}a a"):
        while position.legal:
            position = position.play("a")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (TOO_FEW, "in a playout at the start, moves lists [4-8] moves, and max_moves is 3"),
        (TOO_SHORT, "a playout at the start makes 8 moves, and max_length is 5"),
        ({"count": 99}, "in a playout at the start, moves returns a wrong number of moves"),
    ],
)
@pytest.mark.parametrize("trace", [False, True])
def test_single_playouts(changes, says, trace):
    sampler = PlayoutSampler(Position.start(growing(**changes)), seed=1, trace=trace)
    with pytest.raises(UsageError, match=says):
        sampler.run(50)


def test_a_match_ends_with_the_error(tmp_path):
    plan = MatchPlan(
        "growing", "uct", "mc", playouts=50, own_game=Given(growing(**TOO_FEW), "growing", "1")
    )
    with pytest.raises(UsageError, match=r"growing: .*max_moves is exceeded"):
        play_match(plan, 4)


def test_single_moves():
    game = growing(play=writes_before_its_record)
    with pytest.raises(UsageError, match="growing: play writes outside of its array after a b"):
        Position.from_moves(game, "a b c")
    with pytest.raises(UsageError, match="growing: start writes outside of its array"):
        Position.start(growing(start=starts_behind_its_record))


def test_games_for_a_gpu():
    plan = MatchPlan(
        "growing", "uct", "uct", playouts=1, own_game=Given(growing(**TOO_FEW), "growing", "1")
    )
    with pytest.raises(UsageError, match="max_moves is exceeded"):
        Games(growing(**TOO_FEW), [GameTask(plan, 0)])


@pytest.mark.parametrize(
    ("changes", "fault", "says"),
    [
        (TOO_FEW, overruns.WROTE_BEHIND, "a playout lists more than 3 moves"),
        (TOO_SHORT, overruns.LONG_PLAYOUT, "a playout makes more than 5 moves"),
    ],
)
def test_a_search_on_a_gpu_notes_the_fault(changes, fault, says):
    """The same loop as there, on a CPU, where it is interpreted."""
    game, agent = growing(**changes).interpreted(), make_agent("uct(rave=k)")
    binding = bind_for_gpu(game, agent)
    counters, (work, _) = new_counters(), new_work(binding.setting, binding.parts)
    work = work._replace(own=counters)
    work.states[0] = Position.start(game).state
    work.rng[:] = seed_rng(1)
    nodes = np.zeros(2000, binding.node_type).view(np.recarray)
    binding.bind(tree.search_move)(
        Tree(nodes, counters), work, binding.params, np.zeros(1, np.int16), 1, 50
    )
    assert counters[layout.FAULT] == fault
    with pytest.raises(UsageError, match=says):
        overruns.check_faults(game, counters[[layout.FAULT]])


def test_a_search_can_go_on_after_an_error():
    """The memory is whole, and the next position is searched in a new tree."""
    searcher = Searcher(growing(**TOO_SHORT), make_agent("uct"), seed=1)
    start = Position.start(searcher.game)
    with pytest.raises(UsageError, match="max_length is exceeded"):
        searcher.search(start, playouts=50)
    late = start
    for _ in range(5):
        late = late.play("a")
    assert searcher.search(late, playouts=50).playouts == 50


def test_how_far_an_array_is_overrun():
    array = Guarded(10, np.int16)
    assert not array.damaged() and array.overrun() == 0
    array.wide[10:13] = 3
    assert array.damaged() and array.overrun() == 3 and not array.damaged()
    array.array.base[guard.FENCE - 2 : guard.FENCE] = 1
    assert array.damaged()
