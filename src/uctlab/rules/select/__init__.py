"""Selection rules: which move of a node the search tries next.

`rules/interface.py` says what a rule must bring; rules read moves through the backup operator.

    ucb1            value + c sqrt(ln s / n)
    tuned           UCB1-Tuned with the factor p
    fuego           playouts, RAVE and priors, each by its weight
    rave_k          RAVE with the k schedule
    even            the same number of playouts for all moves
    best            picks the move with the highest score
    best_on_gpu     the same, in an order that suits a GPU
    virtual         counts playouts under way as lost, where threads share a tree
"""
