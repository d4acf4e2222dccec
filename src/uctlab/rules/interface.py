"""What a selection rule, a backup operator, a prior and a playout policy must and may define.

This is the contract between the search loops and the rules, in one place. A rule is a module, or
any object with these names as attributes; its kernels are functions marked with @kernel. What it
does not define itself it reads through holes, as in `value: Any = hole("backup.value")`; every
search fills the holes listed under `reads`. `uctlab agents --rules` prints all of this.

Whose view: the statistics of a node belong to the player who moved into it, and `reward` is that
player's result of a playout, from 0 to 1.
"""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass
from typing import Any

from uctlab.errors import UsageError
from uctlab.kernels.holes import Hole
from uctlab.kernels.jit import is_kernel

READS = {"agent.NAME": "  whether the search has the part of that name, such as PRIOR"}
"""What is said of a hole that a rule may read."""
INDENT = " " * 8


@dataclass(frozen=True)
class Item:
    """One name that a rule defines."""

    name: str
    arguments: tuple[str, ...] | None
    """Names of a kernel's arguments; None for a constant."""
    about: str
    required: bool = True

    def __str__(self) -> str:
        return self.name if self.arguments is None else f"{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Interface:
    """All names that one kind of rule defines, and the holes that its kernels may read."""

    kind: str
    owner: str
    """Whose holes the rule fills: "select" fills hole("select.score")."""
    items: tuple[Item, ...]
    reads: tuple[str, ...] = ()

    def check(self, rule: Any, called: str) -> None:
        """Raise a UsageError that says what the rule lacks, in the words of this file."""
        missing = [item for item in self.items if item.required and not _brings(rule, item)]
        if missing:
            raise UsageError(
                f"{called} is not a {self.kind}: it does not define {'; '.join(map(str, missing))}"
            )
        for item in self.items:
            if item.arguments is None or not _brings(rule, item):
                continue
            kernel = getattr(rule, item.name)
            if not is_kernel(kernel):
                raise UsageError(f"{called}: {item} of a {self.kind} must be marked with @kernel")
            given = tuple(inspect.signature(getattr(kernel, "py_func", kernel)).parameters)
            if len(given) != len(item.arguments):
                raise UsageError(
                    f"{called}: {item.name} of a {self.kind} takes "
                    f"({', '.join(item.arguments)}), not ({', '.join(given)})"
                )

    def __str__(self) -> str:
        """As `uctlab agents --rules` prints it."""
        lines = [f'A {self.kind} defines (it fills hole("{self.owner}.NAME"))']
        for item in self.items:
            lines.append(f"    {item}{'' if item.required else '  (optional)'}")
            lines += textwrap.wrap(item.about, 88, initial_indent=INDENT, subsequent_indent=INDENT)
        if self.reads:
            lines.append("and may read")
            lines += [f'    hole("{path}"){READS.get(path, "")}' for path in self.reads]
        return "\n".join(lines)


def _brings(rule: Any, item: Item) -> bool:
    """Whether the rule defines the name itself, rather than reading it through a hole."""
    return hasattr(rule, item.name) and not isinstance(getattr(rule, item.name), Hole)


SELECTION_RULE = Interface(
    "selection rule",
    "select",
    (
        Item(
            "node_terms",
            ("nodes", "parent", "params"),
            "what the scores of all moves of a node have in common, computed once per selection; a "
            "number or a tuple. With 0.0 for it, or for a tuple's first item, `score` must leave "
            "exploration out: the lab splits scores that way. On a GPU it is also called before "
            "the node's first visit",
        ),
        Item(
            "score",
            ("nodes", "child", "parent", "terms", "params"),
            "how attractive a visited move is; the highest score is selected. `terms` is what "
            "node_terms returned. It depends on the fields of nodes and not on their numbers: "
            "threads and the lab score copies of them",
        ),
        Item(
            "untried_score",
            ("nodes", "child", "terms", "params"),
            "the same for a move without visits, for example first-play urgency. Not called while "
            "fpu is infinite, since every move is then tried once before the rule applies",
        ),
        Item(
            "PROBABILITIES",
            None,
            "true if nodes are to have a field `probability`: what the game's priors give to the "
            "move, the same for all moves of a game without priors",
            required=False,
        ),
    ),
    reads=(
        "backup.value",
        "backup.inverse_visits",
        "backup.parent_visits",
        "agent.NAME",
        "device.ON_GPU",
    ),
)

_BACKUP = ("nodes", "path", "depth", "reward", "params")
BACKUP_OPERATOR = Interface(
    "backup operator",
    "backup",
    (
        Item(
            "FIELDS",
            None,
            "a list of (name, type), or of Field: the fields of a node besides visits, first, "
            "count and move; one named guess gets the game's evaluation of the node at its first "
            "visit, for the player who moved into it",
        ),
        Item("clear", ("nodes", "node"), "initialises these fields of a new node"),
        Item(
            "backup",
            _BACKUP,
            "adds a playout to path[0] ... path[depth] and counts a visit to each of these nodes. "
            "`reward` belongs to path[depth]; one level higher it is 1 - reward. Of threads that "
            "share a tree one at a time runs it, or all at once if it follows the protocol in "
            "rules/shared.py",
        ),
        Item("value", ("nodes", "node"), "mean result, for the player who moved into the node"),
        Item(
            "inverse_visits",
            ("nodes", "child", "parent"),
            "1 / visits of a move, as selection rules count them",
        ),
        Item(
            "parent_visits",
            ("nodes", "parent", "params"),
            "visits of the node that the moves start from, as selection rules count them",
        ),
        Item(
            "inverse_root_visits",
            ("nodes", "child", "parent"),
            "the square root of inverse_visits, if a GPU can compute it faster",
            required=False,
        ),
        Item(
            "backup_by_table",
            ("nodes", "path", "depth", "reward", "known", "params"),
            "backup for one thread on a CPU, with a table to keep numbers in that depend on visits "
            "alone: known[visits] is 0 until something is stored there",
            required=False,
        ),
        Item(
            "TERMS_BY_VISITS",
            None,
            "true if parent_visits depends on the node's visits alone; UCB1 then keeps what it "
            "makes of them in a table",
            required=False,
        ),
        Item(
            "settled_by_sketch",
            ("root",),
            "with it, and with UCB1 on a CPU, moves are compared by float32 sketches first: value "
            "and `root`, 1 / sqrt(counted). A promise that only a visit to a move changes either; "
            "true if moves with equal sketches, this root in both, have equal scores",
            required=False,
        ),
        Item(
            "counted",
            ("nodes", "node"),
            "for sketches: visits of a move as selection rules count them, in its parent's unit",
            required=False,
        ),
        Item(
            "UNITS",
            None,
            "for sketches: true if nodes have units, which unit_of returns; when one becomes 1, "
            "the sketches of all moves of that node are drawn again",
            required=False,
        ),
        Item("unit_of", ("nodes", "parent"), "for sketches: a node's unit", required=False),
        Item(
            "SUMS",
            None,
            "for threads: the names of all FIELDS, if each is a float64 and a sum over the "
            "playouts through its node, which follows the protocol for threads; every "
            "thread then counts in copies of nodes with many visits",
            required=False,
        ),
        Item(
            "WEIGHT",
            None,
            "what reports call a move's field `weight`, which is measured in its parent's `unit`",
            required=False,
        ),
    ),
    reads=("device.ON_GPU", "threads.LOCKED"),
)

PRIOR = Interface(
    "prior",
    "game",
    (
        Item(
            "priors",
            ("s", "moves", "count", "worth", "weights"),
            "how good each of the first `count` moves looks before any playout: worth[move] from "
            "0 to 1,000,000, and as how many playouts that counts: weights[move], a whole number, "
            "0 if nothing is known. Both arrays have room for every move code and may be used as "
            "scratch. The kernel may write the scratch fields of `s` and no others",
        ),
    ),
)

PLAYOUT_POLICY = Interface(
    "playout policy",
    "game",
    (
        Item(
            "playout",
            ("s", "rng", "out", "trace"),
            "plays `s` to its end and returns (result for the first player, moves made). `out` is "
            "scratch for legal moves; trace gets the moves where hole('playout.TRACE') is true, "
            "or ~move for a move that nothing is to be learnt from",
        ),
    ),
    reads=("game.moves", "game.play", "game.result", "playout.TRACE", "device.ON_GPU"),
)

INTERFACES = (SELECTION_RULE, BACKUP_OPERATOR, PRIOR, PLAYOUT_POLICY)
