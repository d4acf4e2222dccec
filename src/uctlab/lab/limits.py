"""How much a visitor may ask for. The catalog tells the browser those that concern it."""

from __future__ import annotations

from dataclasses import dataclass

PLAYOUTS = 2_000_000  # most a search and side
SECONDS = 120.0  # most that a search runs, by the clock, both sides together
TREE_BYTES = 256 * 2**20  # nodes of a search, both sides together
STEP = 100_000  # most playouts of a step
MOVES = 500  # in a position
DEPTH = 60  # moves in the path of a tree request

MESSAGE_BYTES = 64 * 1024  # a longer one gets an error
FRAME_BYTES = 2**20  # a longer one ends the connection
TEXT = 4000  # characters of a diagram
SGF_TEXT = 48 * 1024
NAME = 120  # characters of an agent, a game, a move

VISITORS = 200
REQUESTS = 8  # of one visitor that wait for an answer
UNSENT = 2**20  # characters that wait to be sent; beyond them only the latest report is kept
UNREAD = 8 * 2**20  # characters that a visitor has not taken; more end the connection
SEND_SECONDS = 30.0  # that a visitor has to take a message

IDLE_SECONDS = 60.0  # that a search which does not run keeps its process without a message
SPARE_SECONDS = 60.0  # that a process without a search is kept, but for one
HOUSE_SECONDS = 0.5  # between two looks at who waits and what is idle
COMPILE_SECONDS = 180.0  # after which a process that was told to stop is ended
ANSWER_SECONDS = 30.0  # for a position
PROCESS_FAILURES = 3  # processes in a row that end at once, after which those who wait are told
SEARCHES_A_PROCESS = 100  # after which a new process takes over, with an empty memory

REPORT_SECONDS = 0.15  # between two reports of a search
REPORT_GROWTH = 1.1  # a report comes earlier when the playouts have grown by this factor
SLICE_SECONDS = 0.01  # between two looks at what the visitor says


@dataclass(frozen=True)
class Rate:
    """Messages of one visitor: so many a second, and so many at once after a silence."""

    a_second: float = 40.0
    burst: float = 80.0
    penalty: float = 0.02
    """Seconds that a refused message keeps its sender waiting."""
