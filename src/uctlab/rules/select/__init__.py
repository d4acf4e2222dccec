"""Selection rules: the score of a move in the eyes of the bandit; the highest is taken.

A module of this folder gives, for specialise to bind:

    node_terms(nodes, parent, params)             what all moves of a node share, computed once; a
                                                  GPU asks for it before the first visit, too
    score(nodes, child, parent, terms, params)    of a move that has been visited; `terms` is what
                                                  `node_terms` returned
    untried_score(nodes, child, terms, params)    of a move that has not: first-play urgency, say.
                                                  Not asked while fpu is infinite: every move is
                                                  then tried once before the rule sets in

They read moves through the backup operator's value, inverse_visits and parent_visits.
"""
