"""OpenSpiel's games as ours, and our agents as its bots, against the real library."""

from __future__ import annotations

import doctest
import pickle
import random
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, check, make_game
from uctlab.games.uniform import uniform
from uctlab.kernels import seed_rng
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import Searcher

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: 'uctlab[openspiel]'")
openspiel = pytest.importorskip("uctlab.integrations.openspiel")
Bot, game_from = openspiel.Bot, openspiel.game_from

EXAMPLE = "examples/openspiel_game.py"
TICTACTOE = "tic_tac_toe"
TWICE = ["mancala", "dots_and_boxes"]  # a player may move twice in a row
GAMES = [
    TICTACTOE,
    "connect_four",
    "breakthrough(rows=4,columns=4)",
    "clobber(rows=3,columns=4)",
    "y(board_size=4)",
    "oware",
    "chess",  # the player with number 1 begins
    *TWICE,
]


def played(game, actions):
    """Our position and OpenSpiel's state after these actions, without skips between them."""
    theirs = pyspiel.load_game(game.name.removeprefix("openspiel:")).new_initial_state()
    ours = Position.start(game)
    for action in actions:
        ours = ours.play(action)
        theirs.apply_action(action)
    return ours, theirs


@pytest.mark.parametrize("name", GAMES)
def test_random_games_agree(name):
    game = game_from(name)
    skip = len(game.move_names) - 1
    skips = 0
    for seed in range(4):
        rng = random.Random(seed)
        position, state = played(game, [])
        first = state.current_player()
        while not state.is_terminal() and len(position.moves) < 120:
            assert str(position) == str(state)
            if position.legal == (skip,):
                skips += 1
                position = position.play(skip)
            assert position.turn == (state.current_player() != first)
            assert position.legal == tuple(state.legal_actions())
            action = rng.choice(position.legal)
            position = position.play(action)
            state.apply_action(action)
        assert position.is_over == state.is_terminal()
        if position.is_over:
            assert 2 * position.result - 1 == np.sign(state.returns()[first])
    assert bool(skips) == (name in TWICE)


def test_tictactoe_keeps_the_contract():
    report = check(game_from(TICTACTOE), games=1)
    assert not report.compiled


@pytest.mark.parametrize("name", ["breakthrough(rows=4,columns=4)", *TWICE])
def test_others_keep_it_too(name):
    """With playouts made of `moves` and `play`: the bridge's own are compared with them below."""
    check(replace(game_from(name), playouts={"uniform": uniform}), games=6, compiled=False)


@pytest.mark.parametrize("name", ["connect_four", *TWICE])
def test_playouts_are_uniform(name):
    """Same random numbers, same moves as the playout that is made of `moves` and `play`."""
    game = game_from(name)
    plain = replace(game, playouts={"uniform": uniform})
    for seed in range(10):
        found = []
        for each in (game, plain):
            state, trace = Position.start(each).state, each.new_trace()
            run = each.playout(trace=True)
            found.append((run(state, seed_rng(seed), each.new_out(), trace), trace.tolist()))
        assert found[0] == found[1]


def test_names():
    assert game_from(TICTACTOE).move_names[:4] == ("0-0", "0-1", "0-2", "1-0")
    assert game_from("breakthrough(rows=4,columns=4)").parse_move("a4b3") >= 0
    assert game_from("go(board_size=3)").move_names[-2:] == ("PASS", "skip")
    # The name of a move of chess says what else is on the board.
    assert game_from("chess").move_names[:2] == ("0", "1")


def test_many_positions_are_forgotten(monkeypatch):
    monkeypatch.setattr(openspiel.rules, "REMEMBERED", 3)
    position = Position.start(game_from(TICTACTOE)).play_all("0-0 1-1")
    assert position.perft(3) == 7 * 6 * 5


def test_search_finds_a_win_in_one():
    game = game_from("connect_four")
    position = Position.start(game).play_all("3 3 2 2 4 4")
    report = Searcher(game, make_agent("uct"), seed=1).search(position, playouts=100)
    assert report.won and report.best in ("1", "5")


def test_match_between_two_agents():
    game = game_from(TICTACTOE)
    for number in range(4):
        sides = [Searcher(game, make_agent(a), seed=number) for a in ("uct", "mc")]
        if number % 2:
            sides.reverse()
        position = Position.start(game)
        while not position.is_over:
            report = sides[position.turn].search(position, playouts=40)
            position = position.play(report.best)
        ours, theirs = played(game, position.moves)
        assert theirs.is_terminal() and 2 * ours.result - 1 == theirs.returns()[0]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("kuhn_poker", "chance"),
        ("backgammon", "chance"),
        ("phantom_ttt", "hidden information"),
        ("matrix_rps", "in turn"),
        ("chinese_checkers(players=3)", "3 players"),
        ("nosuch", "no game 'nosuch'"),
        ("tic_tac_toe(size=4)", "Unknown parameter 'size'"),
        (3, "or its name, not 3"),
    ],
)
def test_refused(name, why):
    with pytest.raises(UsageError, match=why) as refusal:
        game_from(name)
    assert "\n" not in str(refusal.value)


def test_one_thread_and_no_gpu():
    game = game_from(TICTACTOE)
    for agent in ("uct(threads=2)", "uct(root=2)"):
        with pytest.raises(UsageError, match="plain Python, which has one thread and no GPU"):
            Searcher(game, make_agent(agent))
    with pytest.raises(UsageError, match="--device cpu"):
        bind_for_gpu(game, make_agent("uct"))


def test_pickles():
    game = pickle.loads(pickle.dumps(game_from(TICTACTOE)))
    assert str(Position.start(game).play("1-1")) == "...\n.x.\n..."


def test_on_the_command_line(uctlab):
    code, shown, _ = uctlab("show", f"{EXAMPLE}:connect_four", "--moves", "3 3")
    assert code == 0 and "...o..." in shown
    options = ["--games", "2", "--playouts", "20", "--workers", "1"]
    code, shown, _ = uctlab("match", EXAMPLE, "uct", "mc", *options)
    assert code == 0 and "A = uct against B = mc" in shown
    code, _, said = uctlab("match", EXAMPLE, "uct(threads=2)", "mc", *options)
    assert code == 2 and "one thread" in said


@pytest.mark.parametrize(
    "name", ["hex(board_size=3)", "go(board_size=4)", TICTACTOE, "dots_and_boxes"]
)
def test_bots_play_games(name):
    game = pyspiel.load_game(name)
    bots = [Bot("uct", playouts=30, seed=seat) for seat in range(2)]
    for _ in range(2):
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 0)
        assert sum(returns) == 0


def test_bot_uses_our_compiled_game():
    bot = Bot("uct", playouts=10)
    bot.step(pyspiel.load_game("hex(board_size=3)").new_initial_state())
    assert bot._line.searcher.game == make_game("hex:3")


def test_bot_follows_jumps():
    """What it plays in a state does not depend on the states that it saw before."""
    game = pyspiel.load_game(TICTACTOE)
    wins = {(0, 3, 1, 4): 2, (8, 0, 7, 1): 6, (0, 3, 1, 4, 8): 5, (): None, (4, 0, 8, 1, 2): None}
    bot = Bot("uct", playouts=50)
    for actions, wins_at in wins.items():
        state = game.new_initial_state()
        for action in actions:
            state.apply_action(action)
        action = bot.step(state)
        assert action == wins_at if wins_at is not None else action in state.legal_actions()


def test_bot_policy():
    bot = Bot("uct", playouts=60)
    state = pyspiel.load_game("hex(board_size=3)").new_initial_state()
    assert bot.provides_policy()
    policy, action = bot.step_with_policy(state)
    assert [a for a, _ in policy] == state.legal_actions()
    assert sum(share for _, share in policy) == pytest.approx(1)
    assert action == max(policy, key=lambda pair: pair[1])[0]
    assert [a for a, _ in bot.get_policy(state)] == state.legal_actions()


def test_bot_seeds():
    def game(bot):
        state = pyspiel.load_game("hex(board_size=3)").new_initial_state()
        bot.restart()
        while not state.is_terminal():
            state.apply_action(bot.step(state))
        return state.history()

    bot, same = Bot("uct", playouts=10, seed=1), Bot("uct", playouts=10, seed=1)
    games = [game(bot) for _ in range(4)]
    assert games == [game(same) for _ in range(4)]
    assert len({tuple(moves) for moves in games}) > 1


def test_bot_refuses_a_state_from_elsewhere():
    state = pyspiel.load_game("chess").new_initial_state("k7/8/8/8/8/8/8/K6R w - - 0 1")
    with pytest.raises(UsageError, match="does not follow from the start"):
        Bot("uct", playouts=5).step(state)


@pytest.mark.parametrize("name", ["hex(board_size=3)", TICTACTOE])
def test_bot_at_the_end_of_a_game(name):
    state = pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(UsageError, match="the game is over"):
        Bot("uct", playouts=5).step(state)


def test_bot_needs_a_budget():
    with pytest.raises(UsageError, match="budget"):
        Bot("uct")


def test_examples_of_docstrings():
    found = doctest.testmod(openspiel)
    assert found.attempted > 0 and found.failed == 0
    lines = openspiel.__doc__.splitlines()
    exec("\n".join(line[4:] for line in lines if line.startswith("    ")), {})


def test_without_the_package():
    code = "import sys; sys.modules['pyspiel'] = None; import uctlab.integrations.openspiel"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr.splitlines()[-1].endswith(
        "uctlab.integrations.openspiel needs OpenSpiel: pip install 'uctlab[openspiel]'"
    )
