"""Browne: A Problem Case for UCT, Figs. 10 to 18 and Table I: a 5x5 Hex position that deceives UCT.

Figs. 10 to 17 show which cell each player chooses, by the number of playouts, Fig. 18 how often it
is the winning one; Table I is about speed.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping

from uctlab.bench.search import measure_rounds
from uctlab.games import Position, make_game
from uctlab.games.named import BROWNE2013
from uctlab.papers import search_figures
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.problems import Choices, Problem, choose
from uctlab.papers.report import Figure, Table
from uctlab.papers.shares import TurningPoint, quotient_interval

PAPER = (
    "C. Browne: A Problem Case for UCT. IEEE Transactions on Computational Intelligence and AI in "
    "Games 5(1), 2013"
)
GAME = BROWNE2013.game
POSITION = BROWNE2013.diagram
LETTERS = BROWNE2013.letters
WINNING, DELAYING = "e", "cg"
TRUTH = {
    letter: "wins" if letter == WINNING else "delays" if letter in DELAYING else "loses"
    for letter in LETTERS.values()
}
BRIDGE = "bridge"  # the playout policy that answers an intrusion into a bridge

PROBLEM = Problem(
    *("hex", "browne2013", GAME),
    frozenset(cell for cell, letter in LETTERS.items() if letter == WINNING),
    diagram=POSITION,
)

# The paper's players: our agent, and the paper's iterations per second.
PAPERS: dict[str, tuple[str, int | None]] = {
    "MC": ("mc", 396_000),
    "MC_h": (f"mc(playout={BRIDGE})", 139_000),
    "UCB": ("ucb(c=0.5)", 294_000),
    "UCB_h": (f"ucb(c=0.5,playout={BRIDGE})", 124_000),
    "UCT": ("uct(c=0.354)", 101_000),
    "UCT_h": (f"uct(c=0.354,playout={BRIDGE})", 83_000),
    "UCT_r": ("uct(c=0.354,rave=k)", 50_000),
    "UCT_rh": (f"uct(c=0.354,rave=k,playout={BRIDGE})", 39_000),
}
# Four of them with the other reading of the paper's C.
OTHER_K: dict[str, tuple[str, int | None]] = {
    f"{name}, K = 0.707": (PAPERS[name][0].replace("0.354", "0.707"), None)
    for name in ("UCT", "UCT_h", "UCT_r", "UCT_rh")
}
DECAYS = (1, 2, 3, 4, 5)
ACCELERATED: dict[str, tuple[str, int | None]] = {
    f"AUCT k={k}": (f"auct(k={k},c=0.354)", None) for k in DECAYS
}
DISCOUNTED: dict[str, tuple[str, int | None]] = {
    f"DUCT k={k}": (f"duct(k={k},c=0.354)", None) for k in (3, 4, 5)
}


def _heavy(players: Mapping[str, tuple[str, int | None]]) -> dict[str, tuple[str, int | None]]:
    return {
        name.replace("UCT", "UCT_h"): (agent.replace(")", f",playout={BRIDGE})"), None)
        for name, (agent, _) in players.items()
    }


HEAVY_ACCELERATED, HEAVY_DISCOUNTED = _heavy(ACCELERATED), _heavy(DISCOUNTED)
PLAYERS = PAPERS | OTHER_K | ACCELERATED | HEAVY_ACCELERATED | DISCOUNTED | HEAVY_DISCOUNTED
# Who is shown together.
PICTURES = {
    "success": ("Who finds the winning move", tuple(PAPERS)),
    "success-decay": (
        "Forgetting and the winning move",
        ("UCT", *ACCELERATED, *DISCOUNTED),
    ),
    "success-decay-heavy": (
        "Forgetting and the winning move, with bridge-preserving playouts",
        ("UCT_h", *HEAVY_ACCELERATED, *HEAVY_DISCOUNTED),
    ),
    "success-k": (
        "Two readings of the exploration factor",
        ("UCT", "UCT_h", "UCT_r", "UCT_rh", *OTHER_K),
    ),
}
FIRST_EPOCH = 1000
MAX_EPOCHS = 11
SIMULATIONS_PER_SECOND = 900_000


def epochs(size: Size) -> list[int]:
    """1,000 playouts and each doubling up to the budget."""
    doubled = [FIRST_EPOCH * 2**e for e in range(MAX_EPOCHS)]
    return [playouts for playouts in doubled if playouts <= size.playouts] or [size.playouts]


def run(context: ExperimentContext) -> Findings:
    players = {name: agent for name, (agent, _) in PLAYERS.items()}
    chosen = search_position(context, players, context.size)
    turns = "; ".join(f"{name} {_from(chosen.turn(name))}" for name in players)
    return Findings(
        summary=(
            _answer(chosen),
            "The winning move e is chosen in half of the searches, with 95 % intervals by "
            f"bootstrap over the searches: {turns}.",
        ),
        tables=(
            choices_table(players, chosen),
            *(() if context.idle else (_speed_table(players, context),)),
        ),
        figures=_figures(chosen),
        notes=(
            "The position is reconstructed from the paper's text and consistent with all of it: "
            "Black wins with e; c and g only delay and must be followed by e; all other moves "
            "lose.",
            "K, the exploration factor, is 0.354: the paper's 1/sqrt(2), converted from results "
            "between -1 and 1. K = 0.707 is shown for comparison. The flat player UCB has K = 0.5. "
            "Every search starts from nothing; epochs share no tree.",
            "Players marked h preserve bridges in their playouts, including bridges to an edge. "
            "RAVE uses the k schedule with k = 100. AUCT and DUCT, accelerated and discounted UCT, "
            "have the decay lambda = 1 - 0.1**k; the paper did not try them.",
        ),
    )


def search_position(context: ExperimentContext, players: Mapping[str, str], size: Size) -> Choices:
    """Which letters each player chose with each budget; a cell's name is its playouts."""
    return choose(
        *(context, PROBLEM, players, epochs(size)),
        lambda playouts: size.games(str(playouts)),
        names=LETTERS,
    )


def choices_table(players: Mapping[str, str], chosen: Choices) -> Table:
    return chosen.table(
        players,
        "Which move is chosen",
        WINNING,
        {
            "chose c or g (%)": lambda cell: chosen.percent(*cell, DELAYING),
            "favourite": lambda cell: chosen.favourite(*cell),
        },
    )


def curves_figure(name: str, title: str, chosen: Choices, players: tuple[str, ...] = ()) -> Figure:
    caption = (
        "Share of searches that choose the winning move e, by playouts per search and player, with "
        f"95 % intervals: {chosen.searches_told()}."
    )
    return chosen.figure(name, caption, title, players=players)


def _answer(chosen: Choices) -> str:
    """Does Accelerated UCT escape the deception sooner than UCT, at which k, by what factor?"""
    most = chosen.budgets[-1]
    sentences = []
    for what, plain, players in (
        ("With uniform playouts", "UCT", ACCELERATED),
        ("With bridge-preserving playouts", "UCT_h", HEAVY_ACCELERATED),
    ):
        first = chosen.turn(plain)
        turns = {name: turn for name in players if (turn := chosen.turn(name))}
        if not turns:
            sentences.append(
                f"{what} Accelerated UCT does not turn to e within {most:,} playouts "
                f"({plain} {_from(first)})."
            )
            continue
        best = min(turns, key=lambda name: turns[name].playouts)
        others = ", ".join(f"{name[-1]}: {turn}" for name, turn in turns.items())
        if first is None:
            verdict = f"while {plain} does not turn within {most:,}"
        elif turns[best].playouts < first.playouts:
            times = f"{first.playouts / turns[best].playouts:.1f}"
            if interval := quotient_interval(chosen.tallies(plain), chosen.tallies(best)):
                times += f" ({interval[0]:.1f} to {interval[1]:.1f})"
            verdict = f"{times} times sooner than {plain}, {first}"
        else:
            verdict = f"no sooner than {plain}, {first}"
        sentences.append(
            f"{what} Accelerated UCT with k = {best[-1]} chooses e in half of the searches "
            f"{_from(turns[best])}, {verdict}; by k: {others}."
        )
    return " ".join(sentences)


def _from(turn: TurningPoint | None) -> str:
    return f"from {turn} playouts on" if turn else "never"


def _speed_table(players: Mapping[str, str], context: ExperimentContext) -> Table:
    """Table I: iterations per second, and as a multiple of UCT's."""
    playouts = epochs(context.size)[-1]
    position = Position.from_diagram(make_game(GAME), POSITION)
    times = measure_rounds(
        position, list(players.values()), playouts=playouts, seed=context.seed, rounds=3
    )
    speeds = {agent: playouts / statistics.median(spent) for agent, spent in times.items()}
    published = {name: PLAYERS[name][1] for name in players}
    return Table.of(
        "speed",
        "Iterations per second (ours: per CPU second)",
        {
            "player": lambda name: name,
            "published": lambda name: published[name],
            "ours": lambda name: round(speeds[players[name]]),
            "published / UCT": lambda name: (p := published[name]) and p / 101_000,
            "ours / UCT": lambda name: speeds[players[name]] / speeds[players["UCT"]],
        },
        players,
    )


def _figures(chosen: Choices) -> tuple[Figure, ...]:
    """The position, the curves of players that are shown together, the choices of each."""
    position = chosen.board(
        "UCT",
        f"The position, with the paper's letters. Only {WINNING} wins. Shades and numbers: which "
        "cells UCT",
        PROBLEM.position(),
        marks=LETTERS,
    )
    curves = (
        curves_figure(name, title, chosen, tuple(p for p in shown if p in chosen.players))
        for name, (title, shown) in PICTURES.items()
    )
    return position, *curves, *(_choices_figure(player, chosen) for player in chosen.players)


def _choices_figure(player: str, chosen: Choices) -> Figure:
    budgets = chosen.budgets
    shares = [
        {letter: chosen.percent(player, b, letter) or 0.0 for letter in TRUTH} for b in budgets
    ]
    return Figure(
        "choices-" + "".join(c if c.isalnum() else "_" for c in player),
        f"What {player} chooses: one row per number of playouts, one column per cell; bar height "
        "is the share of searches. The winning e is black, the delaying c and g are grey.",
        lambda canvas: search_figures.choice_shares(
            canvas, budgets, shares, title=f"What {player} chooses", truth=TRUTH
        ),
        size=search_figures.TALL,
    )


def cost(size: Size) -> float:
    playouts = sum(size.games(str(epoch)) * epoch for epoch in epochs(size))
    return len(PLAYERS) * playouts / SIMULATIONS_PER_SECOND


EXPERIMENTS = (
    Experiment(
        id="browne2013",
        title="A problem case for UCT: a small Hex position, and which players it deceives",
        source=f"{PAPER}, Figs. 10 to 18 and Table I.",
        quick=Size(repeats=30, playouts=64_000),
        full=Size(repeats=1000, playouts=1_024_000),
        run=run,
        cost=cost,
        unit="searches",
        cells=tuple(str(FIRST_EPOCH * 2**e) for e in range(MAX_EPOCHS)),
    ),
)
