"""The program of the lab's processes: `searcher`, `positions` and `warmer`."""

from __future__ import annotations

import os
import pickle
import sys
import time
import traceback
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn

from uctlab.child_process import Say, connect_to_parent
from uctlab.code_limits import ended_by
from uctlab.errors import LabError, UsageError
from uctlab.lab import limits
from uctlab.lab.requests import (
    ControlRequest,
    JudgeRequest,
    OpenRequest,
    PlayoutRequest,
    PositionRequest,
    Request,
    SearchRequest,
    SetupRequest,
    SgfSaveRequest,
    StepRequest,
    SubtreeRequest,
    TreeRequest,
    WarmRequest,
)

if TYPE_CHECKING:
    from uctlab.lab.live import LiveSearch

Inbox = SimpleQueue[Request]
NICENESS = {"searcher": 10, "warmer": 19}  # the server has priority
MAX_QUOTED = 200  # characters of an error in the user's own game


def main(role: str, *own: str) -> None:
    """`own` are the games that the user has offered."""
    inbox, say = connect_to_parent(pickle.loads)

    def end(message: str) -> NoReturn:
        say(("mistake", message))
        os._exit(2)

    with ended_by(end):
        _serve(role, own, inbox, say)


def _serve(role: str, own: tuple[str, ...], inbox: Inbox, say: Say) -> None:
    if own:
        from uctlab.lab.own_games import offer  # noqa: PLC0415 (NumPy is slow to load)

        for spec in own:
            offer(spec)
    if role != "positions" and hasattr(os, "nice"):
        os.nice(NICENESS[role])
    if role == "searcher":
        SearcherProgram(inbox, say).run()
    elif role == "warmer":
        compile_agents(inbox, say)
    else:
        answer_positions(inbox, say)


def compile_agents(inbox: Inbox, say: Say) -> None:
    """Compile the searches of agents into the disk cache; an answer after each request."""
    from uctlab.lab.live import compile_search  # noqa: PLC0415 (NumPy is slow to load)

    def answer(request: WarmRequest) -> None:
        for agent in request.agents:
            compile_search(request.game, agent)

    while True:
        say(_guarded(answer, inbox.get()))


def answer_positions(inbox: Inbox, say: Say) -> None:
    """One answer for each request: ("done", facts) or ("mistake", text) or ("failure", text)."""
    from uctlab.lab.positions import Positions  # noqa: PLC0415 (NumPy is slow to load)
    from uctlab.lab.records import open_text, save_sgf  # noqa: PLC0415

    positions = Positions()

    def answer(request: Request) -> dict[str, Any]:
        match request:
            case PositionRequest():
                return {"type": "position", **positions.position(request.position)}
            case SetupRequest():
                found = positions.setup(request.game, request.stones, request.turn)
                return {"type": "position", **found}
            case OpenRequest():
                return {"type": "game", **open_text(request.text, request.game)}
            case SgfSaveRequest():
                return {"type": "sgf", "text": save_sgf(request.position, request.nodes)}
            case JudgeRequest():
                return {"type": "verdict", **positions.judge(request.position)}
        raise LabError(f"no answer to {request}")

    while True:
        say(_guarded(answer, inbox.get()))


def _guarded(answer: Callable[[Any], Any], request: Any) -> tuple[str, Any]:
    try:
        return "done", answer(request)
    except UsageError as mistake:
        return "mistake", str(mistake)
    except Exception as error:
        return _trouble(request, error)


def _trouble(request: Any, error: Exception) -> tuple[str, str]:
    """A failure of ours, or a mistake in the user's own game, which is told to the user."""
    from uctlab.lab.own_games import is_own  # noqa: PLC0415

    game = getattr(getattr(request, "position", None), "game", "")
    if not is_own(game):
        return "failure", traceback.format_exc()
    what = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_QUOTED]
    return "mistake", f"{game}: the game's code failed, and uctlab check may say more: {what}"


class SearcherProgram:
    """Runs one search after the other. Its messages:

    ("search", facts)       state, reason, sides
    ("answer", id, facts)   to a request about the tree or for a single playout
    ("refused", id, text)   likewise, if there is no such node
    ("mistake", text)       the search is not possible
    ("failure", text)       the search failed because of a bug in uctlab
    ("free",)               ready for the next search; the answer to every stop
    """

    def __init__(self, inbox: Inbox, say: Say) -> None:
        self._inbox = inbox
        self._say = say

    def run(self) -> None:
        # Before a visitor has to wait for them; the first loads Numba.
        import uctlab.kernels.disk_cache  # noqa: PLC0415
        import uctlab.lab.live  # noqa: F401, PLC0415

        self._say(("free",))
        while True:
            message = self._inbox.get()
            if isinstance(message, SearchRequest):
                self._guarded_search(message)
            if isinstance(message, SearchRequest) or _is_stop(message):
                self._say(("free",))

    def _guarded_search(self, request: SearchRequest) -> None:
        try:
            self._search(request)
        except UsageError as mistake:
            self._say(("mistake", str(mistake)))
            self._wait_for_stop()
        except Exception as error:
            self._say(_trouble(request, error))
            self._wait_for_stop()

    def _wait_for_stop(self) -> None:
        while not _is_stop(self._inbox.get()):
            pass

    def _search(self, request: SearchRequest) -> None:
        from uctlab.lab.guided import GuidedSearch  # noqa: PLC0415
        from uctlab.lab.live import LiveSearch  # noqa: PLC0415

        self._say(("search", {"state": "compiling", "sides": []}))
        search = GuidedSearch(request) if request.guided else LiveSearch(request)
        heard: list[Request] = []  # while compiling
        for side in search.sides:
            search.begin(side)
            heard += self._all_heard()
            if any(_is_stop(message) for message in heard):
                return
        running = not request.paused
        timetable = Timetable()
        self._tell(search, running, timetable)
        while True:
            try:
                message = heard.pop(0) if heard else self._inbox.get(block=not running)
            except Empty:
                search.run_slice()
                running = not search.resting
                if not running or timetable.due():
                    self._tell(search, running, timetable)
                continue
            if _is_stop(message):
                return
            match message:
                case TreeRequest():
                    self._answer(message, _tree_facts, search, message)
                    continue
                case PlayoutRequest():
                    self._answer(message, _playout_facts, search)
                    running = False
                case StepRequest():
                    search.step(message.playouts)
                    running = not search.resting
                case ControlRequest(what="pause"):
                    running = False
                case ControlRequest(what="continue"):
                    search.go_on()
                    running = not search.resting
            if not running or isinstance(message, ControlRequest):
                self._tell(search, running, timetable)

    def _all_heard(self) -> list[Request]:
        heard = []
        while not self._inbox.empty():
            heard.append(self._inbox.get())
        return heard

    def _tell(self, search: LiveSearch, running: bool, timetable: Timetable) -> None:
        start = time.perf_counter()
        reason = "" if running else search.why_done
        facts: dict[str, Any] = {"state": "running" if running else "done" if reason else "paused"}
        facts |= {"reason": reason} if reason else {}
        self._say(("search", {**facts, "sides": search.snapshot()}))
        timetable.note(time.perf_counter() - start)

    def _answer(self, request: Request, facts: Callable[..., dict[str, Any]], *about: Any) -> None:
        try:
            self._say(("answer", request.id, facts(*about)))
        except UsageError as mistake:
            self._say(("refused", request.id, str(mistake)))


def _tree_facts(search: LiveSearch, request: TreeRequest) -> dict[str, Any]:
    if isinstance(request, SubtreeRequest):
        facts = search.subtree(request.side, request.path, request.nodes, request.depth)
        return {"type": "subtree", **facts}
    return {"type": "tree", **search.tree(request.side, request.path)}


def _playout_facts(search: LiveSearch) -> dict[str, Any]:
    return {"type": "playout", "walks": search.playout()}


class Timetable:
    """When a running search reports: at most ten times per second, and for at most a fifth of the
    time. Whatever the page asks for, such as a step, is reported besides."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._next = clock()

    def due(self) -> bool:
        return self._clock() >= self._next

    def note(self, seconds: float) -> None:
        """Note that a report was made and took that many seconds."""
        self._next = self._clock() + max(limits.REPORT_SECONDS, 4 * seconds)


def _is_stop(message: Request) -> bool:
    return isinstance(message, ControlRequest) and message.what == "stop"


if __name__ == "__main__":
    main(*sys.argv[1:])
