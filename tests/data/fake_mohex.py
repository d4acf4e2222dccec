"""A program that plays Hex over GTP as MoHex does, without its strength.

It knows the swap only when it has been allowed, and a swap moves no stone: the players exchange
their colours. As the second player it swaps any first stone, if told to (`swaps`). Else it plays
the first free cell. `log` is a file for what it was asked.
"""

import sys


class RefusalError(Exception):
    """What the answer with a question mark says."""


class MoHex:
    def __init__(self, swaps: bool) -> None:
        self.swaps, self.size, self.allowed = swaps, 11, False
        self.stones: dict[str, str] = {}
        self.history: list[str] = []

    def put(self, colour: str, point: str) -> str:
        if point == "swap-pieces":
            if not self.allowed or len(self.history) != 1:
                raise RefusalError(f"illegal move: {colour} {point} (invalid)")
        elif point in self.stones:
            raise RefusalError(f"illegal move: {colour} {point} (occupied)")
        else:
            self.stones[point] = colour
        self.history.append(point)
        return point

    def choose(self, colour: str) -> str:
        if self.allowed and self.swaps and len(self.history) == 1 and colour == "w":
            return "swap-pieces"
        side = range(self.size)
        cells = (f"{chr(97 + x)}{y + 1}" for y in side for x in side)
        return next(cell for cell in cells if cell not in self.stones)

    def respond(self, command: str, words: list[str]) -> str:
        match command:
            case "list_commands":
                return "boardsize\nclear_board\nparam_game\nplay\ngenmove\nshowboard"
            case "boardsize":
                self.size = int(words[0])
            case "clear_board":
                self.stones.clear()
                self.history.clear()
            case "param_game":
                self.allowed = words == ["allow_swap", "1"]
            case "play":
                self.put(words[0][0], words[1])
            case "genmove":
                return self.put(words[0][0], self.choose(words[0][0]))
            case "showboard":
                return " ".join(f"{colour}:{point}" for point, colour in self.stones.items())
        return ""


def main(manner: str, log: str) -> None:
    mohex = MoHex(manner == "swaps")
    while line := sys.stdin.readline():
        number, name, *words = line.split()
        with open(log, "a") as file:
            print(name, *words, file=file)
        try:
            print(f"={number} {mohex.respond(name, words)}", end="\n\n", flush=True)
        except RefusalError as refusal:
            print(f"?{number} {refusal}", end="\n\n", flush=True)
        if name == "quit":
            break


main(*sys.argv[1:])
