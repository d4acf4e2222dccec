"""Other programs and their files: GTP on both sides, SGF, positions from files.

Nothing here knows a particular game: what a game does differently is in its `GtpHabits`, its
`referee` and its `options`.
"""
