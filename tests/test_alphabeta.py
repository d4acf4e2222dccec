"""Alpha-beta against minimax without cuts, against the solver, and as a player."""

import pytest

from tests.naive.alphabeta import minimax
from tests.searches import CONNECT_FOUR
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.solve import solve
from uctlab.mcts import alphabeta_search, budget
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import Searcher, make_searcher


def plain(spec, moves=""):
    return Position.start(make_game(spec).interpreted()).play_all(moves)


def searched(position, agent="alphabeta", playouts=100_000, seed=0, **options):
    searcher = make_searcher(position.game, make_agent(agent), seed=seed)
    return searcher.search(position, playouts=playouts, **options)


@pytest.mark.parametrize(
    ("spec", "moves", "depth"),
    [
        ("hex:3", "", 1),
        ("hex:3", "", 3),
        ("hex:3", "b2", 4),
        ("hex:4", "a1 b2", 2),
        (CONNECT_FOUR, "d d c e", 4),
        ("othello", "f5", 3),
        ("othello", "f5 d6 c3", 3),
        ("kalah:3,seeds=2", "", 4),
    ],
)
def test_the_value_is_that_of_minimax(spec, moves, depth):
    position = plain(spec, moves)
    report = searched(position, f"alphabeta(depth={depth})")
    values = {move: 1 - minimax(position.play(move), depth - 1) for move in position.legal_moves}
    assert report.depth == depth
    assert report.moves[0].value == pytest.approx(max(values.values()), abs=1e-12)
    assert values[report.best] == pytest.approx(max(values.values()), abs=1e-12)


@pytest.mark.parametrize(
    ("spec", "moves"), [("hex:2", ""), ("hex:3", ""), ("hex:3", "a1"), ("kalah:2,seeds=2", "")]
)
def test_small_games_are_solved(spec, moves):
    """It ends by itself once nothing is guessed any more, or a win is found."""
    position = plain(spec, moves)
    report = searched(position, playouts=10**6)
    solution = solve(position)
    assert report.best in solution.best and report.moves[0].value == solution.value
    assert report.playouts < 10**6 and not report.stopped
    line = position
    for move in report.pv:
        line = line.play(move)


def test_cuts_save_work():
    position = plain("hex:3")
    whole = 9 * 8 * 7
    assert searched(position, "alphabeta(depth=3)").playouts < whole + 9 * 8 + 9
    assert searched(position, "alphabeta(depth=3)").playouts < whole / 2


@pytest.mark.parametrize("playouts", [1, 2, 7, 100])
def test_a_budget_is_kept_and_gives_a_move(playouts):
    position = plain("hex:4")
    report = searched(position, playouts=playouts)
    assert report.playouts == playouts and report.best in position.legal_moves
    assert report.moves[0].move == report.pv[0] == report.best
    assert sum(move.visits for move in report.moves) <= playouts
    assert "playouts in" in str(report)


def test_seconds_end_it(monkeypatch):
    now = iter(range(10_000))
    monkeypatch.setattr(alphabeta_search, "STEPS", 50)
    monkeypatch.setattr(budget, "clock", lambda: float(next(now)))
    report = searched(plain("hex:4"), playouts=None, seconds=3.0)
    assert report.playouts > 0 and not report.stopped


def test_the_same_seed_gives_the_same_move_and_others_differ():
    position = plain("hex:4")
    first, again = (searched(position, playouts=300, seed=3) for _ in range(2))
    assert first.best == again.best and first.moves == again.moves
    bests = {searched(position, "alphabeta(depth=1)", seed=seed).best for seed in range(12)}
    assert len(bests) > 1


def test_it_wins_at_once():
    report = searched(plain("hex:3", "b1 a3 b2 c1"), playouts=50)
    assert report.won and report.best in ("b3", "a3", "c3")


@pytest.mark.parametrize(
    ("agent", "game", "says"),
    [
        ("alphabeta", "havannah:3", "havannah:3 has no evaluation; othello, hex and kalah have"),
        ("alphabeta", "go:4", "go:4 has no evaluation"),
        ("alphabeta(threads=2)", "hex:3", "alphabeta searches with one thread"),
        ("alphabeta(c=1)", "hex:3", "unknown parameter 'c=1'; accepted: depth="),
        ("alphabeta(depth=0)", "hex:3", "depth"),
    ],
)
def test_what_is_refused(agent, game, says):
    with pytest.raises(UsageError) as mistake:
        make_searcher(make_game(game), make_agent(agent))
    assert says in str(mistake.value) and "\n" not in str(mistake.value)


def test_it_has_no_tree():
    game, agent = make_game("hex:3"), make_agent("alphabeta")
    for make in (Searcher, bind_for_gpu):
        with pytest.raises(UsageError, match="alphabeta builds no tree: it plays in match"):
            make(game, agent)
    with pytest.raises(UsageError, match="builds no tree that could be saved"):
        _ = make_searcher(game, agent).tree


def test_it_is_a_command_line_agent(uctlab):
    code, out, _ = uctlab("analyze", "hex:3", "--agent", "alphabeta", "--playouts", 500)
    assert code == 0 and "best b2" in out
    arguments = ("match", "hex:3", "alphabeta", "mc", "--games", 2, "--playouts", 60)
    code, out, _ = uctlab(*arguments, "--workers", 1)
    assert code == 0 and "score" in out
    code, _, err = uctlab(
        "analyze", "hex:3", "--agent", "alphabeta", "--playouts", 9, "--export", "x"
    )
    assert code == 2 and "builds no tree that could be saved" in err
