"""Our games as environments of PettingZoo and Gymnasium, by the checks of the real packages."""

from __future__ import annotations

import doctest
import subprocess
import sys
import warnings

import numpy as np
import pytest

from uctlab.errors import UsageError
from uctlab.games import Position, make_game

gymnasium = pytest.importorskip(
    "gymnasium", reason="Gymnasium is not installed: pip install 'uctlab[gymnasium]'"
)
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: 'uctlab[pettingzoo]'")
aec = pytest.importorskip("uctlab.integrations.pettingzoo")
gym = pytest.importorskip("uctlab.integrations.gymnasium")
api_test = pytest.importorskip("pettingzoo.test").api_test
check_env = pytest.importorskip("gymnasium.utils.env_checker").check_env
Observer = pytest.importorskip("uctlab.integrations.observation").Observer

GAMES = ["othello", "hex:4", "go:4", "havannah:3", "deceptive"]  # the last one has no diagram


# Two of its warnings are about any observation with a mask, the third about an empty board.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_it(game, capsys):
    api_test(aec.env(game, render_mode="ansi"), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", GAMES[1:])
def test_gymnasium_accepts_it(game):
    env = gymnasium.make("uctlab/Game-v0", game=game, opponent="mc", playouts=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("game", GAMES)
def test_random_games_end_with_the_result(game):
    env = aec.env(game)
    rng = np.random.default_rng(1)
    for _ in range(3):
        env.reset()
        position = Position.start(make_game(game))
        got = {}
        for agent in env.agent_iter():
            seen, reward, over, _, _ = env.last()
            if over:
                got[agent] = reward
                env.step(None)
                continue
            assert agent == f"player_{position.turn}"
            assert tuple(np.flatnonzero(seen["action_mask"])) == position.legal
            other = env.observe(f"player_{1 - position.turn}")
            assert not other["action_mask"].any()
            move = int(rng.choice(position.legal))
            env.step(move)
            position = position.play(move)
        score = 2 * position.result - 1
        assert got == {"player_0": score, "player_1": -score}


def test_observations():
    game = make_game("hex:4")
    position = Position.start(game).play_all("b1 c4")
    observer = Observer(game)
    own, other = observer.observe(position, 0)
    assert own.shape == (4, 4) and own[0, 1] == 1 and own.sum() == 1
    assert other[3, 2] == 1 and other.sum() == 1
    assert np.array_equal(observer.observe(position, 1), [other, own])


def test_neighbours_on_a_hexagon():
    """The six steps to the neighbours of the middle are those of every cell."""
    game = make_game("havannah:3")
    observer, places = Observer(game), {}
    for move in Position.start(game).legal:
        plane = observer.observe(Position.start(game).play(move), 0)[0]
        places[tuple(int(at) for at in np.argwhere(plane)[0])] = move
    assert plane.shape == (5, 5) and len(places) == 19
    steps = {(0, 1), (0, -1), (-1, 0), (-1, 1), (1, 0), (1, -1)}
    links = sum((y + dy, x + dx) in places for y, x in places for dy, dx in steps)
    assert links == 2 * 42  # a hexagon of 19 cells has 42 pairs of neighbours


def test_an_illegal_move_loses():
    env = aec.env("hex:4")
    env.reset()
    env.step(0)
    env.step(0)
    assert env.rewards["player_1"] == -1 and env.terminations["player_0"]
    one = gym.GameEnv("hex:4", "mc", playouts=5, seat=0)
    one.reset(seed=1)
    one.step(0)
    _, reward, over, _, info = one.step(0)
    assert over and reward == -1 and info["illegal"]


@pytest.mark.parametrize("seat", [0, 1])
def test_seats(seat):
    env = gym.GameEnv("hex:4", "mc", playouts=5, seat=seat, render_mode="ansi")
    seen, info = env.reset(seed=1)
    assert seen[0].sum() == 0 and seen[1].sum() == seat
    assert info["action_mask"].sum() == 16 - seat
    assert np.array_equal(env.action_masks(), info["action_mask"] == 1)
    over = False
    while not over:
        _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
    assert reward == (2 * env.position.result - 1) * (1 if seat == 0 else -1)
    assert env.render() == str(env.position)


def test_lots_are_drawn_for_seats():
    env = gym.GameEnv("hex:4", "mc", playouts=1)
    seats = set()
    for seed in range(12):
        env.reset(seed=seed)
        seats.add(env.seat)
    assert seats == {0, 1}


def test_refused():
    with pytest.raises(UsageError, match="accepted: 0, 1, None"):
        gym.GameEnv("hex:4", playouts=1, seat=2)
    with pytest.raises(UsageError, match="budget"):
        gym.GameEnv("hex:4")
    for make in (aec.env, gym.GameEnv):
        with pytest.raises(UsageError, match="accepted: ansi, None"):
            make("hex:4", render_mode="human")


@pytest.mark.parametrize("module", [aec, gym])
def test_examples_of_docstrings(module):
    found = doctest.testmod(module)
    assert found.attempted > 0 and found.failed == 0
    lines = [line[4:] for line in module.__doc__.splitlines() if line.startswith("    ")]
    assert lines
    exec("\n".join(lines), {})


@pytest.mark.parametrize("name", ["PettingZoo", "Gymnasium"])
def test_without_the_package(name):
    module = name.lower()
    code = f"import sys; sys.modules['{module}'] = None; import uctlab.integrations.{module}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1].endswith(
        f"uctlab.integrations.{module} needs {name}: pip install 'uctlab[{module}]'"
    )
