"""The players of the league: one setting each, why that one, and what its tuning may change."""

from __future__ import annotations

from dataclasses import dataclass

ANCHOR = "uct"


@dataclass(frozen=True)
class Entrant:
    """One player of the league."""

    agent: str
    why: str
    """Why this setting."""
    tune: tuple[str, ...] = ()
    """The options that its tuning searches, as `uctlab tune` writes them."""


_C = "c=0.1..2"

ENTRANTS = (
    Entrant("uct", "Plain UCT with its defaults: what all others are measured against.", (_C,)),
    Entrant("tuned", "UCB1-Tuned with its defaults, gelly2006's formula.", ("p=0.1..2",)),
    Entrant(
        "mogo",
        "The same with first-play urgency 1, gelly2006's choice.",
        ("p=0.1..2", "fpu=0.5..1.5"),
    ),
    Entrant(
        "auct(k=3)",
        "hashimoto2012's best k in Othello; in its other games 4 was.",
        ("k=2.0..6.0", _C),
    ),
    Entrant(
        "duct(k=4)",
        "The smallest k with which Discounted UCT does not lose to UCT in hashimoto2012's Othello.",
        ("k=3.0..7.0", _C),
    ),
    Entrant("dtuned(k=4)", "As duct, with UCB1-Tuned.", ("k=3.0..7.0", "p=0.1..2")),
    Entrant("dfuct", "Depth-first UCT with its defaults: UCT's formula in another order.", (_C,)),
    Entrant(
        "bast",
        "The defaults: a third of the paper's width, with which it searches deeper.",
        ("c=0.05..1", "delta=0.02..0.5"),
    ),
    Entrant("muct", "The defaults: the paper's width, two levels.", ("c=0.02..1", "levels=0..3")),
    Entrant(
        "ucbv(c=0.1)",
        "With c=1 the second term rules in short searches.",
        ("c=0.01..1", "zeta=0.1..1.2"),
    ),
    Entrant("klucb", "c=0, as its authors recommend.", ("c=0.0..3.0", "expand=0..10")),
    Entrant("thompson", "It has no parameter of exploration.", ("expand=0..10",)),
    Entrant(
        "puct",
        "The defaults; only Go has priors, elsewhere all moves are equally probable.",
        ("c=0.3..6", "fpu=0.0..1.0"),
    ),
    Entrant("uct(backup=max)", "The plainest minimax backup.", (_C, "expand=1..50")),
    Entrant("uct(backup=robust_max)", "The most visited answer.", (_C, "expand=1..50")),
    Entrant("uct(backup=mix)", "coulom2006's mixture.", (_C, "expand=1..50")),
    Entrant(
        "uct(backup=power)", "Power mean with its default exponent, 2.", ("power=1.0..16.0", _C)
    ),
    Entrant("uct(solver=on)", "MCTS-Solver; all else as uct.", (_C,)),
    Entrant("uct(graph=on)", "Transpositions; all else as uct.", (_C,)),
    Entrant("uct(rave=k)", "browne2013's schedule with its default k.", ("rave_k=10..3000", _C)),
    Entrant(
        "uct(rave=fuego)",
        "Fuego's weights, no exploration term.",
        ("rave_final=100..20000", "c=0.0..0.5"),
    ),
    Entrant(
        "uct(rave=grave)",
        "GRAVE with its authors' constants of 9x9 Go, no exploration term.",
        ("grave=5..500", "rave_bias=1e-8..1e-3"),
    ),
    Entrant("uct(bias=2)", "Progressive bias as in its documentation.", ("bias=0.3..10", _C)),
    Entrant(
        "uct(widen=1)",
        "Progressive widening with the square root of the visits.",
        ("widen=0.3..5", "widen_power=0.2..0.8"),
    ),
    Entrant("uct(playout=mast)", "MAST with its default epsilon.", ("epsilon=0.1..0.9", _C)),
    Entrant("uct(playout=nst)", "NST with its default epsilon.", ("epsilon=0.1..0.9", _C)),
    Entrant("uct(playout=lgr)", "Last good reply.", (_C,)),
    Entrant("uct(playout=lgrf)", "Last good reply with forgetting.", (_C,)),
    Entrant(
        "uct(leaf=evaluate,c=0.3)",
        "Evaluations instead of playouts; they lie closer together, hence the lower c.",
        ("c=0.03..1",),
    ),
    Entrant(
        "uct(alpha=0.2)",
        "Implicit minimax; lanctot2014 uses 0.1 to 0.4.",
        ("alpha=0.05..0.6", _C),
    ),
    Entrant("uctmax(c=0.3)", "UCTMAX_H with the lower c.", ("c=0.03..1",)),
    Entrant("fuego", "The agent for Go.", ("rave_final=500..20000", "prior=0.3..3")),
    Entrant("alphabeta", "The yardstick: no sampling; a playout is an evaluated position."),
    Entrant("ucb", "The floor: no tree, UCB1 at the root.", (_C,)),
    Entrant("mc", "The floor: no tree, all moves alike."),
)
