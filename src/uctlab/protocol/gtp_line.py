"""One line of GTP: reading a request, and writing an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from uctlab.errors import UsageError

MAX_LINE = 2**20  # bytes; one line may tell a whole game
LARGEST = 2**31 - 1  # of the protocol's numbers
MAX_QUOTED = 60  # characters of a user's text that a message repeats

_CONTROLS: dict[int, str | None] = dict.fromkeys((*range(32), 127)) | {ord("\t"): " "}


def decode_line(line: bytes) -> str:
    """Tabs become spaces; other control characters are removed, carriage returns too."""
    return line.decode("utf-8", "replace").translate(_CONTROLS)


@dataclass(frozen=True)
class Request:
    """A command as the controller sent it."""

    id: str
    """Digits, or empty if none were sent; the answer repeats them."""
    command: str
    arguments: list[str]


def read_request(line: bytes) -> Request | None:
    """None for a line that is empty or a comment: such a line gets no answer."""
    words = decode_line(line).partition("#")[0].split()
    if not words:
        return None
    number = ""
    if re.fullmatch(r"[0-9]{1,10}", words[0]) and int(words[0]) <= LARGEST:
        number = words.pop(0)
    return Request(number, words[0] if words else "", words[1:])


def head(success: bool, request: Request) -> str:
    """How an answer begins."""
    return ("=" if success else "?") + request.id


def answer(success: bool, request: Request, text: str) -> str:
    """The whole answer, with the empty line that ends it and no other; a board starts below.

    The space behind the head is part of an empty answer too: HexGui takes nothing else for one.
    """
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    below = "\n" if text.startswith("\n") else ""
    return f"{head(success, request)} {below}" + "\n".join(lines) + "\n\n"


def quoted(text: str, most: int = MAX_QUOTED) -> str:
    """What the user or a program wrote, cut short if it is long."""
    return text if len(text) <= most else text[:most] + "..."


def whole_number(text: str) -> int:
    """An unsigned integer of the protocol."""
    if re.fullmatch(r"[0-9]{1,10}", text) and int(text) <= LARGEST:
        return int(text)
    raise UsageError(f"'{quoted(text)}' is not a whole number; accepted: 0 to {LARGEST}")


def decimal(text: str) -> float:
    """A number in plain digits, such as 7.5 or -3."""
    if re.fullmatch(r"[+-]?([0-9]{1,12}(\.[0-9]{0,12})?|\.[0-9]{1,12})", text):
        return float(text)
    raise UsageError(f"'{quoted(text)}' is not a number; write one as 7.5")
