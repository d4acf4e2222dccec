"""The tables of a store, and how stores of earlier versions are upgraded."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import uctlab
from uctlab.errors import UsageError

VERSION = 5  # of the schema
APPLICATION = 0x75637431  # "uct1": marks the file as ours

SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started REAL NOT NULL,      -- seconds since 1970
    version TEXT NOT NULL,      -- of uctlab
    command TEXT NOT NULL,
    machine TEXT NOT NULL,      -- JSON: processor, cores, Python, Numba
    seconds REAL NOT NULL DEFAULT 0  -- from its start to its latest result
);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,   -- of all that decides how the games go
    game TEXT NOT NULL,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    plan TEXT NOT NULL          -- JSON: the same and the rest
);
CREATE TABLE games (
    match INTEGER NOT NULL REFERENCES matches(id),
    number INTEGER NOT NULL,    -- A moves first in even ones
    run INTEGER NOT NULL REFERENCES runs(id),
    score REAL NOT NULL,        -- of A: 1, 0.5, 0
    moves TEXT NOT NULL,
    opening INTEGER NOT NULL,   -- moves that were given
    length INTEGER NOT NULL,
    ending TEXT NOT NULL,
    seed INTEGER NOT NULL,
    playouts_a INTEGER NOT NULL,
    playouts_b INTEGER NOT NULL,
    seconds_a REAL NOT NULL,
    seconds_b REAL NOT NULL,
    finished REAL NOT NULL,     -- seconds since 1970
    referee TEXT NOT NULL DEFAULT '',  -- B+2.5: Go with an external program
    opinion TEXT NOT NULL DEFAULT '',  -- the program's own
    settled TEXT NOT NULL DEFAULT '',  -- agreed B+0.5: if the two named different winners
    cleanup TEXT NOT NULL DEFAULT '',  -- moves after the end of such a game
    kernels TEXT NOT NULL DEFAULT '',  -- their digest, if it is known
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE outcomes (         -- of tasks that are no games
    task TEXT PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs(id),
    outcome TEXT NOT NULL,      -- JSON
    kernels TEXT NOT NULL DEFAULT ''  -- as of games
);
"""
# How a file of each earlier version becomes one of the next version.
UPGRADES = {
    1: (
        "ALTER TABLE games ADD COLUMN referee TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN opinion TEXT NOT NULL DEFAULT ''",
    ),
    2: ("ALTER TABLE runs ADD COLUMN seconds REAL NOT NULL DEFAULT 0",),
    3: (
        "ALTER TABLE games ADD COLUMN kernels TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE outcomes ADD COLUMN kernels TEXT NOT NULL DEFAULT ''",
    ),
    4: (
        "ALTER TABLE games ADD COLUMN settled TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN cleanup TEXT NOT NULL DEFAULT ''",
    ),
}


def check_kind(path: Path, db: sqlite3.Connection) -> None:
    """UsageError unless the open file is a store of this version or an earlier one."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise UsageError(f"{path} is a database, but not a store of uctlab")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION and version not in UPGRADES:
        raise UsageError(
            f"{path} is a store of version {version}; this uctlab ({uctlab.__version__}) reads "
            f"versions up to {VERSION}"
        )
