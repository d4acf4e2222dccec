"""Experiments that reproduce the papers' tables and figures. TO ADD ONE: one file per paper.

| file | what it is for |
| --- | --- |
| `experiment.py` | what an experiment is, and the `ExperimentContext` in which it runs |
| `registry.py` | finds experiments by id, or in a user's file |
| `reproduce.py` | runs an experiment and writes its report |
| `report.py` | a report as data, and as `report.json` |
| `pages.py`, `templates/` | the files of a report: Markdown and HTML from templates, CSV, figures |
| `figures.py`, `drawing.py` | the kinds of figures; what they share |
| `match_table.py`, `match_tables.py` | tables whose cells are matches; several, played together |
| `problems.py` | positions with known right moves, and how many each agent solves |
| `hashimoto2012.py`, `deception.py` | Accelerated UCT: Tables 1 and 2; Fig. 1, the deceptive tree |
| `hashimoto2012_go.py` | both tables of Go at once |
| `gelly2006.py`, `gelly2006_threads.py` | MoGo: Tables 2 to 4; threads that share a tree |
| `yoshimoto2007.py` | depth-first UCT: time and solving ability |
| `browne2013.py`, `browne2013_go.py` | a problem case for UCT in Hex; RAVE's failure in Go |
| `turning.py` | from how many playouts on a player chooses the winning move |
| `go_problems.py`, `go_problems.txt` | Go problems made for uctlab; from no paper |
| `auto_decay.py`, `auto_decay_*.py` | automatic decay, hashimoto2012's future work |
| `score_rows.py` | a figure of scores by game and agent |
| `tour.py`, `tour_*.py` | the tour of `make run`: three small experiments on one page |
| `league.py`, `league_*.py` | all agents against each other: players, plan, ratings, pages |
| `go_strength.py` | the agent `fuego` against GNU Go; a short model for a new experiment |
"""
