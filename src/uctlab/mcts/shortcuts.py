"""Which shortcuts a search may take: they change how fast it is, never what it chooses."""

from __future__ import annotations

import math

from uctlab.agents import Agent
from uctlab.games import Game, Position
from uctlab.rules.backup import mean, packed_mean
from uctlab.rules.select import fuego, ucb1

FAR = 1e6  # first-play urgency beyond this might overflow the float32 of sketches
MANY = 16  # moves; with 10, as in Othello, sketches cost more than they save
MANY_IN_THREADS = 60  # there they are also written to by all: 7x7 Hex was 10 % slower with them
LARGE = 128  # moves; a game with more of them somewhere is taken to begin with many


def may_sketch(game: Game, agent: Agent, *, threads: bool = False) -> bool:
    """Whether selection looks at sketches first: where only backups and whole samples change the
    scores of moves, and where moves are many enough to gain by it. What is selected is the same."""
    params = agent.params
    # Weights of all moves change at once when their unit does.
    units = getattr(agent.backup, "UNITS", False)
    if agent.rave:
        whole = params.by_distance == 0.0 and params.ignore == 0.0
        suits = agent.select is fuego and whole and abs(params.fpu) < FAR and not (units or threads)
    else:
        suits = agent.select is ucb1 and not (units and threads)
    return (
        suits
        and all(hasattr(agent.backup, name) for name in ("settled_by_sketch", "counted"))
        and not (agent.solver or agent.graph or agent.depth_first)
        and not (agent.asks_opinion or params.length_cost > 0 or game.grades(agent.playout))
        and agent.leaf == "playout"
        and params.playouts_per_leaf == 1
        and (params.fpu == math.inf or (not threads and abs(params.fpu) < FAR))
        and _start_moves(game) >= (MANY_IN_THREADS if threads else MANY)
    )


def table_of(agent: Agent, sketch: bool) -> str:
    """What is kept in a table by visits, since an exponential takes longer: "sums" of the backup
    operator, or the selection rule's "terms" of a node, of which a sketch has a table already."""
    if agent.depth_first:
        return ""
    if hasattr(agent.backup, "backup_by_table"):
        return "sums"
    by_visits = agent.select is ucb1 and getattr(agent.backup, "TERMS_BY_VISITS", False)
    return "terms" if by_visits and not sketch else ""


def _start_moves(game: Game) -> int:
    """About how many moves a game begins with.

    Interpreted, since a binding compiles nothing by itself; 19x19 Go would take half a second.
    """
    if not MANY <= game.max_moves <= LARGE:
        return game.max_moves
    return len(Position.start(game.interpreted()).legal)


def with_small_nodes(agent: Agent) -> Agent:
    """The same agent with nodes of 16 bytes, if it is plain UCT and nothing else reads them."""
    plain = agent.backup is mean and agent.select is ucb1 and agent.playout == "uniform"
    plain = plain and agent.leaf == "playout"
    if (
        not plain
        or agent.rave
        or agent.solver
        or agent.asks_opinion
        or agent.params.length_cost > 0
    ):
        return agent
    return agent.changed(backup=packed_mean)
