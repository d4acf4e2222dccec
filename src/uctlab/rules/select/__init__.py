"""Selection rules: which move of a node the search tries next.

`rules/interface.py` says what a rule must define; rules read the statistics of moves through the
backup operator.

    ucb1            value + c sqrt(ln s / n)
    tuned           UCB1-Tuned with the factor p
    puct            probabilities of moves, given by the game
    even            the same number of playouts for every move
    bast            the highest upper bound of a value
    modified        modified UCT: exploration by the depth of the tree below
    ucb_v           UCB-V: exploration by the variance of the results
    kl_ucb          KL-UCB: the highest mean that the results do not rule out
    thompson        Thompson sampling: a draw from what the results leave open
    discounted_tuned    UCB1-Tuned on discounted sums
    best            picks the move with the highest score
    best_on_gpu     the same, arranged to suit a GPU

Rules that belong to a feature of the search are beside it, in uctlab.parts.
"""
