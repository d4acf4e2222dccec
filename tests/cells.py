"""What a user may write in the cells of a notebook: a rule, a game."""

RULE = """
from typing import Any
import math
from uctlab.agents import make_agent, with_rules
from uctlab.games import make_game
from uctlab.kernels import hole, kernel
from uctlab.rules.select.best import fpu_score

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")
SCALE = 1.0

@kernel
def scaled_root(x):
    return SCALE * math.sqrt(x)

class Mine:
    @staticmethod
    @kernel
    def node_terms(nodes, parent, params):
        return params.c * scaled_root(parent_visits(nodes, parent, params))

    @staticmethod
    @kernel
    def score(nodes, child, parent, terms, params):
        return value(nodes, child) + terms * inverse_visits(nodes, child, parent)

    untried_score = staticmethod(fpu_score)
"""

GAME = '''
import numpy as np
from uctlab.games import Game
from uctlab.kernels import hole, kernel

MATCHES: int = hole("game.MATCHES")

@kernel
def start(s):
    s.turn = 0
    s.left = MATCHES

@kernel
def moves(s, out):
    count = min(s.left, 3)
    for i in range(count):
        out[i] = i
    return count

@kernel
def play(s, move):
    s.left -= move + 1
    s.turn = 1 - s.turn

@kernel
def result(s):
    """Who takes the last match has won."""
    return 1.0 if s.turn == 1 else 0.0

def nim(matches):
    return Game(
        name="nim",
        state=np.dtype([("turn", "i8"), ("left", "i8")], align=True),
        start=start,
        moves=moves,
        play=play,
        result=result,
        max_moves=3,
        max_length=matches,
        move_names=("1", "2", "3"),
        constants={"MATCHES": matches},
        interpret=True,
    )
'''
