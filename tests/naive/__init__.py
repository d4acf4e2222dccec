"""Slow, obvious reference implementations of the games, for tests only."""
