"""Functions that people import from uctlab and that no other folder has: matches, tuning, reports.

| file | what it is for |
| --- | --- |
| `searching.py` | `search`, `perft`, `check` |
| `matches.py` | `match`, `tournament` and `sweep`, for names and objects |
| `tuning.py` | `tune`, likewise |
| `running.py` | what these have in common: players, conditions, where games run |
| `reproductions.py` | `reproduce`: the report of a paper's experiment as an object |
| `progress.py` | progress bars in terminals and notebooks |
| `kernel_errors.py` | tells an error in a kernel of the user's in one line |
| `arguments.py` | checks arguments, with one line about a mistake |
"""
