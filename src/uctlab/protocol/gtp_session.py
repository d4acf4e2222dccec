"""A conversation in GTP: each line is a command and gets one answer, whatever it says."""

from __future__ import annotations

import math
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.protocol.gtp_engine import Engine
from uctlab.protocol.gtp_line import Request, answer, head, quoted, read_request

# Questions that are no sign that a game is about to begin.
AT_ONCE = ("protocol_version", "name", "version", "known_command", "list_commands", "quit")


@dataclass(frozen=True)
class Command:
    """What a command does, and which arguments it takes."""

    run: Callable[[Session, list[str]], str]
    takes: str = ""
    """Names of its arguments; those in brackets may be left out, and ... stands for any number."""
    offered: Callable[[Game], bool] = lambda game: True
    """In which games there is such a command."""
    thinks: bool = False
    """Whether it needs a search, and so waits for the compiler."""

    def check(self, arguments: list[str]) -> None:
        words = self.takes.split()
        fewest = sum(word[0] not in "[." for word in words)
        most = math.inf if "..." in words else len(words)
        if not fewest <= len(arguments) <= most:
            raise UsageError(f"syntax error; accepted: {self.takes or 'no arguments'}")


class Session:
    """Lines in, answers out."""

    def __init__(
        self,
        engine: Engine,
        commands: Mapping[str, Command],
        write: Callable[[str], None],
        waiting: Callable[[], bool],
    ) -> None:
        self.engine = engine
        self.commands = commands
        self.waiting = waiting
        """Whether another line has arrived, which ends an analysis."""
        self.ended = False
        """Whether the controller has said quit."""
        self._write = write
        self._request = Request("", "", [])
        self._streamed = False

    def known(self, name: str) -> Command | None:
        """The command of that name; None if there is none in this game."""
        command = self.commands.get(name)
        return command if command is not None and command.offered(self.engine.game) else None

    def handle(self, line: bytes) -> None:
        """Answer one line."""
        request = read_request(line)
        if request is None:
            return
        self._request, self._streamed = request, False
        success, text = self._run(request)
        if self._streamed:
            self._write(f"{text}\n\n" if text else "\n")  # success has already been reported
        else:
            self._write(answer(success, request, text))

    def stream(self, line: str) -> None:
        """One line of an answer that is still going on."""
        if not self._streamed:
            self._write(head(True, self._request) + "\n")
            self._streamed = True
        self._write(line + "\n")

    def refuse(self, text: str) -> None:
        """The answer to a line that could not be read at all."""
        self._write(answer(False, Request("", "", []), text))

    def _run(self, request: Request) -> tuple[bool, str]:
        command = self.known(request.command)
        if command is None:
            return False, f"unknown command '{quoted(request.command)}'"
        try:
            command.check(request.arguments)
            if request.command in AT_ONCE:
                return True, command.run(self, request.arguments)
            with self.engine.at_work(thinks=command.thinks):
                return True, command.run(self, request.arguments)
        except UsageError as mistake:
            return False, " ".join(str(mistake).split())
        except BrokenPipeError:  # nobody is listening any more
            raise
        except Exception as failure:  # the game must go on, whatever happens
            traceback.print_exc(file=sys.stderr)
            return False, f"internal error: {' '.join(str(failure).split())}"
