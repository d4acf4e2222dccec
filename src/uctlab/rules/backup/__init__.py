"""Backup operators: what a node remembers of the playouts that passed it.

`rules/interface.py` says what an operator must and may bring.

    mean            plain UCT: the mean of all results
    packed_mean     the same in nodes of 16 bytes, which takes its place on a GPU
    squares         the mean of results and of their squares, for UCB1-Tuned
    decay           forgetting in constant time, for the two below
    accelerated     Accelerated UCT: the velocity-weighted mean of the answers
    discounted      Discounted UCT: older results count less
"""
