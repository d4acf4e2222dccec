"""RAVE: credits a playout to the moves that were played later in it.

For a node on the path and a move m of the player to move there, a playout is a sample if that
player is the first of the two to play m after that node, in the tree or in the playout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.kernels import hole, kernel
from uctlab.parts.part import Array, Column, Option, Part, Setting, Values
from uctlab.rules.backup.mean import inverse
from uctlab.rules.fields import MAX_VISITS, ROUNDING, Field
from uctlab.rules.shared import inject_yield, latch, unlatch

SHARED: bool = hole("threads.SHARED", False)  # several threads build one tree
PRIOR: bool = hole("agent.PRIOR")
SKETCH: bool = hole("agent.SKETCHES")  # selection looks at sketches of the moves
unexplored: Any = hole("select.unexplored", None)
set_ignore: Any = hole("params.set_ignore")
usual_choice: Any = hole("wrapped.choose")
usual_new_choice: Any = hole("wrapped.choose_new")
ON_GPU: bool = hole("device.ON_GPU", False)

FAR = 1e6  # first-play urgency beyond this might overflow the float32 of sketches


@kernel
def clear_rave(nodes, node):
    nodes[node].rave = 0.0
    nodes[node].samples = 0.0


@kernel
def ignored(rave_marks, params):
    """Whether RAVE is ignored by this selection, which is counted: every `ignore`-th one is."""
    rave_marks[1, -1] += 1
    return rave_marks[1, -1] % params.ignore == 0.0


@kernel
def choose(tree, work, node, depth, params):
    numbers = set_ignore(params, -1.0) if ignored(work.rave_marks, params) else params
    return usual_choice(tree, work, node, depth, numbers)


@kernel
def choose_new(tree, work, node, depth, params):
    numbers = set_ignore(params, -1.0) if ignored(work.rave_marks, params) else params
    return usual_new_choice(tree, work, node, depth, numbers)


@kernel
def begin_with_priors(tree, work, node, moves, count, depth, params):
    """As in Fuego, the samples start with the prior."""
    nodes = tree.nodes
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        nodes[child].rave = work.prior_values[0, nodes[child].move] * 1e-6
        nodes[child].samples = work.prior_values[1, nodes[child].move] * params.prior


@kernel
def count_samples(nodes, parent, marks, mark, reward):
    """Add the playout to the moves that bear the mark, as one sample each.

    Half of them do, at random: adding nothing to the others costs less than a branch that nobody
    can predict.
    """
    first = np.uint64(nodes[parent].first)
    for child in range(first, first + np.uint64(nodes[parent].count)):
        weight = np.float64(np.int64(marks[np.uint64(nodes[child].move)] == mark))
        samples = nodes[child].samples
        rave = nodes[child].rave
        # With a prior, samples need not be whole.
        share = 1.0 / (samples + 1.0) if PRIOR else inverse(np.int64(samples) + 1)
        nodes[child].samples = samples + weight
        nodes[child].rave = rave + weight * share * (reward - rave)


@kernel
def list_marked(nodes, parent, marks, mark, listed):
    """List the moves that bear the mark, 0 for the first one, without a branch; returns how many
    there are."""
    first = np.uint64(nodes[parent].first)
    count = np.uint64(0)
    for i in range(np.uint64(nodes[parent].count)):
        listed[count] = i
        count += np.uint64(marks[np.uint64(nodes[first + i].move)] == mark)
    return count


@kernel
def sketch_samples(nodes, parent, marks, mark, reward, work, params):
    """As count_samples, with sketches, which take longer to draw than a list of moves."""
    sketch = work.sketch
    listed = work.out
    first = np.uint64(nodes[parent].first)
    tried = np.uint64(0)  # of these; they are listed over the others
    for at in range(list_marked(nodes, parent, marks, mark, listed)):
        child = first + np.uint64(listed[at])
        samples = nodes[child].samples + 1.0
        rave = nodes[child].rave
        rave += inverse(np.int64(samples)) * (reward - rave)
        nodes[child].samples = samples
        nodes[child].rave = rave
        sketch[child, 0] = rave
        listed[tried] = listed[at]
        tried += np.uint64(nodes[child].visits > 0)
    for at in range(tried):
        child = first + np.uint64(listed[at])
        sketch[child, 0] = unexplored(nodes, child, parent, params)


@kernel
def weigh_samples(nodes, parent, level, end, marks, mark, reward, work):
    """As count_samples, weighted by distance: two divisions, which take longer than a list too."""
    listed = work.out
    plies = work.rave_marks[1]
    first = np.uint64(nodes[parent].first)
    for at in range(list_marked(nodes, parent, marks, mark, listed)):
        child = first + np.uint64(listed[at])
        weight = 2.0 - (plies[np.uint64(nodes[child].move)] - level) / (end - level)
        samples = nodes[child].samples + weight
        nodes[child].samples = samples
        nodes[child].rave += weight / samples * (reward - nodes[child].rave)


@kernel
def mark_moves(work, depth, length, turn, params):
    """Mark the moves of the playout; returns the first player's mark.

    rave_marks[0, m] is the mark of the player who first plays move m at or after the current level,
    and rave_marks[1, m] is its ply from the root. The last column counts playouts, so that the
    marks of earlier playouts need not be cleared, and selections.
    """
    trace = work.trace
    marks = work.rave_marks[0]
    plies = work.rave_marks[1]
    marks[-1] += 1
    mark = 2 * marks[-1]
    for i in range(length - 1, -1, -1):
        if trace[i] >= 0:  # else ~move, a move that gives no samples
            move = np.uint64(trace[i])
            marks[move] = mark + ((turn + depth + i) & 1)
            if params.by_distance != 0.0:
                plies[move] = depth + i
    return mark


@kernel
def add_samples(tree, work, depth, length, outcome, params):
    """Add the playout to all children of all nodes on the path but the last."""
    nodes = tree.nodes
    turn = np.int64(work.states[0].turn)
    path = work.path
    plies = work.rave_marks[1]
    marks = work.rave_marks[0]
    first_player = mark_moves(work, depth, length, turn, params)
    end = depth + length
    for level in range(depth - 1, -1, -1):
        player = (turn + level) & 1
        mark = first_player + player
        reward = outcome if player == 0 else 1.0 - outcome
        made = nodes[path[level + 1]].move
        marks[made] = mark
        plies[made] = level
        if not SHARED and not ON_GPU:
            if SKETCH:
                sketch_samples(nodes, path[level], marks, mark, reward, work, params)
            elif params.by_distance == 0.0:
                count_samples(nodes, path[level], marks, mark, reward)
            else:
                weigh_samples(nodes, path[level], level, end, marks, mark, reward, work)
            continue
        if SHARED:
            latch(nodes, path[level])
        first = np.int64(nodes[path[level]].first)
        for child in range(first, first + nodes[path[level]].count):
            move = nodes[child].move
            if marks[move] == mark:
                weight = 1.0
                if params.by_distance != 0.0:
                    weight = 2.0 - (plies[move] - level) / (end - level)
                samples = nodes[child].samples + weight
                if SHARED:
                    inject_yield()
                nodes[child].samples = samples
                nodes[child].rave += weight / samples * (reward - nodes[child].rave)
        if SHARED:
            unlatch(nodes, path[level])


def _marks(game: Game, agent: Any) -> tuple[int, ...]:
    return 2, len(game.move_names) + 1


def _spoils_scores(setting: Setting) -> bool:
    """Samples of one weight each are means of results too."""
    numbers = setting.agent.params
    units = getattr(setting.agent.backup, "UNITS", False)
    return bool(units or setting.shared or numbers.by_distance or abs(numbers.fpu) >= FAR)


_RULES = {
    "fuego": "uctlab.parts.rave_fuego",
    "k": "uctlab.parts.rave_k",
    "grave": "uctlab.parts.grave",
}
READ = frozenset({"rave", "samples", "agent.RAVE"})
FUEGO, SCHEDULE = "rave=fuego", "rave=k"


def is_on(values: Values) -> bool:
    """Whether any kind of RAVE is switched on."""
    return bool(values.get("rave", "off") != "off")


def option_of(schedule: str, about: str, default: float, **more: Any) -> Option:
    """A number that only one kind of RAVE reads, such as rave=fuego."""
    return Option(
        default,
        f"{schedule}: {about}",
        used=is_on,
        needs=NEEDS_RAVE,
        unread=f"it is for {schedule}",
        **more,
    )


NEEDS_RAVE = "it is for RAVE, which rave= switches on"
RAVE = Part(
    "rave",
    "Credits a playout to the moves that were played later in it.",
    source="gelly2007",
    options={
        "rave": Option(
            "off",
            "RAVE: none, Fuego's weights, the k schedule, or GRAVE; fuego and grave have c=0 and "
            "fpu=1 by default",
            ("off", "fuego", "k", "grave"),
            title="RAVE",
            reads=READ,
        ),
        "rave_initial": option_of(
            FUEGO,
            "weight of the first sample; fuego and preset=fuego have 0.9 in Go from 15x15 on",
            1.0,
            low=1e-6,
            high=1e9,
            title="Weight of the first RAVE sample",
            aliases=("wi",),
            reads=frozenset({"rave_initial"}),
        ),
        "rave_final": option_of(
            FUEGO,
            "upper limit of the total weight of all samples",
            5000.0,
            low=1e-6,
            high=1e9,
            title="Maximum weight of all RAVE samples",
            aliases=("wf",),
            reads=frozenset({"rave_final"}),
        ),
        "rave_k": option_of(
            SCHEDULE,
            "the k of the schedule",
            100.0,
            low=0,
            high=1e9,
            title="RAVE's k",
            aliases=("equivalence",),
            reads=frozenset({"rave_k"}),
        ),
        "distance": Option(
            "off",
            "whether RAVE samples count less the later the move is played",
            ("off", "on"),
            title="RAVE by distance",
            sets_numbers=True,
            used=is_on,
            needs=NEEDS_RAVE,
        ),
        "ignore": option_of(
            FUEGO,
            "every n-th selection of a search ignores RAVE; 0: none",
            0.0,
            low=0,
            title="Ignore RAVE every nth time",
            reads=frozenset({"ignore"}),
        ),
    },
    chosen=("rave",),
    groups=("rave",),
    example="uct(rave=fuego)",
    # Optimistic first-play urgency, no exploration: hashimoto2012, section 5.4, and cazenave2015.
    defaults=lambda values: {} if values["rave"] == "k" else {"c": 0.0, "fpu": 1.0},
    read_with=lambda option: READ if option == "prior" else frozenset(),  # samples begin with it
    rules=lambda values: {"select": _RULES[values["rave"]]},
    numbers=lambda kind, values: {"by_distance": float(values["distance"] == "on")},
    computed={"by_distance": 0.0},
    fields=(
        Field("rave", "f8", -ROUNDING, 1 + ROUNDING, "mean of samples"),
        Field("samples", "f8", 0.0, 4.0 * MAX_VISITS, "sum"),
    ),
    # rave     mean of the samples of the move into the node, for the player who makes it
    # samples  their number, or their total weight
    columns={
        "rave": Column("mean of its RAVE samples", lambda node: _sampled(node, node.rave)),
        "samples": Column(
            "number, or total weight, of RAVE samples", lambda node: _sampled(node, node.samples)
        ),
    },
    arrays=(Array("rave_marks", _marks, np.int64, reset="search"),),
    hooks={"node_made": clear_rave, "played_out": add_samples},
    records_moves=True,
    reads_counts=True,
    spoils_scores=_spoils_scores,
)
IGNORE = Part(
    "ignore",
    "Lets every n-th selection of a search ignore RAVE.",
    chosen=("rave", "ignore"),
    example="uct(rave=fuego,ignore=3)",
    wraps={"choose": choose, "choose_new": choose_new},
    changes=("ignore",),
)
RAVE_WITH_PRIOR = Part(
    "rave_with_prior",
    "Lets the samples of a move begin with what the game says about it.",
    chosen=("rave", "prior"),
    example="uct(rave=fuego,prior=1)",
    hooks={"expanded": begin_with_priors},
)


def _sampled(node: Any, value: Any) -> float | None:
    return float(value) if node.samples > 0 else None
