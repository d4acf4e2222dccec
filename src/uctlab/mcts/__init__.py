"""The search: the tree, the loops that grow it, and the reports read from it.

| file | what it is for |
| --- | --- |
| `uct.py`, `depth_first.py` | the two loops, in numbered steps |
| `parallel_loop.py` | the loop of one of several threads that share a tree |
| `copies.py` | a thread's own copies of nodes that all threads visit often |
| `tree.py` | the nodes, in one array; adding children, extracting a subtree |
| `final.py` | the choice of the move to play; a whole search in a single call |
| `workspace.py` | `Tree` and `Work`: the arrays that a search kernel works on |
| `binding.py` | what fills which hole: on a CPU, with threads, on a GPU |
| `refusals.py` | what an agent cannot do in a game or on a device |
| `shortcuts.py` | which shortcuts a search may take: sketches, tables, small nodes |
| `limits.py` | how large a tree may become |
| `budget.py` | the budget of a search, and the slices in which it is spent |
| `search_tree.py` | one tree from move to move: its memory, growth and reuse |
| `position_table.py` | the table of positions of `graph=on`, which grows with the tree |
| `growers.py`, `parallel.py` | grow a tree: one thread; several that share it |
| `parallel_root.py` | root parallelism: several trees whose roots are added up |
| `searcher.py` | `Searcher`: searches one position after another |
| `alphabeta.py`, `alphabeta_search.py` | alpha-beta, a yardstick without a tree |
| `searchers.py` | the searcher of an agent, whichever of the two it is |
| `live.py`, `history.py` | a search step by step, and its course |
| `grown.py` | the tree of a search as objects |
| `view.py`, `report.py` | reads a tree; the report of a search |
| `resigning.py` | when a game is given up |
| `passing.py` | when an agent passes although its search prefers a move |
| `storage.py` | saves a tree to a file and loads it |
| `tree_check.py`, `tree_replay.py` | check a loaded tree: indices and numbers; moves |
| `rule_faults.py` | notices that a rule of the user's own has not done its part |
| `rule_check.py`, `rule_games.py` | checks a rule; playouts with known results |
| `rules_digest.py` | notices that the rules of a saved tree have changed |
"""
