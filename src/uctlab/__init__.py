"""uctlab: a laboratory for Monte-Carlo tree search in two-player games."""

__version__ = "0.1.0"
