"""How large a tree may become."""

MAX_VISITS = 2**32 - 2  # the largest count of visits and number of nodes
