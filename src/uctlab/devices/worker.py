"""The program of a worker process, which performs tasks and replies with their outcomes."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

from uctlab.child_process import Say, connect_to_parent
from uctlab.devices.gpu_batches import GpuBatch
from uctlab.errors import UsageError
from uctlab.protocol.gtp_running import kill_engines


def main() -> None:
    # Tasks are unpickled one by one in `_answer`, so that one that fails there is reported.
    tasks, say = connect_to_parent(bytes, at_end=kill_engines)
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
