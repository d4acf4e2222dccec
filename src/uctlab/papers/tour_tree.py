"""First part of the tour: a tree that deceives UCT, and who sees through it first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from uctlab.arena.statistics import Score
from uctlab.papers import figures
from uctlab.papers.deception import PLAYOUTS_PER_SECOND, Turn, median_turn
from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.report import Figure, Percent, Table
from uctlab.papers.tour_part import Part, listed

TREE = "deceptive:2,depth=4"
AGENTS = {
    "uct": "Plain UCT",
    "auct(k=1)": "Accelerated UCT with k = 1",
    "auct(k=2)": "Accelerated UCT with k = 2",
    "duct(k=1)": "Discounted UCT with k = 1",
    "duct(k=2)": "Discounted UCT with k = 2",
}
PLAIN = "uct"
HORIZON = 10_000
Turns = Mapping[str, Sequence[int | None]]


def tasks(context: ExperimentContext) -> dict[str, list[Turn]]:
    horizon = min(HORIZON, context.size.playouts)
    return {
        agent: [
            Turn(TREE, agent, context.derive_seed(number), horizon)
            for number in range(context.size.repeats)
        ]
        for agent in AGENTS
    }


def part(searches: Mapping[str, Sequence[Turn]], outcomes: Mapping[Any, Any]) -> Part:
    # Searches of the same number are a pair: only those whose whole row is finished are compared.
    rows = [row for row in zip(*searches.values(), strict=True) if outcomes.keys() >= {*row}]
    turns = {agent: [outcomes[row[i]] for row in rows] for i, agent in enumerate(searches)}
    horizon = next(iter(searches.values()))[0].horizon
    return Part.of(
        "A tree that deceives",
        "In this small tree move B looks best at first and move C wins; the trap of hashimoto2012, "
        f"Fig. 1, is set four times in a row. {len(rows)} searches by each of {len(AGENTS)} agents "
        "show from which playout on a search prefers C for good.",
        tell(turns, horizon) if rows else [],
        "uctlab reproduce hashimoto2012-fig1 --full",
        table=_table(turns, horizon),
        figure=_figure(turns, horizon) if rows else None,
    )


def tell(turns: Turns, horizon: int) -> list[str]:
    """When each agent turns, and whether that is sooner than plain UCT."""
    plain = turns[PLAIN]
    pairs = {a: _pairs(turns[a], plain, horizon) for a in turns if a != PLAIN}
    numbers = [f"{AGENTS[PLAIN]} {_when(plain, horizon)}."]
    numbers += [
        f"{AGENTS[agent]} {_when(turns[agent], horizon)}, {_compared(score)}."
        for agent, score in pairs.items()
    ]
    return [
        _conclusion({agent: _sign(score) for agent, score in pairs.items()}),
        " ".join(numbers),
        "The paper shows a tree of this kind, without numbers.",
    ]


def _conclusion(signs: Mapping[str, int]) -> str:
    sooner, later = (
        listed([AGENTS[agent] for agent, sign in signs.items() if sign == wanted])
        for wanted in (1, -1)
    )
    text = (
        f"Forgetting can help: the winning move is found sooner than by plain UCT by {sooner}"
        if sooner
        else "Forgetting does not help in this run: no agent is sooner than plain UCT"
    )
    return f"{text}; later, or never: {later}." if later else f"{text}."


def _when(turns: Sequence[int | None], horizon: int) -> str:
    median = median_turn(turns, horizon)
    if median is not None:
        return f"turns to C at playout {median:,} in the median"
    never = sum(turn is None for turn in turns)
    return f"does not turn to C within {horizon:,} playouts in {never} of {len(turns)} searches"


def _sign(pairs: Score) -> int:
    """1 if the agent is sooner than plain UCT, -1 if later, 0 if that cannot be told."""
    share = Percent.of(pairs)
    assert share and share.low is not None and share.high is not None
    return (share.low > 50) - (share.high < 50)


def _compared(pairs: Score) -> str:
    sign = _sign(pairs)
    if sign < 0:
        return f"later than plain UCT in {pairs.losses} of {pairs.games} pairs of searches"
    sooner = f"sooner than plain UCT in {pairs.wins} of {pairs.games} pairs of searches"
    return sooner if sign else f"{sooner}, which does not tell the two apart"


def _pairs(turns: Sequence[int | None], plain: Sequence[int | None], horizon: int) -> Score:
    """Pairs of searches in which the agent turned first, in which both did at once, or last."""
    late = horizon + 1
    both = [(mine or late, theirs or late) for mine, theirs in zip(turns, plain, strict=True)]
    sooner = sum(mine < theirs for mine, theirs in both)
    later = sum(mine > theirs for mine, theirs in both)
    return Score(sooner, len(both) - sooner - later, later)


def _table(turns: Turns, horizon: int) -> Table:
    rows = []
    for agent, known in turns.items():
        turned = sorted(turn for turn in known if turn is not None)
        ends = (turned[0], turned[-1]) if turned else (None, None)
        rows.append((agent, len(known), len(turned), ends[0], median_turn(known, horizon), ends[1]))
    columns = ("agent", "searches", "turned", "earliest", "median", "latest")
    return Table("tree", "The tree: playout of the turn", columns, tuple(rows))


def _figure(turns: Turns, horizon: int) -> Figure:
    return Figure(
        "tree",
        "For each agent, the playout at which each search turned to the winning move for good; "
        "further left is better.",
        partial(
            figures.turning_points,
            rows=turns,
            horizon=horizon,
            title="A tree that deceives: who turns to the winning move, and when",
        ),
        size=(7.2, 3.8),
    )


def cost(size: Size) -> float:
    return len(AGENTS) * size.repeats * min(HORIZON, size.playouts) / PLAYOUTS_PER_SECOND
