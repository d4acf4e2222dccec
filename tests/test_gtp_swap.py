"""The swap of Hex and Havannah between programs that do not agree on what it does to the board."""

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.gtp_talk import Talk
from uctlab.arena.player import GtpPlayer
from uctlab.games import Position, make_game

MOHEX = Path(__file__).parent / "data" / "fake_mohex.py"


@pytest.fixture
def mohex(tmp_path):
    """From its manner to such a player of 4x4 Hex, and the file of what it was asked."""
    players = []

    def start(manner, spec):
        log = tmp_path / "log"
        command = shlex.join([sys.executable, "-I", "-S", *map(str, (MOHEX, manner, log))])
        players.append(GtpPlayer(make_game(spec).interpreted(), command))
        return players[-1], log

    yield start
    for player in players:
        player.close()


def owners_of(position):
    """Cells with stones, and the colour on each."""
    name = position.game.move_name
    cells = np.flatnonzero(position.stones).tolist()
    return {name(cell): position.game.colours[position.stones[cell] - 1] for cell in cells}


def told_by(player):
    """The same, as the program tells it."""
    words = player._engine.engine.send("showboard").upper().split()
    return {point.lower(): colour for colour, point in (word.split(":") for word in words)}


def test_mohex_swaps(mohex):
    """Its own board stays as it was; from then on both boards are the same again."""
    player, log = mohex("swaps", "hex:4,swap=on")
    game = player._game
    player.begin(Position.start(game), 0)
    position = Position.start(game).play("b3")
    swap = player.choose(position)
    assert game.move_name(swap) == "swap-pieces"
    position = position.play(swap).play("a1")
    position = position.play(player.choose(position))
    assert owners_of(position) == told_by(player) == {"c2": "W", "a1": "B", "b1": "W"}
    assert "param_game allow_swap 1" in log.read_text().splitlines()


def test_mohex_is_swapped(mohex):
    player, log = mohex("plain", "hex:4,swap=on")
    game = player._game
    player.begin(Position.start(game), 0)
    first = player.choose(Position.start(game))
    position = Position.start(game).play(first).play("swap-pieces")
    for _ in range(3):
        position = position.play(player.choose(position))
        assert owners_of(position) == told_by(player)
        position = position.play(position.legal[-1])
    assert "swap-pieces" not in log.read_text()


def test_without_the_swap_mohex_is_told_so(mohex):
    player, log = mohex("swaps", "hex:4")
    player.begin(Position.start(player._game), 0)
    position = Position.start(player._game).play("b3")
    assert player._game.move_name(player.choose(position)) == "a1"
    assert "param_game allow_swap 0" in log.read_text().splitlines()


def talk_of(spec="hex:4,swap=on"):
    return Talk(make_game(spec).interpreted(), playouts=40)


def test_after_a_swap_the_other_colour_moves():
    """The stone has been mirrored and belongs to the one who swapped."""
    talk = talk_of()
    for line in ("play black b3", "play white swap-pieces", "play black a1"):
        assert talk.ask(line) == ""
    assert owners_of(talk.position) == {"c2": "W", "a1": "B"}


@pytest.mark.parametrize("spec", ["hex:4,swap=on", "havannah:3,swap=on"])
def test_after_a_swap_the_same_colour_moves(spec):
    """As in HexGui 0.9 and MoHex: the stone stays, and the players have exchanged their colours."""
    talk = talk_of(spec)
    first, second = talk.engine.game.colours
    for line in (f"play {first} b3", f"play {second} swap-pieces", f"play {second} c2"):
        assert talk.ask(line) == ""
    assert owners_of(talk.position) == {"b3": first, "c2": second}
    talk.ask("undo")
    assert "illegal move" in talk.refused(f"play {second} swap-pieces")
    assert talk.ask(f"reg_genmove {second}") != "swap-pieces"
    assert talk.ask(f"genmove {second}") != "swap-pieces"
    assert owners_of(talk.position)["b3"] == first and len(owners_of(talk.position)) == 2
    talk.ask("gg-undo 2")
    assert talk.ask(f"play {second} swap-pieces") == ""  # for the first time again
