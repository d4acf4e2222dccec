"""Games on a GPU: the CPU's own, move for move, and news of them while they are played."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cells import RULE
from tests.on_gpu.tasks import GAMES, HEX, TABLE, in_store, on_cpu, plan, records, tasks_of
from uctlab.agents import make_agent, with_rules
from uctlab.arena.match import play_matches
from uctlab.arena.objects import given_agent, given_game
from uctlab.arena.sprt import Sprt
from uctlab.arena.store import Store
from uctlab.devices import cuda_trees
from uctlab.devices.cpu import Cpu
from uctlab.devices.cuda import Cuda
from uctlab.games import make_game
from uctlab.mcts import resigning

EXAMPLES = Path(__file__).parents[2] / "examples"
SQRT = f"select={EXAMPLES / 'ucb_sqrt.py'}"
MINIMAX = f"backup={EXAMPLES / 'minimax_backup.py'}"
SAME = {
    "othello": [plan("othello", "uct(expand=2)", "auct(k=2)", 4, openings=41)],
    "havannah": [
        plan("havannah:3", "tuned", "duct(k=1,expand=2)", 6, openings=3),
        plan("havannah:3", "uct(fpu=1.1)", "uct(rave=k,equivalence=20)", 5, openings=6),
    ],
    "havannah of side 2": [plan("havannah:2", "uct(expand=3)", "ucb(c=2)")],
    "go": [
        plan("go:3,komi=1", "uct(final=both)", "mc", 6, openings=3),
        plan("go:3,komi=1", "auct(k=1,rave=fuego)", "dfuct", 6),
    ],
    "go where boards repeat": [plan("go:2,komi=0", "uct", "mc(final=visits)", openings=2, seed=7)],
    "go with knowledge": [
        plan(
            "go:3,komi=1",
            "fuego(knowledge=rules,filter=off)",
            "uct(preset=fuego,c=0.5)",
            3,
            openings=4,
        )
    ],
    "hex with swap": [plan("hex:3,swap=on", "uct", "uct", openings=1)],
    "a game of one's own": [plan(str(EXAMPLES / "connect_four.py"), "uct", "tuned", 6)],
    "every kind of agent": [
        plan("hex:3", "uct", "tuned(p=0.7,fpu=1.1)"),
        plan("hex:3", "duct(k=1)", "duct(lam=0.5,final=visits)", openings=3),
        plan("hex:3", "duct(k=1,final=both,expand=2)", "auct(k=1,final=both)", 12),
        plan("hex:3", "auct(k=2,expand=2)", "auct(k=1,final=value)", 14, seed=3),
        plan("hex:3", "auct(k=2,expand=2)", "auct(k=3,final=value)", 9, seed=3),
        plan("hex:3", "dfuct", "dfuct(rivals=all,c=0.5,expand=2)", openings=1),
        plan("hex:3", "mc", "ucb(final=value)"),
        plan("hex:3", "mc(final=visits)", "ucb(fpu=0.8,final=both)", openings=2),
    ],
    "rave": [
        plan("hex:3", "uct(rave=k)", "uct(rave=fuego)"),
        plan("hex:3", "uct(rave=fuego,distance=on,wi=0.5)", "duct(k=1,rave=k)", 15),
        plan("hex:3", "auct(k=1,rave=fuego,final=both)", "uct(rave=k,fpu=0.9)"),
    ],
    "rules of one's own": [
        plan("hex:3", f"uct({SQRT},c=0.5)", f"uct(a=0.5,{MINIMAX})"),
        plan("hex:3", f"uct({SQRT},c=0.2,fpu=1)", f"uct(a=0.9,{MINIMAX},{SQRT})", openings=1),
    ],
    "two games": [plan("hex:2"), plan("havannah:2"), plan("hex:2", "mc", "uct")],
}


@pytest.mark.parametrize("case", SAME)
def test_the_same_games(case):
    tasks = tasks_of(SAME[case])
    wanted = on_cpu(tasks)
    assert records(Cuda(1), tasks) == wanted
    assert len({record["moves"] for record in wanted.values()}) > 1


def test_the_same_games_by_kernels_that_take_turns(monkeypatch):
    """Two with much code, one after the other, then two without."""
    monkeypatch.setattr(cuda_trees, "schedulers", lambda: 1)
    plans = [
        plan("go:3,komi=1", "uct(preset=fuego)", "auct(k=1,preset=fuego)", 2, openings=6),
        plan("go:3,komi=1", "uct", "mc", 2, openings=6),
    ]
    tasks = tasks_of(plans)
    assert records(Cuda(1), tasks) == on_cpu(tasks)


def test_a_kernel_that_takes_turns_gets_all_games_of_a_match(monkeypatch, launches):
    """Half of the games wait for either side at first; then all wait for the same one."""
    monkeypatch.setattr(cuda_trees, "schedulers", lambda: 1)
    match = plan("go:3,komi=1", "uct(preset=fuego)", "auct(k=1,preset=fuego)", 2)
    tasks = tasks_of([match], 4)
    assert records(Cuda(1), tasks) == on_cpu(tasks)
    assert [games for _, games in launches[:4]] == [2, 4, 4, 4]


def test_the_same_resignations(monkeypatch):
    """With limits so high and visits so few that both sides resign, sometimes in the first moves,
    and that some searches only interrupt the row."""
    monkeypatch.setattr(resigning, "MIN_VISITS", 2)
    monkeypatch.setattr(resigning, "Z", 0.1)
    plans = [
        plan("hex:3", "duct(k=1)", "auct(k=2,expand=2)", 12, openings=2, resign=30),
        plan("hex:3", "mc", "uct", 12, openings=2, resign=75),
        plan("go:3,komi=1", "auct(k=1,rave=fuego)", "dfuct", 12, resign=60),
    ]
    tasks = tasks_of(plans, 2 * GAMES)
    wanted = on_cpu(tasks)
    assert records(Cuda(1), tasks) == wanted
    endings = [(record["ending"], record["score"]) for record in wanted.values()]
    assert {("resigned", 0.0), ("resigned", 1.0), ("played", 0.0)} <= set(endings)


def test_agents_and_games_that_are_objects():
    """Two of the same name are two."""
    cell = {"__name__": __name__}
    exec(RULE, cell)
    game = replace(make_game("hex:3"), name="mine")
    name, own_game = given_game(game)
    agents = [make_agent("uct(c=2)"), make_agent("uct(c=0.1)")]
    owns = [given_agent(with_rules(one, select=cell["Mine"]), game)[1] for one in agents]
    plans = [
        plan(name, "mine", "mc", own_game=own_game, own_a=owns[0]),
        plan(name, "mc", "mine", own_game=own_game, own_b=owns[1]),
    ]
    tasks = tasks_of(plans)
    wanted = on_cpu(tasks)
    assert records(Cuda(1), tasks) == wanted
    assert len({record["moves"] for record in wanted.values()}) > 1


def test_the_same_results_of_several_matches(tmp_path):
    plans = [HEX, plan("hex:3", "auct(k=1)", "uct", 12, openings=2), plan("hex:3", "mc", "uct", 5)]
    results, stores = {}, {}
    for name, device in (("cpu", Cpu(1)), ("cuda", Cuda(1))):
        with Store(tmp_path / name) as store:
            found = play_matches(plans, games=GAMES, device=device, store=store)
        results[name] = [(r.plan, r.first, r.second, r.pairs, r.length) for r in found]
        stores[name] = in_store(tmp_path / name)
    assert results["cuda"] == results["cpu"]
    assert stores["cuda"] == stores["cpu"] and len(stores["cuda"]) == 3 * GAMES


SHORT_HEX = """# Hex whose playouts end after two moves, and whose games may go on.

from dataclasses import replace
from typing import Any

from uctlab.games import hex
from uctlab.kernels import below, hole, kernel

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
TRACE: bool = hole("playout.TRACE")


@kernel
def short(s, rng, out, trace):
    length = 0
    count = moves(s, out)
    while count > 0 and length < 2:
        move = out[below(rng, count)]
        if TRACE:
            trace[length] = move
        play(s, move)
        length += 1
        count = moves(s, out)
    return (result(s) if count == 0 else 0.5), length


def make():
    return replace(hex.make(3), name="short_hex", max_length=2, playouts={"uniform": short})
"""


def test_a_game_that_will_not_end_is_a_draw(tmp_path):
    rules = tmp_path / "short_hex.py"
    rules.write_text(SHORT_HEX)
    tasks = tasks_of([plan(str(rules)), plan(str(rules), "mc", "uct", openings=1)])
    wanted = on_cpu(tasks)
    assert records(Cuda(1), tasks) == wanted
    limited = [record for record in wanted.values() if record["ending"] == "limit"]
    assert {(record["length"], record["score"]) for record in limited} == {(4, 0.5)}


def test_sprt_ends_a_match_at_the_same_game():
    strong = plan("hex:3", "uct", "uct(c=0,fpu=0)", 5)
    ended = [
        play_matches([strong], games=40, device=device, sprt=Sprt(0, 800))[0]
        for device in (Cpu(1), Cuda(1))
    ]
    assert ended[0].score == ended[1].score and ended[0].pairs == ended[1].pairs
    assert 2 * sum(ended[0].pairs) < 40


# News


def test_news_of_a_run():
    tasks = tasks_of(TABLE)
    left = len(tasks)
    news = []
    for batch in Cuda(1).run(iter(tasks)):
        left -= len(batch.outcomes)
        assert 0 <= batch.begun <= left
        assert re.fullmatch(r"\d\.\d\de[+-]\d\d simulations per second", batch.status)
        news.append(batch)
    assert left == 0 and news[-1].begun == 0 and len(news[-1].outcomes) > 0
    until = next(i for i, batch in enumerate(news) if batch.outcomes)
    begun = [batch.begun for batch in news[:until]]
    assert begun == sorted(begun) and len(set(begun)) == until > 1
    assert float(news[0].status.split()[0]) == 0 < float(news[1].status.split()[0])


def test_an_opening_is_no_work_that_is_done():
    assert next(Cuda(1).run(iter(tasks_of([plan("hex:3", openings=3)])))).begun == 0


def test_progress_of_matches():
    reports = []
    play_matches(
        TABLE, games=GAMES, device=Cuda(1), progress=lambda *report: reports.append(report)
    )
    finished = [report[0] for report in reports]
    assert finished == sorted(finished) and finished[-1] == 3 * GAMES
    assert {report[1] for report in reports} == {3 * GAMES}
    assert all(done + begun <= total for done, total, begun, _ in reports)
    assert any(begun > 0 for _, _, begun, _ in reports)
