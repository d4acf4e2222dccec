"""Games that advance together, as a GPU plays them."""

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.devices import rounds
from uctlab.devices.rounds import Games
from uctlab.devices.seeds import seed_states
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.api import same_position
from uctlab.kernels import seed_rng, specialise

ROOT = Path(__file__).parents[1]


def games_of(spec, number=6, *, interpret=False, **options):
    plan = MatchPlan(spec, "uct", "uct", playouts=1, **options)
    game = make_game(spec)
    tasks = [GameTask(plan, n) for n in range(number)]
    return Games(game.interpreted() if interpret else game, tasks)


def test_a_result_that_half_points_cannot_count():
    games = games_of("hex:2", number=2, interpret=True)
    while games.counts.any():
        live = games.live[games.counts[games.live] > 0]
        games.make(live, games.legal[live, 0].astype(np.int64))
    games._results[1] = 0.7
    with pytest.raises(UsageError, match=r"has ended with 0\.7; a GPU takes only results"):
        games.take_finished()


@pytest.mark.parametrize(
    ("spec", "interpret", "openings"),
    [
        ("othello", False, 0),
        ("go:2,komi=0", True, 3),
        ("hex:3,swap=on", True, 1),
        ("havannah:3", True, 2),
        (str(ROOT / "examples" / "connect_four.py"), True, 0),
    ],
)
def test_games_advance_as_positions_do(spec, interpret, openings):
    games = games_of(spec, interpret=interpret, openings=openings)
    start = Position.start(games.game)
    rng = random.Random(spec)
    ended, forbidden = {}, 0
    for _ in range(games.limit + 1):
        ended |= {games.tasks[g].number: record for g, record in games.take_finished()}
        if len(games.live) == 0:
            break
        for g in games.live:
            position = start.play_all(
                " ".join(games.game.move_name(int(m)) for m in games.moves[g, : games.length[g]])
            )
            assert tuple(games.legal[g, : games.counts[g]].tolist()) == position.legal
            out = games.game.new_out()
            forbidden += games.game.kernels.moves(position.state, out) - len(position.legal)
        assert (games.turn(games.live) == games.states(games.live)["turn"]).all()
        some = np.array([g for g in games.live if rng.random() < 0.8], np.int64)
        # Go's pass is the last move; boards repeat where stones are played.
        legal = [games.legal[g, : games.counts[g]].tolist() for g in some]
        chosen = [
            rng.choice(moves[: max(1, len(moves) - spec.startswith("go:"))]) for moves in legal
        ]
        games.make(some, np.array(chosen, np.int64))
    assert (forbidden > 0) == spec.startswith("go:")
    for number, record in ended.items():
        end = start.play_all(record.moves)
        assert (record.length, record.opening) == (len(end.moves), openings)
        if record.ending == "played":
            assert end.is_over
            assert record.score == (end.result if number % 2 == 0 else 1 - end.result)
    assert len({record.moves for record in ended.values()}) > 1


def test_moves_are_sorted():
    sort = specialise(rounds.sort)
    rng = np.random.default_rng(2)
    for count in (0, 1, 2, 9, 60):
        moves = rng.permutation(100).astype(np.int16)
        wanted = [*sorted(moves[:count].tolist()), *moves[count:].tolist()]
        sort(moves, count)
        assert moves.tolist() == wanted


def test_a_game_without_end_is_a_draw(monkeypatch):
    monkeypatch.setattr(rounds, "LENGTH_FACTOR", 1)
    games = games_of("go:2", interpret=True)
    assert games.limit == 12
    games.limit = 5  # enough for none to end by the rules
    for _ in range(5):
        assert games.take_finished() == []
        games.make(games.live, games.legal[games.live, 0].astype(np.int64))
    records = [record for _, record in games.take_finished()]
    assert len(records) == 6 and len(games.live) == 0
    assert {(r.ending, r.score, r.length) for r in records} == {("limit", 0.5, 5)}


def test_many_seeds_at_once():
    rng = np.random.default_rng(8)
    seeds = [rng.integers(0, 2**bits, 100) for bits in (8, 32, 33, 62)]
    seeds = np.concatenate([*seeds, np.array([0, 1, 2**32 - 1, 2**32, 2**63 - 1])])
    assert seed_states(seeds).tolist() == [int(seed_rng(int(seed))[0]) for seed in seeds]
    assert len(seed_states(seeds[:0])) == 0
    largest = np.array([2**63, 2**64 - 1], np.uint64)
    assert seed_states(largest).tolist() == [int(seed_rng(int(seed))[0]) for seed in largest]


def test_random_numbers_are_those_of_the_players():
    """As a player of the CPU has them: a seed for each side, one more at each of its moves."""
    games = games_of("hex:3", 2, interpret=True, openings=1)
    task = games.tasks[0]
    first, second = (task.plan.derive_seed(task.seed, side) for side in (0, 1))
    for seed in (second, first, second + 1, first + 1):
        assert games.random_states(np.array([0]))[0] == seed_rng(seed)[0]
        games.make(np.array([0]), games.legal[[0], 0].astype(np.int64))


def begun():
    return games_of("go:3", 4, interpret=True, openings=1)


untouched = cache(begun)


@cache
def after_six_moves():
    """Games of Go, six moves after their openings."""
    played = begun()
    for turn in range(6):
        choice = (turn + played.live) % played.counts[played.live]
        played.make(played.live, played.legal[played.live, choice].astype(np.int64))
    return played


def test_moves_known_from_earlier_are_made_again():
    played, again = after_six_moves(), begun()
    some = np.array([3, 1])
    lengths = np.array([7, 4])
    assert again.replay(some, played.moves[some], lengths).all()
    assert again.length.tolist() == [1, 4, 1, 7]
    assert again.counts[3] == played.counts[3]
    assert (again.legal[3] == played.legal[3])[: again.counts[3]].all()
    assert same_position(*(games.states(np.array([3]))[0] for games in (again, played)))


@pytest.mark.parametrize("wrong", ["opening", "move", "pass", "length"])
def test_moves_that_are_not_of_the_game_are_not_made(wrong):
    """As in a file of another version; the games beside it take theirs."""
    played, again = after_six_moves(), begun()
    moves, lengths = played.moves.copy(), played.length.copy()
    if wrong == "opening":
        moves[2, 0] = (moves[2, 0] + 1) % 9
    elif wrong == "move":
        moves[2, 4] = 10_000  # far outside of the board
    elif wrong == "pass":
        moves[2, 3:5] = 9  # twice: the game is over before its last moves
    else:
        lengths[2] = moves.shape[1] + 1
    assert again.replay(again.live, moves, lengths).tolist() == [True, True, False, True]
    assert again.length.tolist() == [7, 7, 1, 7]
    start = untouched()
    assert same_position(*(games.states(np.array([2]))[0] for games in (again, start)))
    assert again.legal[2, : again.counts[2]].tolist() == start.legal[2, : start.counts[2]].tolist()
