"""Parts of a search go with each other: see part_pairs.py, whose command compiles all pairs."""

import gc
import inspect
from dataclasses import replace

import pytest

from tests.part_pairs import (
    EXAMPLES,
    NO_OPTION,
    PAIRS,
    SPEED,
    check_pair,
    check_refusal,
    compiled_otherwise,
    parts_of,
    sample,
)
from uctlab.agents import AGENTS, make_agent
from uctlab.agents.kinds import OPTIONS
from uctlab.errors import UsageError
from uctlab.parts import prior, shared_sketches
from uctlab.parts.hooks import HOOKS, SCORES, STEPS
from uctlab.parts.listing import PARTS
from uctlab.parts.part import Array, Option

COMPILED = [*sample(seed=3), "auct(k=2)", "uct(threads=2)", "uct(length_cost=0.01,prior=1)"]
"""Agents that have each part among them; the tree of the last one was another where priors stayed
float32 in plain Python."""


@pytest.fixture(autouse=True)
def small_boards_have_shared_sketches(monkeypatch):
    monkeypatch.setattr(shared_sketches, "MANY_IN_THREADS", 16)


@pytest.fixture(autouse=True)
def no_searchers_are_left():
    """They are cycles of some megabytes, and conftest.py lets the collector run seldom."""
    yield
    gc.collect(1)


def test_every_part_has_an_example():
    chosen = {part.name for part in PARTS} - NO_OPTION
    assert set(EXAMPLES) == chosen - SPEED
    for name, agent in EXAMPLES.items():
        assert name in parts_of(agent)
    on_gpu_alone = {part.name for part in PARTS if part.devices == ("gpu",)}
    assert set().union(*map(parts_of, COMPILED)) >= chosen - on_gpu_alone


def wrong_declarations(parts):
    """What is wrong with the names that parts give, in words; a wrong name would do nothing."""
    known = {part.name for part in parts}
    options = {name for part in parts for name in part.options} | OPTIONS.keys()
    groups = {group for kind in AGENTS.values() for group in kind.groups}
    kernels = {"hooks": HOOKS, "steps": STEPS, "wraps": STEPS | SCORES}
    names = {
        "excludes": known | options,
        "idles": options,
        "serves": known,
        "needs": known,
        "groups": groups,
        "devices": {"cpu", "threads", "gpu"},
    }
    arrays = {}
    for part in parts:
        for field, allowed in kernels.items():
            for name, one in getattr(part, field).items():
                wanted = [word.strip() for word in allowed.get(name, "").split(",")]
                if name not in allowed:
                    yield f"{part.name}: {field} has no {name}"
                elif len(inspect.signature(one).parameters) != len(wanted):
                    yield f"{part.name}: {name} takes ({allowed[name]})"
        for field, allowed in names.items():
            for name in set(getattr(part, field)) - allowed:
                yield f"{part.name}: {field} has no {name}"
        chosen = part.chosen if isinstance(part.chosen, tuple) else ()
        if isinstance(part.chosen, str) or set(chosen) - options:
            yield f"{part.name}: chosen is a tuple of options"
        if part.options and part.chosen is None and part.brought is None:
            yield f"{part.name}: it has options, and chosen is missing"
        for name, option in part.options.items():
            if isinstance(option.default, int) and not isinstance(option.default, bool):
                yield f"{part.name}: the default of {name} is a float, as in {option.default}.0"
        for array in part.arrays:
            same = arrays.setdefault(array.name, array)
            if (same.type, same.per_node) != (array.type, array.per_node):
                yield f"{part.name}: another part has an array {array.name}"


def test_parts_give_names_that_are_there():
    assert list(wrong_declarations(PARTS)) == []


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"hooks": {"expandd": prior.give}}, "hooks has no expandd"),
        ({"hooks": {"updated": prior.give}}, "updated takes (tree, work, depth, length, outcome"),
        ({"wraps": {"scores": prior.give}}, "wraps has no scores"),
        ({"excludes": {"rav": "why"}}, "excludes has no rav"),
        ({"groups": ("playout",)}, "groups has no playout"),
        ({"chosen": "prior"}, "chosen is a tuple of options"),
        ({"chosen": ("prio",)}, "chosen is a tuple of options"),
        ({"chosen": None}, "it has options, and chosen is missing"),
        ({"options": {"prior": Option(0, "about")}}, "the default of prior is a float, as in 0.0"),
        ({"arrays": (Array("rave_marks", None, "f4"),)}, "another part has an array rave_marks"),
    ],
)
def test_a_wrong_declaration_is_found(fields, says):
    wrong = replace(prior.PART, name="wrong", **fields)
    assert any(f"wrong: {says}" in fault for fault in wrong_declarations([*PARTS, wrong]))


def test_most_pairs_are_accepted():
    accepted = 0
    for agent in PAIRS:
        try:
            make_agent(agent)
            accepted += 1
        except UsageError:
            pass
    assert accepted > 350
    assert len(PAIRS) - accepted > 80


@pytest.mark.parametrize("agent", PAIRS)
def test_a_pair(agent):
    try:
        check_pair(agent, PAIRS[agent])
    except UsageError as refusal:
        check_refusal(refusal, PAIRS[agent])


@pytest.mark.parametrize("agent", COMPILED)
def test_compiled_is_interpreted(agent):
    assert not compiled_otherwise(agent)
