"""Matches and tournaments: who wins, how certain that is, and where the games are stored."""
