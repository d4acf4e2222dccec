"""The devices on which tasks run: the cores of this machine, its GPUs, or a Ray cluster.

| file | what it is for |
| --- | --- |
| `registry.py` | makes a device from its name, such as `"ray:10.0.0.1:6379"` |
| `cpu.py` | one worker process per core |
| `crew.py`, `worker.py` | worker processes and the pipes to them; a worker's program |
| `ray.py`, `ray_gpus.py` | a Ray cluster; its GPUs |
| `ray_node.py` | what runs on a node of it |
| `cuda.py`, `cuda_processes.py` | the GPUs of this machine; with several, a process each |
| `gpu_batches.py` | work for one GPU, told in parts, and what is known of it |
| `gpu_plans.py` | which matches a GPU can play |
| `cuda_games.py` | games on a GPU: all advance together, one launch per kind of agent |
| `cuda_search_tasks.py` | many single searches at once on a GPU |
| `cuda_roots.py` | one position on a GPU: many trees, whose roots are added up |
| `cuda_trees.py` | searches many positions, in batches that fit into memory |
| `cuda_search.py`, `cuda_driver.py` | one search per thread; numba-cuda and the GPU's memory |
| `cuda_cache.py`, `cuda_compile.py` | kernels of a GPU: kept on disk; compiled, several at once |
| `cuda_bench.py` | the speed of a GPU |
| `rounds.py`, `seeds.py` | the state of all games on a GPU; their random seeds |
| `checkpoint.py` | saves the unfinished games of GPUs to a file |
"""
