"""The search: the loop, the tree that it grows, and the reports read from it.

| file | what it is for |
| --- | --- |
| `loop.py` | a simulation in four steps, which uctlab.parts fills in |
| `parallel_loop.py` | one of several threads that share a tree: it takes its simulations from all |
| `tree.py` | adding children, extracting a subtree; a whole search in a single call |
| `workspace.py` | `Tree` and `Work`: the arrays that a search kernel works on, made per search |
| `overruns.py` | what a search does when a game breaks the limits that it states |
| `binding.py` | puts the parts of a search together: what fills which hole |
| `budget.py` | the budget of a search, and the slices in which it is spent |
| `search_tree.py` | one tree from move to move: its memory, growth by one thread, and reuse |
| `parallel.py` | grows a tree by several threads that share it |
| `parallel_root.py` | root parallelism: several trees whose roots are added up |
| `searcher.py` | `Searcher`: searches one position after another |
| `alphabeta.py`, `alphabeta_search.py` | alpha-beta, a yardstick without a tree |
| `live.py`, `history.py` | a search step by step, and its course |
| `grown.py` | the tree of a search as objects |
| `view.py`, `report.py` | reads a tree; the report of a search |
| `resigning.py` | when a game is given up |
| `passing.py` | when an agent passes although its search prefers a move |
| `storage.py` | saves a tree to a file and loads it |
| `tree_check.py`, `tree_replay.py` | check a loaded tree: indices and numbers; moves |
| `rule_faults.py` | notices that a rule of the user's own has not done its part |
| `rule_check.py`, `rule_games.py` | checks a rule; playouts with known results |
| `rules_digest.py` | whether a game and agents play as before: for stores and saved trees |
"""
