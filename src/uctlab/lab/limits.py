"""Limits on what a visitor may ask for; the catalog tells the browser those that it needs."""

from __future__ import annotations

from dataclasses import dataclass

PLAYOUTS = 2_000_000  # maximum per search and side
SECONDS = 120.0  # maximum wall time of a search, both sides together
TREE_BYTES = 256 * 2**20  # nodes of a search, both sides together
STEP = 100_000  # maximum number of playouts of a step
MOVES = 500  # in a position
LINE = 10  # moves of a line that is expected
DEPTH = 60  # moves in the path of a tree request
SUBTREE = 400  # nodes in the answer to a subtree request
GUIDED_PLAYOUTS = 5000  # maximum of a search in plain Python, which takes milliseconds for each
GUIDED_MOVES = 25  # maximum of a position of such a search

GAME_NODES = 1000  # moves of a game with all its variations
PROPERTIES = 40  # SGF properties of a node

MESSAGE_BYTES = 192 * 1024  # a longer one is answered with an error
FRAME_BYTES = 2**20  # a longer one closes the connection
TEXT = 4000  # characters of a diagram
SGF_TEXT = 48 * 1024
NAME = 120  # characters of an agent or a game
MOVE_NAME = 40  # characters

REQUEST_SECONDS = 15.0  # for a whole request to arrive, headers and body
CONNECTIONS = 400  # at once; half of the allowed descriptors where those are fewer
CONNECTIONS_PER_ADDRESS = 100
ACCEPTED_AT_ONCE = 1  # connections; many would take all descriptors before the first is counted
WAITING_CONNECTIONS = 1024  # that the system keeps until they are accepted

VISITORS = 200
REQUESTS = 8  # of one visitor that are not answered yet
UNSENT = 2**20  # characters not sent yet; beyond that only the latest report is kept
UNREAD = 8 * 2**20  # characters that a visitor has not received yet; more close the connection
SEND_SECONDS = 30.0  # for a visitor to receive a message

IDLE_SECONDS = 60.0  # without a message, after which a paused search loses its process
SPARE_SECONDS = 60.0  # after which an unused process is ended, except one
HOUSE_SECONDS = 0.5  # between two checks of the queue and of idle searches
COMPILE_SECONDS = 180.0  # after which a process that does not stop is killed
ANSWER_SECONDS = 30.0  # for a position
JUDGE_SECONDS = 180.0  # for the dead stones at the end of a game, with the compiler
SPARE_DELAY = 1.5  # seconds until a process waits for the first search; the page comes first
WARM_DELAY = 2.0  # seconds until compiling in the background begins
WARMED = 200  # agents and games that are compiled in the background, in the life of a server
PROCESS_FAILURES = 3  # consecutive processes that fail to start before waiting visitors are told
SEARCHES_PER_PROCESS = 100  # after which a new process replaces it, to free its memory

REPORT_SECONDS = 0.1  # between two reports of a running search
SLICE_SECONDS = 0.01  # between two checks for messages


@dataclass(frozen=True)
class Rate:
    """Messages of one visitor: a sustained rate, and a burst after a silence."""

    per_second: float = 40.0
    burst: float = 80.0
    penalty: float = 0.02
    """Seconds of delay after a refused message."""
