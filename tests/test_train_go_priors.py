"""How weights for Go's trained priors are learnt."""

import numpy as np

from benchmarks import train_go_priors as train
from uctlab.arena.game import GameRecord
from uctlab.games import make_game
from uctlab.games.go.trained_priors import CANDIDACY, NOTHING, PLACES, TACTICS


def record(moves, opening=0):
    facts = dict.fromkeys(GameRecord.__dataclass_fields__, 0)
    return GameRecord(**{**facts, "moves": moves, "opening": opening})


def test_positions_of_games():
    """One of 82 moves, then one of 81; an opening is not learnt from."""
    game = make_game("go:9").interpreted()
    found = train._positions(game, [record("E5 C3"), record("E5 C3", opening=1)])
    assert found.begin.tolist() == [0, 82, 163, 244]
    moves = found.traits[found.begin[:-1] + found.chosen]
    assert [int(traits[-1]) - PLACES for traits in moves] == [4 * 5, 2 * 5, 2 * 5]  # line, phase


def test_what_is_chosen_gets_more_weight(monkeypatch):
    """As much as its frequency says: three of four, so ln 3 apart. A trait that all moves have gets
    none, and a rare one neither. In plain Python, which is faster here than the compiler."""
    for name in ("_shares", "_improve", "_predicted"):
        monkeypatch.setattr(train, name, getattr(train, name).py_func)
    number = 2000
    common, good, bad, rare = CANDIDACY, CANDIDACY + 1, CANDIDACY + 2, CANDIDACY + 3
    traits = np.tile([[common, good], [common, bad]], (number, 1))
    traits[0, 0] = rare
    chosen = (np.arange(number) % 4 == 0).astype(np.int64)
    positions = train.Positions(traits, np.arange(0, 2 * number + 1, 2), chosen)
    weights = train._learn(positions, positions, seed=1)
    assert abs(weights[good] - weights[bad] - np.log(3)) < 0.1
    assert abs(weights[common]) < 0.1 and weights[rare] == weights[NOTHING] == 0


def test_turned_neighbourhoods_share_a_weight():
    same = train._representatives()
    corner = [1 << 2 * i for i in (0, 2, 5, 7)]
    assert len(set(same[corner])) == 1 and same[corner[0]] == min(corner)
    assert same[1 << 2] != same[1]
    # Burnside's lemma: for each of the eight ways to turn, how many neighbourhoods stay the same.
    different = (4**8 + 2 * 4**2 + 4**4 + 4 * 4**5) // 8
    assert len(set(same[:TACTICS])) == different
    assert (same[TACTICS:] == np.arange(TACTICS, NOTHING + 1)).all()
