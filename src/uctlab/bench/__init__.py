"""Measures how fast the parts run on this machine."""
