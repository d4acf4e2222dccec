"""Boards of Go with dead stones, for the tests of the referee and of disputed games."""

from uctlab.games import Position, make_game

GAME = make_game("go:9")

# Small letters are dead stones. Fuego 1.1 names the same ones, and so does GNU Go 3.8 but for the
# bent four, which it takes off.
BOARDS = {
    "stones inside eyes": """
        . X . X O . O . .
        X X X X O O O O O
        . . . X O . . . .
        . . X X O . . O O
        . . . X O . x O .
        . . . X O O O O O
        . o . X O . . x .
        . . . X O . . . .
        . . . X O . . . .""",
    "two eyes in the enemy's land": """
        . O . O X . . . .
        O O O O X . X . .
        X X X X X . . . .
        . . . . . . . . .
        . . . X X X X X X
        X X X X O O O O O
        O O O O O . . O .
        . . . . . . . . .
        . . O . . . O . .""",
    "one eye, which is filled": """
        . . . X X O . . .
        . X . . X O . O .
        X X X X X O . . .
        o o o o X O . . .
        . X . o X O . O .
        o o o o X O . . .
        X X X X X O . . .
        . X . . X O . O .
        . . . X X O . . .""",
    "too few liberties": """
        . . . X X O . . .
        X X X X X O . . .
        . . o o X O . O .
        X X X o X O . . .
        . . X o X O . . .
        X . X o X O . . .
        . X X o X O . O .
        . . X X X O . . .
        . . . X X O . . .""",
    "forty stones in atari, that could not all be put back": """
        . x O O x x O O O
        O O . O x x O x O
        x O O O x x O . O
        x O x O x x x O O
        x x x x x . O . O
        O O x x x x O O O
        . O O x x x x O .
        O x O O x O O . O
        O . O x x x O O O""",
    "seki: an eye each and a shared liberty": """
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . X . X O . O . .
        . . X X O O . . .
        . . . . X O . . .
        X X X X X O O O O
        X O O O O X X X O
        X O . O . X . X O""",
    "seki: two shared liberties": """
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . X . X O . O . .
        . . X X O O . . .
        . . . X X X O . .
        X X X X X X X O O
        O O O O O O X O .
        . X X X . O X O .""",
    "bent four in the corner, not played out": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        X X X . X O . O .
        O O X X X O . . .
        . O X . X O . . .
        X O O O X O . O .
        X X . O X O . . .""",
    "two-headed dragon": """
        X X X X . X X X X
        X O O X X O O O X
        X O O O O O . O X
        X O . O . O O O X
        X O O O O O O O X
        X O . O O O . O X
        X O O O . O O O X
        X O O O X X O O X
        X X X X . X X X X""",
    "snapback": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        . . . . X O . O .
        . X . X X O . . .
        X X X X O O . . .
        o o o X O . . O .
        X . o X O . . . .""",
    "dead, but liberties must be taken in the right order": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        . . . . X O . O .
        . X . . X O O . .
        X X X X X X O . .
        o o o o X . X O .
        . o . X . X X O .""",
    "nakade of three": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        . . . . X O . O .
        X X X X X O . . .
        o o o o X O . . .
        . X . o X O . O .
        o o o o X O . . .""",
    "four in a row live": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        X X X X X O . O .
        O O O O X X O . .
        . x . O X . O . .
        O . O O X O O O .
        . O O X X X O . .""",
    "a false eye": """
        . . . . . X O . .
        . X . . . X O . O
        . . . X . X O . .
        . X . . . X O . .
        . . . . . X O O .
        X X X X X X O . .
        o o o X X X O . .
        . o X X o X O . O
        o o . o o X O . .""",
    "an eye against none": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        X X X X X O . O .
        o o o o X O . . .
        . . . o X O . . .
        X X X o X O . O .
        . X X o X O . . .""",
    "invasions that failed": """
        . . . . . X O . .
        . X . . . X O . .
        . . . X . X O . .
        . X . . . X O x .
        X X X X . X O O O
        . . o . X X O . .
        . o o . X . X O .
        . . o . X X X O .
        . . . . X O O O .""",
    "stones inside safe land": """
        X X . X O O O O O
        . X X X O . O . O
        X X o o X O O O O
        X o . o X X O . O
        X o o X . X O O O
        X X . X X X X O .
        X . X X . X X O O
        X X O O X X O O .
        O O O O O O O . O""",
    "nothing": "\n".join([". . . . . . . . ."] * 9),
}


# In most playouts both the eye and the stones in it are captured, one after the other.
NAKADE_OF_FIVE = """
    . . . . . X O . .
    . X . . . X O . O
    . . . X . X O . .
    . X . . . X O . .
    X X X X X X O O .
    o o o o o X O . .
    o X X . o X O . .
    o X X o . X O . O
    o o o o o X O . ."""
# Whose stones are proven to be alive or dead, so that playouts are not needed.
PROVEN = ("two-headed dragon", "stones inside safe land")


def board(text, turn="X"):
    """The position, and the cells of its dead stones."""
    dead = {i for i, symbol in enumerate("".join(text.split())) if symbol.islower()}
    return Position.from_diagram(GAME, f"{text.upper()}\n{turn} to play"), dead


def colours_changed(text):
    return text.translate(str.maketrans("XOxo", "OXox"))
