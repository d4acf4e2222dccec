"""Go's heavy playouts and priors against what Fuego 1.1 itself did in the same positions."""

from benchmarks.go_facts import (
    LEAST_CORRELATION,
    MEANS,
    MOST_RMS,
    PRIORS,
    compare_playouts,
    differences,
    priors_at,
    read_facts,
)
from tests.naive import go_policy
from tests.test_go_policy import twin
from uctlab.games import Position, make_game


def test_mean_results_of_playouts():
    """In machine code, from every fifth position; all of them: benchmarks/go_facts.py.

    Each game has an early, a middle and a late position in turn, so 5 takes of all three kinds; the
    early ones alone are too much alike for a correlation.
    """
    found = compare_playouts(read_facts(MEANS)[::5], playouts=400, seed=1)
    assert found.positions == 36
    assert found.rms <= MOST_RMS and found.correlation >= LEAST_CORRELATION, found
    assert abs(found.longer) < 1, found


def test_priors():
    """Of all moves in all positions, by the kernels; the set of moves is the same too.

    Where Fuego's policy finds only random moves, its priors depend on chance: if the move that it
    draws is self-atari and is corrected, the move played instead becomes a candidate. That happened
    in two positions.
    """
    game = make_game("go:9")
    by_chance = []
    for fact in read_facts(PRIORS):
        if not differences(priors_at(game, fact["moves"]), fact["priors"]):
            continue
        now = twin(Position.start(game).play_all(fact["moves"]))
        assert fact["kind"] == "Random", fact
        drawn = go_policy.played(now, go_policy.random(now))
        corrected = {move for point, move in drawn.items() if point != move}
        assert any(
            not differences(named(game, go_policy.priors(now, found={move})), fact["priors"])
            for move in corrected
        ), fact
        by_chance.append(fact)
    assert len(by_chance) == 2


def named(game, known):
    return {game.move_name(move).lower(): prior for move, prior in known.items()}
