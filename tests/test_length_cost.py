"""What a long game costs its winner, and which boards have such a cost."""

import pytest

from tests.searches import CONNECT_FOUR
from uctlab.agents import make_agent
from uctlab.agents.kinds import NUMBERS, Params
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.kernels import specialise
from uctlab.kernels.specialise import digest_of
from uctlab.mcts import loop
from uctlab.mcts.binding import bind_for_cpu, bind_for_gpu, fitted
from uctlab.mcts.searcher import Searcher
from uctlab.parts import layout
from uctlab.parts.length_cost import with_length_cost
from uctlab.rules.backup import mean, packed_mean

COST = 0.01


def by_hand(won, moves, cost=COST):
    """The result of a game that the first player won, lost or drew after that many moves."""
    if won == 0.5:
        return 0.5
    taken = 0.5 if moves * cost > 0.5 else moves * cost
    return 1 - taken if won else taken


@pytest.mark.parametrize(
    ("outcome", "depth", "length", "wanted"),
    [
        (1.0, 2, 10, 0.88),
        (0.0, 2, 10, 0.12),
        (0.5, 2, 10, 0.5),
        (0.99, 3, 0, 0.96),
        (0.01, 0, 3, 0.04),
        (1.0, 20, 40, 0.5),
        (0.0, 20, 40, 0.5),
        (0.98, 0, 50, 0.48),
    ],
)
def test_what_a_result_is_worth(outcome, depth, length, wanted):
    kernel = specialise(with_length_cost, interpret=True, game={"GRADED": False})
    assert kernel(
        outcome, depth, length, Params(**NUMBERS | {"length_cost": COST})
    ) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("outcome", "length", "wanted"),
    [(1.0, 8, 1.0), (0.0, 8, 0.0), (0.99, 8, 0.89), (0.01, 8, 0.11), (1.0, 0, 0.98)],
)
def test_a_playout_that_was_given_up_costs_nothing(outcome, length, wanted):
    """Where results are graded, 0 and 1 are such playouts, or games that ended in the tree."""
    kernel = specialise(with_length_cost, interpret=True, game={"GRADED": True})
    assert kernel(outcome, 2, length, Params(**NUMBERS | {"length_cost": COST})) == pytest.approx(
        wanted
    )


def follow(game, agent, playouts):
    """The searcher, and (moves of the tree, moves of the playout, result) of each playout."""
    searcher = Searcher(game, make_agent(agent), seed=3, record_last=True)
    searcher.prepare(Position.start(game), playouts)
    seen = []
    for _ in range(playouts):
        searcher.run(1)
        path, _, outcome = searcher.tree.last_playout()
        seen.append((len(path) - 1, int(searcher.tree.counters[layout.LAST_LENGTH]), outcome))
    return searcher, seen


@pytest.mark.parametrize(
    "agent",
    [
        "uct(length_cost=0.01)",
        "uct(length_cost=0.01,threads=2)",
        "dfuct(length_cost=0.01)",
        "mc(length_cost=0.01)",
        "uct(length_cost=0.01,rave=fuego)",
    ],
)
def test_every_loop(agent):
    """Each playout has the result by hand, and the root has the sum of them."""
    game = make_game(CONNECT_FOUR)
    if agent != "uct(length_cost=0.01)":  # one of them compiled
        game = game.interpreted()
    searcher, seen = follow(game, agent, 200)
    results = set()
    for depth, length, outcome in seen:
        wanted = [by_hand(won, depth + length) for won in (0.0, 0.5, 1.0)]
        assert min(abs(outcome - value) for value in wanted) < 1e-9
        results.add(round(outcome, 6))
    assert len(results) > 20 and 0.0 not in results and 1.0 not in results
    # The second player would have moved into the root.
    assert searcher.tree.nodes[0].total == pytest.approx(sum(1 - seen[2] for seen in seen))


def test_mercy_in_go():
    """Heavy playouts give 0 or 1 only where mercy ended them, and these results stay."""
    cost, komi = 0.005, 7.5
    game = make_game("go:5").interpreted()
    _, seen = follow(game, f"uct(playout=heavy,length_cost={cost})", 30)
    given_up = [outcome for _, _, outcome in seen if outcome in (0.0, 1.0)]
    assert 0 < len(given_up) < len(seen)
    for depth, length, outcome in seen:
        taken = min(0.5, cost * (depth + length))
        bonus = outcome + taken - 0.98 if outcome > 0.5 else outcome - taken - 0.02
        points = bonus / 0.02 * (25 + komi) + komi
        assert outcome in (0.0, 1.0) or points == pytest.approx(round(points), abs=1e-3)


def test_no_cost_no_code():
    game = make_game("hex:3")

    def digest(text):
        agent = make_agent(text)
        return digest_of(bind_for_cpu(game, agent).bind(loop.search))

    assert digest("uct") == digest("uct(length_cost=0)") != digest("uct(length_cost=0.1)")
    assert digest("uct(length_cost=0.1)") == digest("uct(length_cost=0.2)")


def test_a_gpu_keeps_fractions_of_results():
    """Its small nodes count half points."""
    game = make_game("hex:3")
    assert bind_for_gpu(game, make_agent("uct")).agent.backup is packed_mean
    assert bind_for_gpu(game, make_agent("uct(length_cost=0.1)")).agent.backup is mean


@pytest.mark.parametrize(
    ("spec", "agent", "rave_initial", "length_cost"),
    [
        ("go:9", "fuego", 1.0, 0.0),
        ("go:13", "fuego", 1.0, 0.0),
        ("go:14", "fuego", 1.0, 0.0),
        ("go:15", "fuego", 0.9, 0.00028),
        ("go:19", "fuego", 0.9, 0.00028),
        ("go:19,komi=6.5", "auct(k=4,preset=fuego)", 0.9, 0.00028),
        ("go:19", "uct(preset=fuego,rave=off)", 0.9, 0.00028),
        ("go:19", "fuego(rave_initial=1)", 1.0, 0.00028),
        ("go:19", "fuego(wi=2,length_cost=0)", 2.0, 0.0),
        ("go:19", "uct(rave=fuego)", 1.0, 0.0),
        ("go:19", "uct(playout=heavy,length_cost=0.001)", 1.0, 0.001),
        ("hex:19", "uct", 1.0, 0.0),
    ],
)
def test_numbers_by_the_size_of_the_board(spec, agent, rave_initial, length_cost):
    game = make_game(spec)
    params = fitted(game, make_agent(agent)).params
    assert (params.rave_initial, params.length_cost) == (rave_initial, length_cost)
    assert params.rave_final == 5000
    binding = bind_for_cpu(game, make_agent(agent))
    assert binding.agent.params == params and binding.agent.name == agent
    assert fitted(game, binding.agent) == binding.agent


def test_a_search_has_the_numbers_of_its_board():
    searcher = Searcher(make_game("go:15").interpreted(), make_agent("fuego"))
    assert searcher.agent.params.rave_initial == searcher.tree.agent.params.rave_initial == 0.9


def test_wrong_costs():
    with pytest.raises(UsageError, match="length_cost=-1 is not accepted; it must be at least 0"):
        make_agent("uct(length_cost=-1)")
