"""The end of the lab's processes while they are asked."""

import asyncio
import os
import signal

from tests.lab_server import HEX
from tests.patience import PATIENCE, wait_until
from tests.processes import processes
from uctlab.lab.child import Child
from uctlab.lab.messages import read_request
from uctlab.lab.position_services import PositionProcess


def test_no_process_takes_the_place_of_one_that_the_lab_ends(monkeypatch):
    """A question that a process does not answer any more was asked again in a new one, in the
    middle of the lab's end. Python cancels all tasks then, and waits for ever for a process whose
    pipes it was just connecting."""
    started = []
    start = Child.start

    async def noted(role):
        started.append(await start(role))
        return started[-1]

    async def end_while_it_is_asked():
        answers = PositionProcess()
        child = await answers.start()
        request = read_request({"type": "position", "id": 1, "position": HEX})
        assert (await answers.ask(request))["type"] == "position"
        os.kill(child.pid, signal.SIGSTOP)
        question = asyncio.create_task(answers.ask(request))
        await asyncio.sleep(0)
        await asyncio.wait_for(answers.end(), PATIENCE)
        (outcome,) = await asyncio.gather(question, return_exceptions=True)
        assert isinstance(outcome, Exception)

    monkeypatch.setattr(Child, "start", noted)
    asyncio.run(end_while_it_is_asked())
    assert len(started) == 1
    wait_until(lambda: started[0].pid not in processes())
