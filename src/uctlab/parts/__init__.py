"""The parts of a search: this is where you add a feature. The loop knows none of them by name.

`part.py` says what a part declares, `hooks.py` which steps and hooks the loop has, `listing.py` has
the list of all parts, and `layout.py` what every node and every tree has, whatever its parts.
`one_thread.py` does every step as usual. `uctlab agents --parts` prints what the others do.
"""
