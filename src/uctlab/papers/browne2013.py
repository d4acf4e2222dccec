"""Browne: A Problem Case for UCT. A 5x5 Hex position that deceives it.

Figs. 10 to 17: which cell each player chooses, by the number of playouts. Fig. 18: how often it is
the winning one. Table I: speed.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence

from uctlab.arena.choice import Choice
from uctlab.arena.statistics import Score
from uctlab.bench.search import measure_rounds
from uctlab.games import Position, make_game
from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, Findings, Lab, Size
from uctlab.papers.report import Figure, Percent, Table

PAPER = (
    "C. Browne: A Problem Case for UCT. IEEE Transactions on Computational Intelligence and AI in "
    "Games 5(1), 2013"
)
GAME = "hex:5"
# A reconstruction: the paper's figure is not in its text. Black is X and to play.
POSITION = """
X O O . .
 . O . . .
  . X O . .
   . X . . .
    . . . . .
X to play
"""
# The paper's letters of the empty cells.
LETTERS = {
    **{"d1": "a", "e1": "b"},
    **{"a2": "c", "c2": "d", "d2": "e", "e2": "f"},
    **{"a3": "g", "d3": "h", "e3": "i"},
    **{"a4": "j", "c4": "k", "d4": "l", "e4": "m"},
    **{"a5": "n", "b5": "o", "c5": "p", "d5": "q", "e5": "r"},
}
WINNING, DELAYING = "e", "cg"
TRUTH = {
    letter: "wins" if letter == WINNING else "delays" if letter in DELAYING else "loses"
    for letter in LETTERS.values()
}
BRIDGE = "bridge"  # the playout policy that answers an intrusion into a bridge

# The paper's players with its speed in iterations a second, and ours beside them.
PLAYERS: dict[str, tuple[str, int | None]] = {
    "MC": ("mc", 396_000),
    "MC_h": (f"mc(playout={BRIDGE})", 139_000),
    "UCB": ("ucb(c=0.5)", 294_000),
    "UCB_h": (f"ucb(c=0.5,playout={BRIDGE})", 124_000),
    "UCT": ("uct(c=0.354)", 101_000),
    "UCT_h": (f"uct(c=0.354,playout={BRIDGE})", 83_000),
    "UCT_r": ("uct(c=0.354,rave=k)", 50_000),
    "UCT_rh": (f"uct(c=0.354,rave=k,playout={BRIDGE})", 39_000),
    "UCT, K = 0.707": ("uct(c=0.707)", None),
    **{f"AUCT k={k}": (f"auct(k={k},c=0.354)", None) for k in range(1, 6)},
}
FIRST_EPOCH = 1000
MOST_EPOCHS = 11
SIMULATIONS_A_SECOND = 900_000


def epochs(size: Size) -> list[int]:
    """1,000 playouts and each doubling of them up to the budget."""
    doubled = [FIRST_EPOCH * 2**e for e in range(MOST_EPOCHS)]
    return [playouts for playouts in doubled if playouts <= size.playouts] or [size.playouts]


def available() -> tuple[dict[str, str], list[str]]:
    """The players that the game's playouts allow, and the names of the others."""
    policies = make_game(GAME).playouts
    able = {
        name: agent
        for name, (agent, _) in PLAYERS.items()
        if BRIDGE in policies or BRIDGE not in agent
    }
    return able, [name for name in PLAYERS if name not in able]


def run(lab: Lab) -> Findings:
    players, absent = available()
    budgets = epochs(lab.size)
    tasks = {
        (name, playouts): [
            Choice(GAME, agent, playouts, lab.draw(playouts, number), diagram=POSITION)
            for number in range(lab.size.repeats)
        ]
        for playouts in budgets
        for name, agent in players.items()
    }
    chosen = {
        cell: Counter(LETTERS[move] for move in found.values())
        for cell, found in lab.grid(tasks).items()
    }
    notes = [
        "The position is a reconstruction from the paper's text, consistent with all it says: "
        "Black wins with e; c and g only delay and must be followed by e; the rest loses.",
        "K, the factor of exploration, is 0.354: the paper's 1/sqrt(2) with results from -1 to 1. "
        "K = 0.707 is shown beside it. The flat player UCB has K = 0.5. Every search is a new "
        "one; epochs share nothing.",
    ]
    if absent:
        notes.append(
            f"Left out, for Hex has no playout policy '{BRIDGE}' yet: {', '.join(absent)}."
        )
    return Findings(
        summary=(_answer(players, budgets, chosen),),
        tables=(
            _success_table(players, budgets, chosen),
            *(() if lab.stopped else (_speed_table(players, lab),)),
        ),
        figures=_figures(players, budgets, chosen),
        notes=tuple(notes),
    )


def _share(counts: Counter[str], letter: str) -> Percent | None:
    return Percent.of(Score(counts[letter], 0, counts.total() - counts[letter]))


Chosen = Mapping[tuple[str, int], Counter[str]]


def _answer(players: Mapping[str, str], budgets: Sequence[int], chosen: Chosen) -> str:
    """From how many playouts on does each player choose the winning move more often than not?"""
    sentences = []
    for name in players:
        good = [b for b in budgets if (s := _share(chosen[name, b], WINNING)) and s.value >= 50]
        sentences.append(f"{name} from {good[0]:,} playouts on" if good else f"{name} never")
    return (
        f"Within {budgets[-1]:,} playouts the winning move e is chosen in at least half of the "
        f"searches by: {'; '.join(sentences)}."
    )


def _success_table(players: Mapping[str, str], budgets: Sequence[int], chosen: Chosen) -> Table:
    rows = []
    for name, agent in players.items():
        for playouts in budgets:
            counts = chosen[name, playouts]
            favourite = counts.most_common(1)[0][0] if counts else None
            delayed = sum(counts[letter] for letter in DELAYING)
            share = 100 * delayed / counts.total() if counts else None
            rows.append(
                (name, agent, playouts, counts.total(), _share(counts, WINNING), share, favourite)
            )
    columns = ("player", "agent", "playouts", "searches", "chose e", "chose c or g (%)")
    return Table("choices", "Which move is chosen", (*columns, "favourite"), tuple(rows))


def _speed_table(players: Mapping[str, str], lab: Lab) -> Table:
    """Table I: iterations a second, and as a multiple of UCT's."""
    playouts = epochs(lab.size)[-1]
    position = Position.from_diagram(make_game(GAME), POSITION)
    times = measure_rounds(
        position, list(players.values()), playouts=playouts, seed=lab.seed, rounds=3
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
    return Table("speed", "Iterations a second (ours: per CPU second)", columns, tuple(rows))


def _figures(
    players: Mapping[str, str], budgets: Sequence[int], chosen: Chosen
) -> tuple[Figure, ...]:
    curves = {
        name: {b: share for b in budgets if (share := _share(chosen[name, b], WINNING))}
        for name in players
    }
    pictures = [
        Figure(
            "success",
            "Share of searches that choose the winning move e, by playouts a search and player.",
            lambda canvas: figures.success_by_epoch(
                canvas, curves, title="Who finds the winning move"
            ),
            size=figures.TALL,
        )
    ]
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


def _success_plot(
    file_name: str, player: str, budgets: Sequence[int], shares: Sequence[Mapping[str, float]]
) -> Figure:
    return Figure(
        file_name,
        f"What {player} chooses: a row for each number of playouts, a column for each cell, the "
        "height the share of searches. The winning e is black, the delaying c and g grey.",
        lambda canvas: figures.choice_shares(
            canvas, budgets, shares, title=f"What {player} chooses", truth=TRUTH
        ),
        size=figures.TALL,
    )


def cost(size: Size) -> float:
    return len(available()[0]) * size.repeats * sum(epochs(size)) / SIMULATIONS_A_SECOND


EXPERIMENTS = (
    Experiment(
        id="browne2013",
        title="A problem case for UCT: one small Hex position, and who gets deceived",
        source=f"{PAPER}, Figs. 10 to 18 and Table I.",
        quick=Size(repeats=30, playouts=64_000),
        full=Size(repeats=1000, playouts=1_024_000),
        run=run,
        cost=cost,
        unit="searches",
    ),
)
