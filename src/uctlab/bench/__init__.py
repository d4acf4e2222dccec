"""Measures how fast the parts run on this machine.

| file | what it is for |
| --- | --- |
| `playouts.py` | random games per CPU second |
| `search.py` | simulations per CPU second of whole searches |
| `threads.py` | simulations per second when several threads share one tree |
| `revision.py` | an earlier commit beside this version |
| `peers.py` | other MCTS programs on the same machine |
| `machine.py` | describes the machine on which a number was measured |
"""
