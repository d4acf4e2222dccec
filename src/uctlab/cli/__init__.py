"""The command line: the program `uctlab`, with one file per subcommand.

| file | what it does |
| --- | --- |
| start.py | the entry point: loads the rest |
| main.py | registers the subcommands, turns errors into messages and exit codes |
| parser.py | plain help texts, and the parser's mistakes in our words |
| arguments.py | arguments and options that several subcommands share |
| progress.py | progress bars |
| games.py | `uctlab games`: lists the games |
| stored_games.py | `uctlab games stored`, `export`, `merge` and `judge`: the games of stores |
| imported_games.py | `uctlab games import`: games of other files |
| agents.py | `uctlab agents`: lists the agents and their parameters |
| new.py | `uctlab new`: writes a file to start from, for a game, rule or experiment of one's own |
| show.py | `uctlab show`: prints a position |
| analyze.py | `uctlab analyze`: searches or solves a position |
| play.py | `uctlab play`: lets a person play against an agent in the terminal |
| match.py | `uctlab match`: plays a match between two players |
| tournament.py | `uctlab tournament`: plays a tournament and rates the players |
| reproduce.py | `uctlab reproduce`: repeats the papers' experiments and writes reports |
| gtp.py | `uctlab gtp`: runs an agent as a GTP engine |
| lab.py | `uctlab lab`: serves the lab to a browser |
| bench.py | `uctlab bench`: measures speed |
| perft.py | `uctlab perft`: counts lines of play |
| check.py | `uctlab check`: checks that a game fulfils the contract |
| warm.py | `uctlab warm`: compiles games and searches ahead of time |
| cache.py | `uctlab cache`: shows where compiled code is kept; empties it |
"""
