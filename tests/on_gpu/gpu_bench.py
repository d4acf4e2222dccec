"""`uctlab bench cuda`."""

import json

import pytest

from tests.on_gpu.tasks import bytes_for
from uctlab.devices import cuda_bench, cuda_driver
from uctlab.errors import UsageError


def test_the_benchmark(uctlab):
    sizes = ("--games", 2, "--playouts", 3)
    code, out, _ = uctlab("bench", "cuda", "hex:3", "othello", *sizes, "--json")
    rows = json.loads(out)["cuda"]
    assert code == 0 and [row["game"] for row in rows] == ["hex:3", "othello"]
    assert all(row["per_second"] > 0 and row["games"] == 2 for row in rows)
    assert "simulations/s" in uctlab("bench", "cuda", "hex:3", *sizes)[1]


def test_another_agent(uctlab):
    given = (
        "bench",
        "cuda",
        "othello",
        "--games",
        2,
        "--playouts",
        3,
        "--agent",
        "tuned",
        "--json",
    )
    (row,) = json.loads(uctlab(*given)[1])["cuda"]
    assert row["agent"] == "tuned"


@pytest.mark.parametrize("nodes", [9, 40])
def test_a_benchmark_without_room(nodes, monkeypatch):
    """For the moves of the root; for the tree that these playouts grow."""

    class Small(cuda_driver.TreeMemory):
        def __init__(self):
            super().__init__()
            self.size = 3 * bytes_for("hex:3", "uct", nodes)

    monkeypatch.setattr(cuda_bench, "TreeMemory", Small)
    with pytest.raises(UsageError, match="3 games do not fit into the memory"):
        cuda_bench.measure_cuda("hex:3", games=3, playouts=200, seed=1)
