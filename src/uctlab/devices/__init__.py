"""Devices on which tasks run: the cores of this machine, a GPU, or a Ray cluster.

| file | what it is for |
| --- | --- |
| `registry.py` | from a name such as `"ray:10.0.0.1:6379"` to a device |
| `cpu.py`, `worker.py` | one worker process per core; the program of a worker |
| `ray.py` | a Ray cluster |
| `cuda.py` | a GPU: all games advance together, one launch per kind of agent |
| `cuda_search_tasks.py` | many single searches at once |
| `cuda_trees.py` | searches of many positions, in parts that fit the memory |
| `cuda_search.py`, `cuda_driver.py` | one search per thread; numba-cuda and the GPU's memory |
| `cuda_bench.py` | the speed of a GPU |
| `rounds.py`, `seeds.py` | the games of a GPU between two moves; their random seeds |
| `checkpoint.py` | keeps the unfinished games of a GPU in a file |
"""
