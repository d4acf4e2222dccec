"""Experiments that reproduce the papers' tables and figures. TO ADD ONE: one file per paper.

| file | what it is for |
| --- | --- |
| `experiment.py` | what an experiment is, and the `ExperimentContext` in which it runs |
| `match_table.py` | runs tables whose cells are matches, one or several together |
| `problems.py` | searches positions with known right moves: one, or many |
| `shares.py` | how often players choose a right move, and from how many playouts on |
| `registry.py` | finds experiments by id, or in a user's file |
| `reproduce.py` | runs an experiment and writes its report |
| `report.py`, `measured.py` | a report as data and as `report.json`; its numbers with intervals |
| `pages.py`, `templates/` | the files of a report: Markdown and HTML from templates, CSV, figures |
| `figures.py`, `search_figures.py` | the kinds of figures: of matches, of searches |
| `hashimoto2012.py`, `deception.py` | Accelerated UCT: Tables 1 and 2; Fig. 1, the deceptive tree |
| `gelly2006.py`, `gelly2006_threads.py` | MoGo: Tables 2 to 4; threads that share a tree |
| `yoshimoto2007.py` | depth-first UCT: time and solving ability |
| `browne2013.py`, `browne2013_go.py` | a problem case for UCT in Hex; RAVE's failure in Go |
| `go_problems.py`, `go_problems.txt` | Go problems made for uctlab; from no paper |
| `auto_decay.py`, `auto_decay_asked.py` | automatic decay, hashimoto2012's future work; verdicts |
| `tour.py`, `tour_*.py` | the tour of `make run`: three small experiments on one page |
| `league.py`, `league_*.py` | all agents against each other: players, plan, ratings, pages |
| `go_strength.py` | the agent `fuego` against GNU Go; a short model for a new experiment |
"""
