"""Matches and tournaments: who wins, how certain that is, and where the games are stored.

| file | what it is for |
| --- | --- |
| `plan.py` | `MatchPlan`: everything that decides how the games of a match go |
| `objects.py` | games and agents given as Python objects, and how they travel to workers |
| `player.py` | an agent or an external program as a player |
| `game.py`, `search_task.py` | one game as a task; one search as a task |
| `playing_on.py` | games with another program that are played on, since their end is disputed |
| `rejudge.py` | judges the games of a store again |
| `replay.py` | plays a stored game again, to see whether it comes out the same |
| `tasks.py` | tasks that any device can perform, and the `Device` protocol |
| `match.py`, `tournament.py` | several matches at once; tournaments with ratings |
| `checks.py` | checks and compiles the players of matches before the first game |
| `sweep.py` | all combinations of some options of an agent against one opponent |
| `tuning.py`, `tuning_picture.py` | a race of settings and its result; the picture of it |
| `halving.py`, `tune_space.py` | successive halving; ranges of options and samples of them |
| `result.py` | the result of a match |
| `pictures.py`, `text_table.py` | results drawn by matplotlib; tables as text |
| `statistics.py`, `ratings.py` | scores with intervals; Bradley-Terry |
| `sprt.py`, `stopped.py` | when to stop; what a match says that was stopped |
| `store.py`, `store_reader.py` | results in one SQLite file: writes them, and reads them |
| `store_rows.py`, `store_schema.py` | its rows, as records and with checksums; its tables |
| `store_merge.py` | adds the results of one store to another |
| `store_peek.py` | looks into a store that another program may be writing |
| `versions.py` | which versions of uctlab have played, and whether they may be mixed |
"""
