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
from uctlab.games.sampling import PlayoutSampler


def test_mean_results_of_playouts():
    """In machine code, from every fifth position; all of them: benchmarks/go_facts.py.

    Each game has an early, a middle and a late position in turn, so 5 takes of all three kinds; the
    early ones alone are too much alike for a correlation.
    """
    found = compare_playouts(read_facts(MEANS)[::5], playouts=400, seed=1)
    assert found.positions == 36
    assert found.rms <= MOST_RMS and found.correlation >= LEAST_CORRELATION, found
    assert abs(found.longer) < 1, found


def test_how_much_of_a_difference_is_noise():
    """All of it where the other program is ours; if means are shifted, the rest is the shift."""
    game = make_game("go:9")
    own = []
    for number, fact in enumerate(read_facts(MEANS)[::5]):
        position = Position.start(game).play_all(fact["moves"])
        sample = PlayoutSampler(position, seed=1000 + number, policy="heavy").run(400)
        own.append({**fact, "black": sample.result, "length": sample.length, "playouts": 400})
    same = compare_playouts(own, playouts=400, seed=1)
    assert 0.015 < same.noise < 0.03 and abs(same.rms / same.noise - 1) < 0.35, same
    shift = 0.04
    shifted = compare_playouts(
        [
            {**fact, "black": fact["black"] + (shift if fact["black"] < 0.5 else -shift)}
            for fact in own
        ],
        playouts=400,
        seed=1,
    )
    assert abs(shifted.rest / shift - 1) < 0.25, shifted


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
