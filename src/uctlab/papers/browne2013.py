"""Browne: A Problem Case for UCT, Figs. 10 to 18 and Table I: a 5x5 Hex position that deceives UCT.

Figs. 10 to 17 show which cell each player chooses, by the number of playouts, Fig. 18 how often it
is the winning one; Table I is about speed.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from uctlab.arena.search_task import SearchTask
from uctlab.arena.statistics import Score
from uctlab.bench.search import measure_rounds
from uctlab.games import Position, make_game
from uctlab.games.named import BROWNE2013
from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.report import Figure, Percent, Table
from uctlab.papers.turning import Tallies, Turn, quotient_interval, turn_of

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


Chosen = Mapping[tuple[str, int], Counter[str]]
"""How often each letter was chosen, by player and playouts."""


def epochs(size: Size) -> list[int]:
    """1,000 playouts and each doubling up to the budget."""
    doubled = [FIRST_EPOCH * 2**e for e in range(MAX_EPOCHS)]
    return [playouts for playouts in doubled if playouts <= size.playouts] or [size.playouts]


def run(context: ExperimentContext) -> Findings:
    players = {name: agent for name, (agent, _) in PLAYERS.items()}
    budgets = epochs(context.size)
    chosen = choices(context, players, budgets, lambda playouts: context.size.games(str(playouts)))
    return Findings(
        summary=(_answer(budgets, chosen), _turns(players, budgets, chosen)),
        tables=(
            success_table(players, budgets, chosen),
            *(() if context.idle else (_speed_table(players, context),)),
        ),
        figures=_figures(players, budgets, chosen),
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


def choices(
    context: ExperimentContext,
    players: Mapping[str, str],
    budgets: Sequence[int],
    searches: Callable[[int], int],
) -> Chosen:
    """Which letters each player chose with each budget, in as many searches as that budget gets."""
    tasks = {
        (name, playouts): [
            SearchTask(
                GAME, agent, playouts, context.derive_seed(playouts, number), diagram=POSITION
            )
            for number in range(searches(playouts))
        ]
        for playouts in budgets
        for name, agent in players.items()
    }
    return {
        cell: Counter(LETTERS[move] for move in found.values())
        for cell, found in context.grid(tasks).items()
    }


def share_of(counts: Counter[str], letter: str) -> Percent | None:
    return Percent.of(Score(counts[letter], 0, counts.total() - counts[letter]))


def tallies(name: str, budgets: Sequence[int], chosen: Chosen) -> Tallies:
    return {b: (chosen[name, b][WINNING], chosen[name, b].total()) for b in budgets}


def _answer(budgets: Sequence[int], chosen: Chosen) -> str:
    """Does Accelerated UCT escape the deception sooner than UCT, at which k, by what factor?"""
    sentences = []
    for what, plain, players in (
        ("With uniform playouts", "UCT", ACCELERATED),
        ("With bridge-preserving playouts", "UCT_h", HEAVY_ACCELERATED),
    ):
        known = {
            name: tallies(name, budgets, chosen)
            for name in (plain, *players)
            if (name, budgets[0]) in chosen
        }
        found = {name: turn for name, one in known.items() if (turn := turn_of(one))}
        turns = {name: turn for name, turn in found.items() if name != plain}
        first = found.get(plain)
        if not turns:
            sentences.append(
                f"{what} Accelerated UCT does not turn to e within {budgets[-1]:,} playouts "
                f"({plain} {_from(first)})."
            )
            continue
        best = min(turns, key=lambda name: turns[name].playouts)
        others = ", ".join(f"{name[-1]}: {turn}" for name, turn in turns.items())
        if first is None:
            verdict = f"while {plain} does not turn within {budgets[-1]:,}"
        elif turns[best].playouts < first.playouts:
            times = _times_told(
                first.playouts / turns[best].playouts, quotient_interval(known[plain], known[best])
            )
            verdict = f"{times} times sooner than {plain}, {first}"
        else:
            verdict = f"no sooner than {plain}, {first}"
        sentences.append(
            f"{what} Accelerated UCT with k = {best[-1]} chooses e in half of the searches "
            f"{_from(turns[best])}, {verdict}; by k: {others}."
        )
    return " ".join(sentences)


def _from(turn: Turn | None) -> str:
    return f"from {turn} playouts on" if turn else "never"


def _times_told(times: float, interval: tuple[float, float] | None) -> str:
    return f"{times:.1f}" + (f" ({interval[0]:.1f} to {interval[1]:.1f})" if interval else "")


def _turns(players: Mapping[str, str], budgets: Sequence[int], chosen: Chosen) -> str:
    parts = [f"{name} {_from(turn_of(tallies(name, budgets, chosen)))}" for name in players]
    return (
        "The winning move e is chosen in half of the searches, with 95 % intervals by bootstrap "
        f"over the searches: {'; '.join(parts)}."
    )


def searches_told(budgets: Sequence[int], chosen: Chosen) -> str:
    """How many searches there are per point, with the playouts at which there are others."""
    made: dict[str, list[str]] = {}
    for playouts in budgets:
        counts = sorted(one.total() for (_, p), one in chosen.items() if p == playouts)
        told = " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))
        made.setdefault(told, []).append(f"{playouts:,}")
    usual = max(made, key=lambda told: len(made[told]))
    parts = [f"{usual} searches per point"]
    for told, at in made.items():
        if told != usual:
            parts.append(f"{told} with {' and '.join(at)} playouts")
    return ", ".join(parts)


def success_table(players: Mapping[str, str], budgets: Sequence[int], chosen: Chosen) -> Table:
    rows = []
    for name, agent in players.items():
        for playouts in budgets:
            counts = chosen[name, playouts]
            favourite = counts.most_common(1)[0][0] if counts else None
            delayed = sum(counts[letter] for letter in DELAYING)
            share = 100 * delayed / counts.total() if counts else None
            rows.append(
                (name, agent, playouts, counts.total(), share_of(counts, WINNING), share, favourite)
            )
    columns = ("player", "agent", "playouts", "searches", "chose e", "chose c or g (%)")
    return Table("choices", "Which move is chosen", (*columns, "favourite"), tuple(rows))


def _speed_table(players: Mapping[str, str], context: ExperimentContext) -> Table:
    """Table I: iterations per second, and as a multiple of UCT's."""
    playouts = epochs(context.size)[-1]
    position = Position.from_diagram(make_game(GAME), POSITION)
    times = measure_rounds(
        position, list(players.values()), playouts=playouts, seed=context.seed, rounds=3
    )
    speeds = {agent: playouts / statistics.median(spent) for agent, spent in times.items()}
    rows = []
    for name, agent in players.items():
        published = PLAYERS[name][1]
        rows.append(
            (
                name,
                published,
                round(speeds[agent]),
                published / 101_000 if published else None,
                speeds[agent] / speeds[players["UCT"]],
            )
        )
    columns = ("player", "published", "ours", "published / UCT", "ours / UCT")
    return Table("speed", "Iterations per second (ours: per CPU second)", columns, tuple(rows))


def _figures(
    players: Mapping[str, str], budgets: Sequence[int], chosen: Chosen
) -> tuple[Figure, ...]:
    curves = {
        name: {b: share for b in budgets if (share := share_of(chosen[name, b], WINNING))}
        for name in players
    }
    pictures = [_board("UCT", budgets[-1], chosen)]
    for file_name, (title, shown) in PICTURES.items():
        lines = {name: curves[name] for name in shown if name in curves}
        pictures.append(summary_plot(file_name, title, lines, searches_told(budgets, chosen)))
    for name in players:
        shares = [
            {
                letter: 100 * chosen[name, b][letter] / max(1, chosen[name, b].total())
                for letter in TRUTH
            }
            for b in budgets
        ]
        file_name = "choices-" + "".join(c if c.isalnum() else "_" for c in name)
        pictures.append(_success_plot(file_name, name, budgets, shares))
    return tuple(pictures)


def _board(player: str, playouts: int, chosen: Chosen) -> Figure:
    counts = chosen[player, playouts]
    shares = {
        cell: counts[letter] / counts.total() for cell, letter in LETTERS.items() if counts[letter]
    }
    return figures.board(
        "position",
        f"The position, with the paper's letters. Only {WINNING} wins. Shades and numbers: which "
        f"cells {player} chose with {playouts:,} playouts, in percent of {counts.total():,} "
        "searches.",
        Position.from_diagram(make_game(GAME).interpreted(), POSITION),
        shares=shares,
        marks=LETTERS,
    )


def summary_plot(
    file_name: str, title: str, curves: Mapping[str, Mapping[int, Percent]], searches: str
) -> Figure:
    return Figure(
        file_name,
        "Share of searches that choose the winning move e, by playouts per search and player, with "
        f"95 % intervals: {searches}.",
        lambda canvas: figures.success_by_epoch(canvas, curves, title=title),
        size=figures.TALL,
    )


def _success_plot(
    file_name: str, player: str, budgets: Sequence[int], shares: Sequence[Mapping[str, float]]
) -> Figure:
    return Figure(
        file_name,
        f"What {player} chooses: one row per number of playouts, one column per cell; bar height "
        "is the share of searches. The winning e is black, the delaying c and g are grey.",
        lambda canvas: figures.choice_shares(
            canvas, budgets, shares, title=f"What {player} chooses", truth=TRUTH
        ),
        size=figures.TALL,
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
