"""Matches and tournaments between agents or programs, their statistics, and the store of games."""
