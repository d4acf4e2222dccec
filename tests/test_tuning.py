"""The tuner: ranges of options, successive halving, and a small search with real games."""

import pytest

import uctlab
from uctlab.arena.halving import Halving
from uctlab.arena.tune_space import Range, read_space, sample
from uctlab.errors import UsageError


def test_halving_gives_every_rung_the_same_share_and_keeps_the_better_half():
    strengths = [50, 61, 40, 55, 58, 30, 62, 45]
    race = Halving(8, games=96)
    rungs = []
    while not race.done:
        rungs.append((list(race.alive), race.games))
        race.tell([strengths[number] for number in race.alive])
    assert [(len(alive), games) for alive, games in rungs] == [(8, 4), (4, 12), (2, 28)]
    assert rungs[1][0] == [6, 1, 4, 3] and rungs[2][0] == [6, 1] and race.best == 6
    assert race.reached == [1, 3, 1, 2, 2, 1, 3, 1]


def test_halving_of_equals_and_of_odd_numbers():
    race = Halving(5, games=22)
    sizes = []
    while not race.done:
        sizes.append((len(race.alive), race.games))
        race.tell([50] * len(race.alive))
    assert sizes == [(5, 2), (3, 4), (2, 6)] and race.best == 0  # the first of equals stays
    with pytest.raises(UsageError, match="5 settings need at least 20 games"):
        Halving(5, games=19)


def test_ranges():
    space = read_space("muct", ["c=0.1..10", "levels=0..3", "fpu=0.5..1.0", "final=visits|value"])
    c, levels, fpu, final = space.values()
    assert c.logarithmic and c.at(0.5) == 1.0 and (c.at(0), c.at(1)) == (0.1, 10)
    assert levels == Range(0, 3, whole=True) and levels.at(0.4) == 1
    assert not fpu.logarithmic and fpu.at(0.5) == 0.75
    assert [final.at(place) for place in (0, 0.49, 0.5, 1)] == ["visits"] * 2 + ["value"] * 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("c", "accepted: a range such as"),
        ("d=1..2", "uct has no option d; it has c, expand"),
        ("c=2..1", "its first number must be the smaller one"),
        ("c=-1..1", "c=-1 is not accepted; accepted: 0 to 1e"),
        ("c=x|y", "'x' is no number"),
        ("c=1", "leaves nothing to tune"),
        ("final=visits|best", "accepted: visits, value, both"),
        ("final=0..1", "give its values as final="),
    ],
)
def test_mistakes_in_ranges(text, told):
    with pytest.raises(UsageError, match=told):
        read_space("uct", [text])
    with pytest.raises(UsageError, match="c is given twice"):
        read_space("uct", ["c=1..2", "c=1..3"])


def test_a_sample_begins_with_the_agent_and_fills_the_ranges():
    space = read_space("auct(k=3)", ["k=2.0..6.0", "c=0.1..1"])
    found = sample("auct(k=3)", space, 16, seed=0)
    assert found[0][0] == {} and found[0][1].name == "auct(k=3)"
    assert len({agent.name for _, agent in found}) == 16
    for quarter in range(4):
        inside = [s for s, _ in found[1:] if 2 + quarter <= s["k"] <= 3 + quarter]
        assert 2 <= len(inside) <= 6
    assert sample("auct(k=3)", space, 16, seed=0) == found
    assert sample("auct(k=3)", space, 16, seed=1) != found
    few = sample("auct", read_space("auct", ["k=2..4"]), 8, seed=0)  # auct alone is no agent
    assert [agent.name for _, agent in few] == ["auct(k=2)", "auct(k=3)", "auct(k=4)"]


def test_a_search_goes_on_where_it_was_stopped(tmp_path):
    def tune(**more):
        return uctlab.tune(
            *("hex:4", "uct", {"c": (0.2, 2.0)}),
            **{"settings": 3, "games": 10, "playouts": 30, "against": "mc", "workers": 1},
            **{"progress": False, **more},
        )

    found = tune(store=tmp_path / "games.sqlite", confirm=4)
    assert found.complete and found.best is found.rows[0] and found.best.rungs == 2
    assert sorted(row.score.games for row in found.rows) == [2, 4, 4]
    assert found.confirmed.games == 4
    assert f"best: {found.best.agent}" in str(found) and "fresh games" in found._repr_html_()
    fresh = {record.seed for match in found.confirmation for record in match.records}
    assert fresh.isdisjoint(r.seed for row in found.rows for m in row.results for r in m.records)

    played = []
    again = tune(
        store=tmp_path / "games.sqlite",
        confirm=4,
        progress=lambda finished, total, *_: played.append(total - finished),
    )
    assert again.as_json()["settings"] == found.as_json()["settings"] and not any(played)
    assert tune().to_frame()["agent"].tolist() == [row.agent for row in found.rows]
    assert found.plot().get_xlabel().startswith("score against mc")
