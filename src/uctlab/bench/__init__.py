"""How fast the parts run on this machine."""
