"""The search: a tree, the loop that grows it, and what is kept of it."""
