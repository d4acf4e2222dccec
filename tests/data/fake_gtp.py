"""A GTP engine that misbehaves on demand: each fault is a command of its own.

Its arguments are the answers to genmove, one after the other.
"""

import os
import sys
import time

FOREVER = 3600  # seconds; longer than any test


def write(text: str) -> None:
    os.write(1, text.encode("latin-1"))


def flood() -> None:
    while True:
        os.write(1, b"x" * 65536)


def trickle() -> None:
    """A byte now and then, for ever."""
    while True:
        write("x")
        time.sleep(0.02)


def main() -> None:
    moves = iter(sys.argv[1:])
    seen = []
    while line := sys.stdin.readline():
        number, *words = line.split()
        seen.append(" ".join(words))
        match words:
            case ["name"]:
                write(f"={number} fake\n\n")
            case ["list_commands"]:
                write(f"={number} name\nset_random_seed\nquit\n\n")
            case ["board"]:
                write(f"={number} \n  A B\n2 . .  \n \n1 . .\n\n")
            case ["edax"]:
                write(f"= {number} Edax\n\n")
            case ["play", _, "pass"] if "grhino" in sys.argv:
                write(f"?{number} syntax error\n\n")
            case ["empty"]:
                write(f"={number}\n\n")
            case ["dirty"]:
                write(f"\a\x00={number}\tD\x085\tand\x7f more\r\nline\t2 \r\n\r\n")
            case ["noise"]:
                write(f"\n\nLoading...\n# a comment\r\n\xff\xfe\n={number} clean\n\n\n\n")
            case ["pieces"]:
                for letter in f"={number} bit by bit\n\n":
                    write(letter)
                    time.sleep(0.002)
            case ["refuse"]:
                write(f"?{number} not today\n\n")
            case ["other_id"]:
                write(f"={int(number) - 1} D5\n\n")
            case ["no_id"]:
                write("= D5\n\n")
            case ["twice"]:
                write(f"={number} D5\n\n={number} D6\n\n")
            case ["banner"]:
                write("=====\n")
            case ["half"]:
                write(f"={number} D")
                time.sleep(FOREVER)
            case ["unfinished"]:
                write(f"={number} D5\n")
                time.sleep(FOREVER)
            case ["silent"]:
                time.sleep(FOREVER)
            case ["deaf"]:
                write(f"={number}\n\n")
                time.sleep(FOREVER)
            case ["trickle"]:
                trickle()
            case ["flood"]:
                flood()
            case ["lines"]:
                while True:
                    write("noise\n" * 1000)
            case ["long_answer"]:
                write(f"={number} ")
                flood()
            case ["die"]:
                os.write(2, b"out of\n memory\n")
                sys.exit(3)
            case ["die_halfway"]:
                write(f"={number} D")
                sys.exit(4)
            case ["die_after_answer"]:
                write(f"={number} last words\n\n")
                sys.exit(5)
            case ["close_output"]:
                os.close(1)
                time.sleep(FOREVER)
            case ["close_input"]:
                os.close(0)
                write(f"={number} goodbye\n\n")
                time.sleep(FOREVER)
            case ["complain"]:
                os.write(2, b"e" * 300_000)
                write(f"={number} done\n\n")
            case ["length", text]:
                write(f"={number} {len(text)}\n\n")
            case ["seen"]:
                write(f"={number} {'; '.join(seen)}\n\n")
            case ["genmove", _]:
                write(f"={number} {next(moves)}\n\n")
            case ["quit"] if "stubborn" in seen:
                time.sleep(FOREVER)
            case ["quit"]:
                write(f"={number}\n\n")
                return
            case _:
                write(f"={number}\n\n")


main()
