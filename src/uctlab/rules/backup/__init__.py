"""Backup operators: what a node remembers of the playouts that passed it.

A module of this folder gives, for specialise to bind:

    FIELDS                                        of a node, besides visits, first, count and move
    clear(nodes, node)                            a new node
    backup(nodes, path, depth, reward, params)    a playout through path[0] ... path[depth]; reward
                                                  is its result for the player who moved into the
                                                  last node, and 1 - reward one level higher
    value(nodes, node)                            mean result for the player who moved into it
    inverse_visits(nodes, child, parent)           1 / visits of a move, as selection counts them
    inverse_root_visits(nodes, child, parent)      may be left out: its root, for GPUs, faster
    parent_visits(nodes, parent, params)            visits of the node that the move starts from

    shared_backup(nodes, path, depth, ...)        may be left out: backup where other threads do
                                                  likewise, by the rules of rules/shared.py

backup also counts `visits`, of every node on the path. An operator that keeps a weight for each
move (fields `weight` and, of the parent, `unit`) says in WEIGHT what the report calls it.
`packed_mean` alone, which on a GPU takes the place of `mean`, gives a whole record, NODE.
"""
