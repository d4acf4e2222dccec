"""Bridges to other libraries, each in a module that needs that library.

| file | what it is for |
| --- | --- |
| `missing.py` | the one line that a user reads when such a library is not installed |
| `openspiel.py` | our agents as OpenSpiel's bots, and its games as games of ours |
| `openspiel_rules.py` | its rules as kernels, which stay plain Python |
| `openspiel_names.py` | names of moves, from what it calls its actions |
| `openspiel_twins.py` | the games that both have, and which action is which move |
| `pettingzoo.py` | our games as PettingZoo's AEC environments, for two learners |
| `gymnasium.py` | a game against one of our agents as a Gymnasium environment |
| `observation.py` | what learners see in both |
"""
