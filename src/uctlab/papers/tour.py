"""The tour of `make run`: three experiments whose effect shows within minutes, on one page."""

from __future__ import annotations

from itertools import chain

from uctlab.papers import tour_hex, tour_othello, tour_tree
from uctlab.papers.deception import Turn
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size, joined
from uctlab.papers.report import NextStep
from uctlab.papers.tour_hex import Watched

ABOUT = (
    "uctlab is a laboratory for Monte-Carlo tree search in two-player games: it plays the games, "
    "runs the searches of the published papers, and says with intervals what can be told apart."
)
READING = (
    "A search makes playouts, random games from a position, and grows a tree of the moves that did "
    "well in them. UCT counts every playout the same for ever. Two variants forget: Discounted UCT "
    "lets old results fade, Accelerated UCT the weight of moves that are no longer tried. The "
    "decay k says how fast: with k = 1 they remember some ten playouts, with k = 2 a hundred, with "
    "k = 4 ten thousand."
)
NEXT_STEPS = (
    NextStep("uctlab lab", "the lab in the browser: play, watch a search grow, compare two agents"),
    NextStep(
        "uctlab analyze hex:5 --position browne2013 --solve --playouts 16000",
        "the Hex problem above: what a search believes, beside the truth",
    ),
    NextStep(
        'uctlab match othello "auct(k=3)" uct --games 100 --playouts 1000',
        "a match of two agents of your choice, with its Elo difference",
    ),
    NextStep('uctlab play hex:7 --agent "uct(rave=k)" --seconds 2', "play against one yourself"),
    NextStep("uctlab reproduce", "all experiments of the papers, and what each of them costs"),
)
NOTES = (
    "Two shares are told apart if the 95 % interval of their difference (Newcombe's, from Wilson's "
    "intervals) does not contain 0; two agents on the tree, if the share of pairs in which one was "
    "sooner has an interval (Wilson's) without 50 %. How rarely a run fails to show these effects "
    "is in benchmarks/README.md, section The tour.",
    "A search of the Hex problem is one tree that is asked for its move at each number of "
    "playouts; in the full experiment every number has searches of its own.",
    "The commands in full take half a day or more each on two cores; without --full they take "
    "minutes, and uctlab reproduce lists both. After make run, uctlab is .venv/bin/uctlab.",
)


def run(context: ExperimentContext) -> Findings:
    tree, hexes = tour_tree.tasks(context), tour_hex.tasks(context)
    # Player by player in turn, so that workers do not compile the same kernels at the same time.
    every: list[Turn | Watched] = [
        *chain(*zip(*tree.values(), strict=True)),
        *chain(*zip(*hexes.values(), strict=True)),
    ]
    outcomes = context.tasks(every)
    about = Findings((ABOUT, READING), (), (), NOTES, next_steps=NEXT_STEPS)
    return joined(
        about,
        tour_tree.section(tree, outcomes),
        tour_hex.section(hexes, outcomes),
        tour_othello.section(context),
    )


def cost(size: Size) -> float:
    return tour_tree.cost(size) + tour_hex.cost(size) + tour_othello.cost(size)


EXPERIMENTS = (
    Experiment(
        id="tour",
        title="A tour of uctlab: three experiments",
        source="J. Hashimoto and others, Accelerated UCT and Its Application to Two-Player Games, "
        "2012; C. Browne, A Problem Case for UCT, 2013.",
        quick=Size(repeats=50, playouts=256_000),
        full=Size(repeats=2000, playouts=256_000),
        run=run,
        cost=cost,
        unit="searches",
    ),
)
