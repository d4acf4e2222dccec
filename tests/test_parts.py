"""Parts of a search go with each other: see part_pairs.py, whose command compiles all pairs."""

import gc

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
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.parts import shared_sketches
from uctlab.parts.listing import PARTS

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
    assert set().union(*map(parts_of, COMPILED)) >= chosen


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
