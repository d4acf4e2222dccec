"""The program of a worker process, which performs tasks and replies with their outcomes."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

from uctlab.child_process import connect_to_parent
from uctlab.errors import UsageError
from uctlab.protocol.gtp_running import kill_engines


def main() -> None:
    # Tasks are unpickled one by one in `_answer`, so that one that fails there is reported.
    tasks, say = connect_to_parent(bytes, at_end=kill_engines)
    while True:
        say(_answer(tasks.get()))


def _answer(task: bytes) -> tuple[str, Any]:
    try:
        return "done", pickle.loads(task).perform()
    except UsageError as mistake:
        return "mistake", str(mistake)
    except BaseException:
        return "failure", traceback.format_exc()


if __name__ == "__main__":
    main()
