"""Selection rules and backup operators, each in one small file: this is where you add a rule.

interface       what each kind of rule must define and may define; errors quote it
params          the numbers that rules read
select/         selection rules, and how the best move is picked
backup/         backup operators
shared          nodes that several threads visit at once: virtual loss and latches
draws           random numbers for selection rules, from a hash
rave            RAVE samples: what a playout says about moves played later in it
solver          proven bounds of nodes
leaf            what a leaf is worth without a playout
length_cost     what a long game costs its winner
several_playouts the mean of several playouts from one leaf
inverse         one over a whole number, from a table
playouts/       playout policies that learn during a search, for any game
prior           what the game knows about a move before its first playout
transpositions  finds the nodes of equal positions
widening        few moves of a node at first, and more with each visit
"""
