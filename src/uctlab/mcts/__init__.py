"""The search: a tree, the loops that grow it, and what is read from it.

| file | what it is for |
| --- | --- |
| `uct.py`, `depth_first.py` | the two loops, in numbered steps |
| `parallel_loop.py` | the loop of one of several threads that share a tree |
| `tree.py` | nodes side by side in one array; adding children, cutting out a subtree |
| `final.py` | the move that is played; a whole search for one move in a single call |
| `workspace.py` | `Tree` and `Work`: what a search kernel is given |
| `binding.py` | who fills which hole, on a CPU, with threads, on a GPU |
| `budget.py` | how much a search may spend, and the slices in which it is spent |
| `search_tree.py` | one tree over time: its memory, its growth, what is kept of it |
| `growers.py`, `parallel.py` | who grows a tree: one thread; several that share it |
| `parallel_root.py` | several trees, whose roots are added up |
| `searcher.py` | a search from position to position |
| `view.py`, `report.py` | what a tree says; what a search found |
| `storage.py` | a tree in a file |
"""
