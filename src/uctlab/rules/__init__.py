"""ADD A RULE: one small file. Selection rules, backup operators, and what they share.

interface       what a rule of each kind must and may bring; errors quote it
params          the numbers that rules read
select/         selection rules, and how the best move is picked
backup/         backup operators
shared          a node that several threads visit at once
rave            what a playout says about moves that were made later in it
prior           what the game knows about a move before its first playout
"""
