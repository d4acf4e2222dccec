"""Functions that people import from uctlab and that no other folder has: matches, sweeps, reports.

| file | what it is for |
| --- | --- |
| `searching.py` | `search`, `perft`, `check` |
"""
