"""Any suitable game of OpenSpiel's as a game of uctlab, by its name; needs 'uctlab[openspiel]'.

uctlab match examples/openspiel_game.py:connect_four uct "auct(k=3)" --games 10 --playouts 200

The options of a game of ours end at commas, so a game of OpenSpiel's with parameters needs a file
like this one with the parameters in it: game_from("breakthrough(rows=5,columns=4)").
"""

from uctlab import Game
from uctlab.integrations.openspiel import game_from


def make(game: str = "tic_tac_toe") -> Game:
    return game_from(game)
