"""Matches and tournaments: who beats whom, how surely, and where the games are kept."""
