"""The program of a worker process, which performs tasks and replies with their outcomes."""

from __future__ import annotations

import os
import pickle
import traceback
from typing import Any, NoReturn

from uctlab.child_process import Say, connect_to_parent
from uctlab.code_limits import ended_by
from uctlab.devices.gpu_batches import GpuBatch
from uctlab.errors import UsageError


def main() -> None:
    # Tasks are unpickled one by one in `_answer`, so that one that fails there is reported.
    tasks, say = connect_to_parent(bytes)

    def end(message: str) -> NoReturn:
        say(("mistake", message))
        os._exit(2)

    with ended_by(end):
        while True:
            say(_answer(tasks.get(), say))


def _answer(packed: bytes, say: Say) -> tuple[str, Any]:
    """The last reply; a batch for a GPU has told its parts before."""
    try:
        task = pickle.loads(packed)
        if not isinstance(task, GpuBatch):
            return "done", task.perform()
        for part in task.parts():
            say(("part", part))
        return "done", None
    except UsageError as mistake:
        return "mistake", str(mistake)
    except BaseException:
        return "failure", traceback.format_exc()


if __name__ == "__main__":
    main()
