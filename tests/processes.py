"""The processes of this machine, as Linux tells them."""

from pathlib import Path


def workers_of(parent):
    return [pid for pid, (state, ppid) in processes().items() if ppid == parent and state != "Z"]


def processes():
    """State and parent of every process, by its id."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:  # it has just ended
                continue
            found[int(folder.name)] = (state, int(parent))
    return found
