"""Where games run."""
