"""Other programs and their files: GTP on both sides, SGF, positions from files.

| file | what it is for |
| --- | --- |
| `files.py` | a position by its name or from a file |
| `openings.py` | games and openings from files |
| `gtp_client.py` | external programs as opponents: never waits for ever, leaves no process behind |
| `lifeline.py` | process groups that end with this process, however it ends |
| `gtp_loop.py` | our engine: reads lines while it thinks |
| `gtp_session.py` | one command, one answer |
| `gtp_line.py` | reading a request, writing an answer |
| `gtp_engine.py` | the agent that plays: early stop, resignation |
| `gtp_ready.py` | compiles in the background |
| `gtp_board.py` | the game as the controller tells it: moves in any order, undo |
| `gtp_time.py` | how long a move may take |
| `gtp_commands.py` | the table of commands; the files below are parts of it |
| `gtp_handicap.py` | handicap stones |
| `gtp_score.py` | results, and dead stones |
| `gtp_sgf.py` | loading and printing SGF |
| `gtp_analysis.py` | reports of a running search, as Leela Zero and KataGo write them |
| `gtp_hexgui.py` | the same for HexGui |
| `gtp_gogui.py` | overlays and rules for GoGui |

Nothing here knows a particular game: what a game does differently is in its `GtpHabits`, its
`referee` and its `options`.
"""
