"""The parts of a search: this is where you add a feature. The loop knows none of them by name.

| file | what it is for |
| --- | --- |
| `part.py` | what a part declares: options, fields, arrays, kernels, what it does not go with |
| `hooks.py` | the steps and hooks of the loop, and their arguments |
| `listing.py` | the list of all parts |
| `layout.py` | what every node and every tree has, whatever its parts |

How the tree is built:

| file | what it is for |
| --- | --- |
| `one_thread.py` | the usual kernel of every step |
| `depth_first.py` | depth-first UCT, which goes on from where it is |
| `threads.py` | several threads in one tree; operators that know nothing of threads |
| `virtual_loss.py` | scores that count simulations under way as losses |
| `local_copies.py` | a thread's own copies of nodes that all threads visit often |
| `gpu.py` | one tree per thread of a GPU |
| `roots.py` | several trees whose roots are added up |
| `final_move.py` | the choice of the move to play |
| `graph.py` | equal positions share their results |

What selection knows:

| file | what it is for |
| --- | --- |
| `rave.py`, `rave_fuego.py`, `rave_k.py`, `grave.py` | moves played later in a simulation |
| `knowledge.py` | asks the game about new moves, for the next four |
| `prior.py`, `bias.py`, `widening.py`, `probabilities.py` | what is made of the answer |
| `pruning.py`, `root_filter.py` | moves that the tree or the root leaves out |
| `solver.py` | what is proven about a node |
| `decay.py` | older results count less |

What a simulation is worth:

| file | what it is for |
| --- | --- |
| `evaluation.py` | the game's evaluation of a leaf, or of every node |
| `learning.py` | playouts that learn |
| `several_playouts.py` | the mean of several playouts |
| `length_cost.py` | what a long game costs its winner |

What makes a search faster and changes no tree, and instruments:

| file | what it is for |
| --- | --- |
| `sketches.py`, `shared_sketches.py` | float32 copies of scores: with one thread, with several |
| `tables.py` | numbers that depend on visits alone |
| `instruments.py` | what benchmarks and tests measure and record |
"""
