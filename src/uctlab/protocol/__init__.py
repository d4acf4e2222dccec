"""How positions and games are written down for other programs."""
