"""Backup operators: how the result of a playout changes the statistics of the nodes on its path.

`rules/interface.py` says what an operator must and may define.

    mean            plain UCT: the mean of all results
    packed_mean     the same in nodes of 16 bytes, used instead on a GPU
    squares         the means of the results and of their squares, for UCB1-Tuned
    bounds          the mean, and bounds of a node's value, for BAST
    heights         the mean, and the levels below a node, for modified UCT
    decay           exponential decay in constant time, for those below
    accelerated     Accelerated UCT: the velocity-weighted mean of the answers
    automatic       the same with a decay that each node finds itself
    discounted      Discounted UCT: older results count less
    discounted_squares  the same, with the mean of the squares as well
    answers         what the operators below have in common
    max             the best answer
    robust_max      the most visited answer
    mix             between the mean and these two
    power           the power mean of the answers
    minimax         a node is worth what its best answer leaves
    implicit        the mean of all results, mixed with the minimax of evaluations
"""
