"""Selection rules and backup operators, each in one small file: this is where you add a rule.

interface       what each kind of rule must define and may define; errors quote it
select/         selection rules, and how the best move is picked
backup/         backup operators
fields          what an operator and a part say about a field of a node
shared          nodes that several threads visit at once: virtual loss and latches
draws           random numbers for selection rules, from a hash
playouts/       playout policies that learn during a search, for any game

Features of a search that are no rules are in uctlab.parts.
"""
