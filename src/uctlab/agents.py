"""Agents: "auct(k=3, expand=10)" -> rules and numbers, bound to a search.

An agent is the same for every game. `AGENTS` describes all of them, for the parser, for the errors
and for `uctlab agents`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

from uctlab.errors import UsageError
from uctlab.files import load_module
from uctlab.rules.backup import accelerated, discounted, mean, squares
from uctlab.rules.params import Params
from uctlab.rules.select import even, fuego, rave_k, tuned, ucb1

FINALS = {
    "visits": "the most visited move",
    "value": "the move with the highest value",
    "discounted": "the move with the most discounted visits",
    "both": "the most visited move if its value is the highest too; else the search goes on for up "
    "to as many playouts again, then visits decide",
}


@dataclass(frozen=True)
class Agent:
    """Which rules a search uses, and their numbers. Make one with `make_agent`."""

    name: str
    """As it was written, in one spelling of numbers and spaces."""
    params: Params
    select: Any = ucb1
    """Selection rule: a module, or anything with common, score and untried_score."""
    backup: Any = mean
    """Backup operator: FIELDS, clear, backup, value, inverse_tries, total_tries; for threads also
    shared_backup."""
    final: str = "visits"
    playout: str = "uniform"
    rave: bool = False
    depth_first: str = ""
    """Empty for a search from the root; else which rivals are compared: second or all."""
    threads: int = 1
    """That grow one tree."""
    sharing: str = "lockfree"
    """How they share it: see mcts/parallel_loop.py."""
    root: int = 1
    """Trees, a thread each, whose moves at the root are added up in the end."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Option:
    """One parameter of an agent."""

    default: Any
    about: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class Kind:
    """A family of agents."""

    about: str
    equation: str
    options: dict[str, Option] = field(default_factory=dict)
    select: ModuleType = ucb1
    backup: ModuleType = mean
    fixed: dict[str, float] = field(default_factory=dict)
    """Parameters that make the kind what it is."""
    idea: str = ""
    """What it does, for somebody who has not read the paper."""


_C = Option(1.0, "weight of exploration", low=0, high=1e6)
_FPU = Option(math.inf, "first-play urgency, the value of an unvisited move; inf: try all first")
_EXPAND = Option(1.0, "playouts that a node has had when it is expanded", low=1)
_COMMON = {
    "playout": Option("uniform", "playout policy, of those that the game has", ("",)),
    "select": Option("", "a selection rule of your own: the path of a .py file", ("",)),
    "backup": Option("", "a backup operator of your own: the path of a .py file", ("",)),
    "a": Option(0.0, "a number for rules of your own"),
    "b": Option(0.0, "another"),
}
_RAVE = {
    "rave": Option(
        "off",
        "RAVE: none, Fuego's weights (then c=0 and fpu=1 by default), or the k schedule",
        ("off", "fuego", "k"),
    ),
    "wi": Option(1.0, "rave=fuego: weight of a first sample", low=1e-6, high=1e9),
    "wf": Option(5000.0, "rave=fuego: most weight of all samples", low=1e-6, high=1e9),
    "equivalence": Option(100.0, "rave=k: k of the schedule", low=0, high=1e9),
    "distance": Option("off", "RAVE samples count less the later they come", ("off", "on")),
    "ignore": Option(0.0, "rave=fuego: every so many-th selection at a node ignores RAVE", low=0),
    "prior": Option(
        0.0,
        "weight of the game's own knowledge of a new move, in playouts (then fpu=1 by default); 0: "
        "none",
        low=0,
        high=1e6,
    ),
}
MOST_THREADS = 256
_PARALLEL = {
    "threads": Option(1.0, "threads that grow one tree", low=1, high=MOST_THREADS),
    "sharing": Option(
        "lockfree",
        "how threads share the tree. lockfree: nodes are protected one by one, playouts under way "
        "count as lost; locked: one mutex around all but playouts, as in MoGo",
        ("lockfree", "locked"),
    ),
    "root": Option(
        1.0, "trees, a thread each, whose moves are added up in the end", low=1, high=MOST_THREADS
    ),
}
FUEGO_C = 0.7  # Fuego's factor of exploration without RAVE
_FUEGO: dict[str, Any] = {
    "rave": "fuego",
    "distance": "on",
    "ignore": 20.0,
    "prior": 13.0,
    "playout": "heavy",
    "expand": 3.0,
    "fpu": 1.0,
}
_PRESET = {
    "preset": Option(
        "none",
        "fuego: all that makes the agent fuego, where not given otherwise",
        ("none", "fuego"),
    )
}
_DECAY = {
    "k": Option(None, "decay lambda = 1 - 0.1**k; inf for none", low=0),
    "lam": Option(None, "decay lambda itself, instead of k", low=0, high=1),
}


def _final(default: str, *names: str) -> dict[str, Option]:
    return {"final": Option(default, "; ".join(f"{n}: {FINALS[n]}" for n in names), names)}


def _with_defaults(options: dict[str, Option], **defaults: Any) -> dict[str, Option]:
    return {
        name: replace(option, default=defaults.get(name, option.default))
        for name, option in options.items()
    }


_TREE = {"c": _C, "expand": _EXPAND, "fpu": _FPU}
_PLAIN_FINAL = _final("visits", "visits", "value", "both")
_TUNED_EQUATION = (
    "r + p sqrt(ln s / n min(1/4, V)), V = mean(x^2) - r^2 + sqrt(2 ln s / n); gelly2006"
)
_TUNED = {
    "p": Option(1.0, "factor of exploration", low=0),
    "fpu": _FPU,
    "expand": _EXPAND,
    **_PLAIN_FINAL,
    **{name: option for name, option in _COMMON.items() if name != "backup"},
    **_PARALLEL,
}
AGENTS = {
    "uct": Kind(
        "plain UCT",
        "r + c sqrt(ln s / n); hashimoto2012 eq. 1",
        {**_TREE, **_PLAIN_FINAL, **_RAVE, **_PRESET, **_COMMON, **_PARALLEL},
        idea="Follows the moves that did well so far and now and then tries the others, so that "
        "its tree grows where it matters.",
    ),
    "tuned": Kind(
        "UCT with UCB1-Tuned",
        _TUNED_EQUATION,
        _TUNED,
        tuned,
        squares,
        idea="UCT that tries other moves less often where the results hardly differ.",
    ),
    "duct": Kind(
        "Discounted UCT",
        "rD + c sqrt(ln sD / nD); hashimoto2012 eq. 2-4",
        {
            **_DECAY,
            **_TREE,
            **_final("discounted", "discounted", "visits", "value", "both"),
            **_RAVE,
            **_PRESET,
            **_COMMON,
            **_PARALLEL,
        },
        backup=discounted,
        idea="UCT that forgets: older playouts count less and less.",
    ),
    "auct": Kind(
        "Accelerated UCT",
        "rA + c sqrt(ln s / n), rA by velocities; hashimoto2012 eq. 5-7",
        {**_DECAY, **_TREE, **_PLAIN_FINAL, **_RAVE, **_PRESET, **_COMMON, **_PARALLEL},
        backup=accelerated,
        idea="UCT that takes a move for as good as the answers that are tried lately, so that it "
        "turns away sooner from a move that has been refuted.",
    ),
    "dfuct": Kind(
        "depth-first UCT",
        "UCT that does not go back to the root after each playout; yoshimoto2007",
        {
            "c": _C,
            "expand": _EXPAND,
            "rivals": Option(
                "second", "moves compared with the chosen one on the way", ("second", "all")
            ),
            **_PLAIN_FINAL,
            **_COMMON,
        },
        idea="UCT that stays deep in the tree until another move there looks better, which saves "
        "the way down from the root.",
    ),
    "mc": Kind(
        "flat Monte Carlo",
        "playouts spread evenly over the moves; browne2013",
        {**_final("value", "value", "visits"), **_COMMON},
        even,
        fixed={"expand": math.inf},
        idea="Tries all moves equally often by random games and builds no tree.",
    ),
    "ucb": Kind(
        "flat UCB1",
        "UCB1 at the root alone; browne2013",
        {"c": _C, "fpu": _FPU, **_PLAIN_FINAL, **_COMMON},
        fixed={"expand": math.inf},
        idea="Tries good moves more often by random games, but looks no move further.",
    ),
    "fuego": Kind(
        "UCT for Go as in Fuego 1.1: RAVE, priors, heavy playouts",
        "(n r + W rave + P prior) / (n + W + P); hashimoto2012 eq. 8",
        _with_defaults({**_TREE, **_PLAIN_FINAL, **_RAVE, **_COMMON, **_PARALLEL}, c=0.0, **_FUEGO),
        idea="Knows Go: its random games save and capture stones, and a move is also judged by "
        "the games in which it came later.",
    ),
    "mogo": Kind(
        "UCT for Go as in MoGo of 2006: UCB1-Tuned, first-play urgency, uniform playouts",
        _TUNED_EQUATION,
        _with_defaults(_TUNED, fpu=1.0),
        tuned,
        squares,
        idea="UCB1-Tuned that goes on with a good move before it has tried every other one.",
    ),
}
_RAVE_RULES = {"fuego": fuego, "k": rave_k}


def make_agent(text: str) -> Agent:
    """Read an agent such as uct, uct(c=0.7) or auct(k=3,expand=10,rave=fuego)."""
    kind_name, given = _parse(text)
    kind = AGENTS[kind_name]
    defaults = {name: option.default for name, option in kind.options.items()}
    if given.get("preset") == "fuego":
        defaults |= _FUEGO
    values = defaults | given
    if values.get("prior"):  # moves are tried in the order of their priors
        values = defaults | {"fpu": 1.0} | given
    if values.get("rave") == "fuego":  # hope instead of exploration: hashimoto2012, section 5.4
        values = defaults | {"c": 0.0, "fpu": 1.0} | given
    elif kind_name == "fuego" or given.get("preset") == "fuego":
        values = {**values, "c": given.get("c", FUEGO_C)}
    select, backup = kind.select, kind.backup
    named = {name: values[name] for name in Params._fields if values.get(name) is not None}
    numbers: dict[str, float] = named | kind.fixed
    if kind_name in ("auct", "duct"):
        numbers |= _decay(kind_name, values["k"], values["lam"])
    rave = values.get("rave", "off")
    if rave != "off":
        select = _RAVE_RULES[rave]
        numbers["by_distance"] = float(values["distance"] == "on")
    if values.get("prior"):
        if rave == "k":
            raise UsageError(f"{kind_name}: prior= goes with rave=fuego or rave=off, not rave=k")
        select = fuego
    if values["select"]:
        select = load_module(values["select"], ("common", "score", "untried_score"))
    if values.get("backup"):
        parts = ("FIELDS", "clear", "backup", "value", "inverse_tries", "total_tries")
        backup = load_module(values["backup"], parts)
    return Agent(
        name=_written(kind_name, given),
        params=Params(**numbers),
        select=select,
        backup=backup,
        final=values["final"],
        playout=values["playout"],
        rave=rave != "off",
        depth_first=values.get("rivals", "") if kind_name == "dfuct" else "",
        **_threads(kind_name, values),
    )


def with_threads(text: str, threads: int | None) -> str:
    """The agent of that name with so many threads; as it is where none are asked for."""
    if threads is None:
        return text
    name, given = _parse(text)
    if "threads" in given:
        raise UsageError(f"{text} has its threads; leave out --threads")
    return make_agent(_written(name, given | {"threads": threads})).name


def _threads(kind: str, values: dict[str, Any]) -> dict[str, Any]:
    if "threads" not in values:
        return {}
    for name in ("threads", "root"):
        if values[name] != int(values[name]):
            raise UsageError(f"{kind}: {name} must be a whole number, not {values[name]:g}")
    if values["threads"] > 1 and values["root"] > 1:
        raise UsageError(
            f"{kind}: threads= (one tree) and root= (a tree for each thread) exclude each other"
        )
    return {
        "threads": int(values["threads"]),
        "sharing": values["sharing"],
        "root": int(values["root"]),
    }


def _decay(kind: str, k: float | None, lam: float | None) -> dict[str, float]:
    """lambda, and 1 - lambda without the loss of a subtraction."""
    if (k is None) == (lam is None):
        raise UsageError(f"{kind} needs one of k= and lam=, as in {kind}(k=3) or {kind}(lam=0.999)")
    forget = 0.1**k if k is not None else 1.0 - (lam or 0.0)
    if not 0 <= forget < 1:
        raise UsageError(f"{kind}: the decay lambda must be more than 0 and at most 1")
    return {
        "lam": 1.0 - forget,
        "forget": forget,
        "log_lam": math.log1p(-forget),
        "growth": 1.0 / (1.0 - forget),
        "horizon": 1.0 / forget if forget > 0 else math.inf,
    }


def _parse(text: str) -> tuple[str, dict[str, Any]]:
    """Name and given arguments, checked against the description."""
    match = re.fullmatch(r"\s*([\w]+)\s*(?:\((.*)\))?\s*", text)
    if match is None:
        raise UsageError(f"'{text}' is not an agent; write one as uct or uct(c=0.7,expand=10)")
    name, inside = match.group(1), match.group(2) or ""
    if name not in AGENTS:
        raise UsageError(f"unknown agent '{name}'; known: {', '.join(AGENTS)}")
    options = AGENTS[name].options
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in inside.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if key in _PARALLEL and key not in options:
            able = ", ".join(kind for kind, facts in AGENTS.items() if key in facts.options)
            raise UsageError(f"{name} searches with one thread; {key}= goes with {able}")
        if not equals or key not in options:
            accepted = ", ".join(f"{option}=" for option in options)
            raise UsageError(f"{name}: unknown parameter '{part}'; accepted: {accepted}")
        if key in given:
            raise UsageError(f"{name}: {key} is given twice")
        given[key] = _convert(name, key, value, options[key])
    return name, given


def _convert(agent: str, key: str, value: str, option: Option) -> Any:
    if option.choices:
        if option.choices != ("",) and value not in option.choices:
            accepted = ", ".join(option.choices)
            raise UsageError(f"{agent}: {key}={value} is not accepted; accepted: {accepted}")
        return value
    try:
        number = float(value)
    except ValueError:
        raise UsageError(f"{agent}: {key} must be a number, not '{value}'") from None
    if not option.low <= number <= option.high:  # also false for nan
        limits = [f"at least {option.low:g}"] if option.low > -math.inf else []
        limits += [f"at most {option.high:g}"] if option.high < math.inf else []
        limits = limits or ["a number"]
        raise UsageError(
            f"{agent}: {key}={value} is not accepted; it must be {' and '.join(limits)}"
        )
    return number


def value_text(value: Any) -> str:
    """A parameter as one writes it, with all its digits."""
    if not isinstance(value, float):
        return str(value)
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _written(name: str, given: dict[str, Any]) -> str:
    if not given:
        return name
    parts = (f"{key}={value_text(value)}" for key, value in given.items())
    return f"{name}({','.join(parts)})"


def with_rules(agent: Agent, *, select: Any = None, backup: Any = None) -> Agent:
    """The same agent with rules of your own, given as Python objects."""
    return replace(
        agent, select=select or agent.select, backup=backup or agent.backup, name=f"{agent.name}*"
    )
