"""The controller's side of GTP version 2: runs another program and asks it over pipes.

The pipes are non-blocking and one loop serves them, with a deadline per command, so that no engine
can hold us up: not by silence, not by a flood, and not by leaving our command unread.
"""

from __future__ import annotations

import os
import re
import selectors
import subprocess
import time
from contextlib import suppress
from typing import Literal, Self

import numpy as np

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import same_position
from uctlab.protocol.gtp_board import Names
from uctlab.protocol.gtp_line import LARGEST, decode_line, quoted
from uctlab.protocol.lifeline import Lifeline, argv

# "illegal" comes from the caller of a GtpOpponent, who knows the rules.
Reason = Literal["refused", "died", "timeout", "garbage", "illegal"]

MAX_ANSWER = 2**20  # bytes that an engine may write for one command
CHUNK = 2**16  # bytes: a pipe holds no more
MAX_QUOTED = 300  # characters of an engine's output that a message repeats
GRACE = 1.0  # seconds that an engine gets to answer `quit`, and then to end
DYING = 0.2  # seconds to wait for the exit code of an engine that has closed its output
MAX_WAIT = 3600.0  # seconds; the system call does not take an infinite timeout

clock = time.monotonic
"""What limits in seconds are measured with; tests put another one here."""


class EngineError(Exception):
    """What an external program did instead of answering."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(reason, message)  # both, so that it can be pickled
        self.reason = reason

    def __str__(self) -> str:
        return str(self.args[1])


class GtpEngine:
    """A running program that speaks GTP. It belongs to one thread.

    An engine that died, kept silent or wrote garbage is killed, since nobody knows any more what
    its board looks like. An engine that refused a command keeps running.
    """

    def __init__(
        self, command: str, *, timeout: float = 60.0, start_timeout: float | None = None
    ) -> None:
        self.command = command
        self.timeout = timeout
        """Seconds that each command may take."""
        self.start_timeout = timeout if start_timeout is None else start_timeout
        """Seconds that the first command may take: the program starts, and shows what it is."""
        self.answered = False
        """Whether it has ever answered."""
        self._asked = ""
        self._last_id = 0
        self._seconds = self._deadline = 0.0
        self._unsent = bytearray()
        self._unread = bytearray()
        self._received = 0
        """Bytes since the command was sent."""
        self._errors = b""
        self._ended = ""
        """Why it no longer runs; empty while it does."""
        self._known: frozenset[str] | None = None
        words = argv(command)
        try:
            self._lifeline = Lifeline()
            self._process = self._lifeline.start(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise UsageError(f"cannot start '{command}': {error.strerror}") from None
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        self._selector = selectors.PollSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)

    def send(self, *words: str, timeout: float | None = None) -> str:
        """The engine's answer to one command, without `=` and the id."""
        self._asked = " ".join(" ".join(words).split())  # one line, whatever the words contain
        if self._ended:
            raise self._error("died", f"not asked, since the engine {self._ended}")
        self._last_id += 1
        self._received = 0
        usual = self.timeout if self.answered else self.start_timeout
        self._seconds = usual if timeout is None else timeout
        self._deadline = clock() + self._seconds
        if not self._unsent:  # there may be a rest of a command that Ctrl-C interrupted
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._unsent += f"{self._last_id} {self._asked}\n".encode()
        success, answer = self._read_answer()
        self.answered = True
        if not success:
            raise self._error("refused", f"the engine refused: {answer}")
        return answer

    def knows(self, command: str) -> bool:
        """Whether the engine lists that command; one that refuses to list any knows none."""
        if self._known is None:
            try:
                self._known = frozenset(self.send("list_commands").split())
            except EngineError as error:
                if error.reason != "refused":
                    raise
                self._known = frozenset()
        return command in self._known

    @property
    def running(self) -> bool:
        return not self._ended and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def close(self) -> None:
        """Ask it to quit; kill what is left of it. A second call does nothing."""
        if not self._ended:
            with suppress(EngineError):
                self.send("quit", timeout=GRACE)
        if not self._ended:
            self._end("was closed", grace=GRACE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_answer(self) -> tuple[bool, str]:
        """Whether the command succeeded, and the text; lines before the answer are ignored."""
        while not (line := self._read_line()).startswith(("=", "?")):
            pass
        head = re.fullmatch(rf"[=?] ?{self._last_id}(?: (.*))?", line)  # Edax writes "= 1 Edax"
        if head is None:
            raise self._fail("garbage", f"wrote {line[:60]!r}, no answer to id {self._last_id}")
        lines = [(head[1] or "").strip()]
        while more := self._read_line():
            lines.append(more.rstrip())
        return line[0] == "=", "\n".join(lines)

    def _read_line(self) -> str:
        while (end := self._unread.find(b"\n")) < 0:
            self._exchange()
        line = bytes(self._unread[:end])
        del self._unread[: end + 1]
        return decode_line(line)

    def _exchange(self) -> None:
        """Wait until a pipe is ready, then write to it or read from it."""
        left = self._deadline - clock()
        if left <= 0:
            waited = f"gave no full answer within {self._seconds:g} s"
            if not self.answered:
                waited += ", nor any before; does it speak GTP?"
            raise self._fail("timeout", waited)
        for key, _ in self._selector.select(min(left, MAX_WAIT)):
            if key.fd == self._stdin:
                self._write()
            elif key.fd == self._stdout:
                self._read()
            elif not self._read_errors():
                self._selector.unregister(self._stderr)

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._stdin, self._unsent)]
        except BrokenPipeError:
            raise self._fail("died", "closed its input") from None
        if not self._unsent:
            self._selector.unregister(self._stdin)

    def _read(self) -> None:
        data = os.read(self._stdout, CHUNK)
        if not data:
            raise self._fail("died", "closed its output")
        self._unread += data
        self._received += len(data)
        if self._received > MAX_ANSWER:
            raise self._fail("garbage", f"wrote more than {MAX_ANSWER:,} bytes")

    def _read_errors(self) -> bytes:
        data = os.read(self._stderr, CHUNK)
        self._errors = (self._errors + data)[-MAX_QUOTED:]
        return data

    def _end(self, why: str, *, grace: float) -> None:
        """Leave no process and no descriptor behind; it may end by itself within `grace`."""
        self._ended = why
        try:
            with suppress(subprocess.TimeoutExpired):
                code = self._process.wait(grace)
                self._ended += f" and ended with code {code}"
        finally:
            self._lifeline.cut()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
            with suppress(BlockingIOError):
                self._read_errors()
            self._selector.close()
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe:
                    pipe.close()

    def _fail(self, reason: Reason, what: str) -> EngineError:
        """End an engine that is of no further use."""
        self._end(what, grace=DYING if reason == "died" else 0.0)
        return self._error(reason, f"the engine {self._ended}")

    def _error(self, reason: Reason, what: str) -> EngineError:
        message = f"{self.command}: {quoted(self._asked, MAX_QUOTED)}: {quoted(what, MAX_QUOTED)}"
        if reason == "died" and self._errors:
            message += f"; it said: {' '.join(self._errors.decode('utf-8', 'replace').split())}"
        return EngineError(reason, message)


class GtpOpponent:
    """An engine that plays one side of a game, or both. It does not judge what is legal."""

    def __init__(
        self,
        game: Game,
        command: str,
        *,
        timeout: float = 60.0,
        start_timeout: float | None = None,
    ) -> None:
        self.game = game
        self.engine = GtpEngine(command, timeout=timeout, start_timeout=start_timeout)
        self._colour = Names(game).colour
        self._passes_itself = False
        """Whether it has refused to be told of a pass that was the only legal move."""

    def new_game(self, position_start: Position, seed: int) -> None:
        """Clear the board; `play` tells the moves. An engine that failed is started again."""
        start = Position.start(self.game)
        if not same_position(position_start.first.state, start.state):
            raise UsageError(f"{self.game.name}: a set-up position cannot be given to a GTP engine")
        if not self.engine.running:
            self.engine.close()
            self.engine = GtpEngine(
                self.engine.command,
                timeout=self.engine.timeout,
                start_timeout=self.engine.start_timeout,
            )
        if "SZ" in self.game.sgf_root:
            self.engine.send("boardsize", self.game.sgf_root["SZ"])
        self.engine.send("clear_board")  # last, since a change of size leaves the board undefined
        for command in self.game.gtp.commands:
            self.engine.send(command)
        for command in self.game.gtp.settings:
            if self.engine.knows(command.split()[0]):
                self.engine.send(command)
        if self.engine.knows("set_random_seed"):
            # Engines read 32 bits, and some take 0 for the time of day.
            self.engine.send("set_random_seed", str(seed % LARGEST + 1))

    def play(self, player: int, move_name: str, *, forced: bool = False) -> None:
        """Tell a move; a `forced` pass is left out where the engine makes such passes itself."""
        if forced and self._passes_itself:
            return
        try:
            self.engine.send("play", self._colour(player), move_name)
        except EngineError as error:
            if not forced or error.reason != "refused":
                raise
            self._passes_itself = True

    def place(self, position: Position) -> None:
        """Clear the board and place the stones of a position, whatever moves led to it."""
        self.engine.send("clear_board")
        for player in (0, 1):
            for cell in np.flatnonzero(position.stones == player + 1).tolist():
                self.engine.send("play", self._colour(player), self.game.move_name(cell))

    def genmove(self, player: int, *, cleanup: bool = False) -> str:
        """The engine's move, as the game names it, or "resign".

        With `cleanup` it is asked to capture what is dead before it passes, if it knows how.
        """
        capture = cleanup and self.engine.knows("kgs-genmove_cleanup")
        command = "kgs-genmove_cleanup" if capture else "genmove"
        answer = self.engine.send(command, self._colour(player)).strip()
        if answer.lower() == "resign":
            return "resign"
        try:
            return self.game.move_name(self.game.parse_move(answer))
        except UsageError:
            raise EngineError(
                "garbage",
                f"{self.engine.command}: {command} {self._colour(player)}: the engine answered "
                f"{quoted(answer, MAX_QUOTED)!r}, which is not a move of {self.game.name}",
            ) from None

    def final_score(self) -> str:
        """The engine's count of the finished game, as in W+3.5 or 0; empty if it gives none."""
        if not self.engine.knows("final_score"):
            return ""
        answer = self.engine.send("final_score").strip().upper()
        return answer if re.fullmatch(r"[BW]\+\d+(\.\d+)?|0", answer) else ""

    def dead_stones(self) -> frozenset[int] | None:
        """Cells of the stones that it calls dead; None if it does not tell."""
        if not self.engine.knows("final_status_list"):
            return None
        names = self.engine.send("final_status_list", "dead").split()
        try:
            return frozenset(self.game.parse_move(name) for name in names)
        except UsageError:
            return None

    def close(self) -> None:
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
