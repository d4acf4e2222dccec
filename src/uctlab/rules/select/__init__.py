"""Selection rules: which move of a node the search tries next.

`rules/interface.py` says what a rule must define; rules read the statistics of moves through the
backup operator.

    ucb1            value + c sqrt(ln s / n)
    tuned           UCB1-Tuned with the factor p
    fuego           weighted mean of playouts, RAVE and priors
    rave_k          RAVE with the k schedule
    grave           RAVE values of a node above that has had enough playouts
    even            the same number of playouts for every move
    best            picks the move with the highest score
    best_on_gpu     the same, arranged to suit a GPU
    solved          proven losses come last, with solver=on
    virtual         virtual loss, if threads share a tree
"""
