"""First part of the tour: a tree that deceives UCT, and who sees through it first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from uctlab.arena.statistics import Score
from uctlab.papers.deception import (
    PLAYOUTS_PER_SECOND,
    Turn,
    Turns,
    median_turn,
    turns_figure,
    turns_table,
)
from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.measured import Percent, listed
from uctlab.papers.report import Section

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


def tasks(context: ExperimentContext) -> dict[str, list[Turn]]:
    horizon = min(HORIZON, context.size.playouts)
    return {
        agent: [
            Turn(TREE, agent, context.derive_seed(number), horizon)
            for number in range(context.size.repeats)
        ]
        for agent in AGENTS
    }


def section(searches: Mapping[str, Sequence[Turn]], outcomes: Mapping[Any, Any]) -> Findings:
    # Searches of the same number are a pair: only those whose whole row is finished are compared.
    rows = [row for row in zip(*searches.values(), strict=True) if outcomes.keys() >= {*row}]
    turns = {agent: [outcomes[row[i]] for row in rows] for i, agent in enumerate(searches)}
    horizon = next(iter(searches.values()))[0].horizon
    title = "A tree that deceives: who turns to the winning move, and when"
    return Findings.of_section(
        Section(
            "A tree that deceives",
            "In this small tree move B looks best at first and move C wins; the trap of "
            f"hashimoto2012, Fig. 1, is set four times in a row. {len(rows)} searches by each of "
            f"{len(AGENTS)} agents show from which playout on a search prefers C for good.",
            seen=tuple(tell(turns, horizon)) if rows else (),
            repeat="uctlab reproduce hashimoto2012-fig1 --full",
        ),
        turns_table("tree", "The tree: playout of the turn", turns, horizon),
        turns_figure("tree", "", title, turns, horizon, (7.2, 3.8)) if rows else None,
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
    low, high = share.ends if share else (0.0, 100.0)
    return (low > 50) - (high < 50)


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


def cost(size: Size) -> float:
    return len(AGENTS) * size.repeats * min(HORIZON, size.playouts) / PLAYOUTS_PER_SECOND
