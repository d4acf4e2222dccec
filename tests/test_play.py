"""`uctlab play`: a person against an agent, at the keyboard."""

from pathlib import Path

import pytest

from uctlab.games import Position, make_game

EXAMPLES = Path(__file__).parents[1] / "examples"
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")
CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]


@pytest.fixture
def play(uctlab, monkeypatch):
    """Play with these words on the keyboard, then end of file; (standard output, words left)."""

    def run(words, *arguments):
        left = list(words)
        agent = () if "--agent" in arguments else ("--agent", "uct")

        def read(prompt=""):
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr("builtins.input", read)
        code, out, err = uctlab("play", *arguments, *agent, "--playouts", 60)
        assert (code, err) == (0, "")
        return out, left

    return run


@pytest.mark.parametrize("side", [(), ("--second",)])
def test_a_whole_game(play, side):
    out, _ = play(CELLS, "hex:3", *side)
    assert out.startswith(f"You are {'White (O)' if side else 'Black (X)'} against uct.")
    assert out.splitlines()[-1].endswith("has won")
    assert "plays" in out and "it expects" in out and "The game ends here." not in out
    board = out.splitlines()[-4:-1]
    stones = [sum(row.count(player) for row in board) for player in "XO"]
    assert stones[0] - stones[1] in (0, 1) and sum(stones) >= 5


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("go:5", "fuego"),
        ("hex:5", "uct(rave=fuego,playout=bridge)"),
        ("othello", "auct(k=3)"),
        (CONNECT_FOUR, "auct(k=3)"),
    ],
)
def test_without_an_agent_the_games_own_plays(uctlab, monkeypatch, game, agent):
    monkeypatch.setattr("builtins.input", lambda prompt="": "quit")
    code, out, _ = uctlab("play", game)
    assert code == 0 and out.startswith(
        f"You are {make_game(game).players[0]} (X) against {agent}."
    )


def test_leaving(play):
    for word in ("quit", "exit"):
        out, left = play([word, "a1"], "hex:3")
        assert "The game ends here." in out and left == ["a1"] and "plays" not in out
    out, _ = play([], "hex:3")
    assert "The game ends here." in out
    out, _ = play(["a1"], "hex:3")
    assert out.count(" plays ") == 1 and "The game ends here." in out


def test_ctrl_c_leaves(uctlab, monkeypatch):
    def read(prompt=""):
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    code, out, _ = uctlab("play", "hex:3", "--playouts", 60)
    assert code == 0 and "The game ends here." in out


def test_words_that_are_no_moves(play):
    out, _ = play(["moves", "help", "", "zz", "b2", "b2", "quit"], "hex:3")
    assert " ".join(Position.start(make_game("hex:3")).legal_moves) in out
    assert out.count("undo, hint, help, quit") == 3  # at the start, for help, for nothing
    assert "hex:3 has no move 'zz'" in out
    assert "move 3, b2, is illegal; legal: " in out


def test_hint(play):
    out, _ = play(["hint", "quit"], "hex:4", "--agent", "auct(k=3)")
    assert "principal variation: " in out and "velocity" in out and "60 playouts" in out
    assert " plays " not in out  # a hint is no move


def test_undo(play):
    out, left = play(["undo", "b2", "undo", "b2", "quit"], "hex:3")
    assert out.count("there is nothing to take back") == 1
    assert out.count(" plays ") == 2 and "illegal" not in out and left == []
    empty = str(Position.start(make_game("hex:3")))
    assert out.count(empty) == 2  # at the start, and again after the move was taken back
    out, _ = play(["undo", "quit"], "hex:3", "--second")
    assert "there is nothing to take back" in out and out.count(" plays ") == 1


def test_play_from_a_position(play):
    out, _ = play(["a", "quit"], CONNECT_FOUR, "--moves", "a b a b a b")
    assert out.splitlines()[-1].endswith("(X) has won") and " plays " not in out
    out, _ = play([], CONNECT_FOUR, "--second", "--moves", "a b a b a b")
    assert " plays a" in out and out.splitlines()[-1].endswith("(X) has won")


def test_play_mistakes(uctlab):
    for arguments, says in (
        (("hex:3", "--agent", "uctt"), "unknown agent"),
        (("hexx",), "unknown game"),
        (("hex:3", "--moves", "a1 a1"), "is illegal"),
        (("hex:3", "--second", "--playouts", 0), "--playouts takes a whole number from 1 to"),
    ):
        code, _, err = uctlab("play", *arguments)
        assert code == 2 and err.count("\n") == 1 and says in err
