"""The examples in the docstrings of everything public, run as a user would type them."""

import doctest
import inspect

import numpy as np
import pytest

import uctlab

WITHOUT = {"Report", "UsageError"}
"""Public names whose use an example would not show better than a sentence."""


def examples():
    """(name, doctest) for every docstring with an example behind a public name."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {}
    for name in uctlab.__all__:
        thing = getattr(uctlab, name)
        if getattr(thing, "__module__", "").startswith("uctlab"):
            for test in finder.find(thing, name, module=False, globs={"uctlab": uctlab, "np": np}):
                if test.examples:
                    found[test.name] = test
    return found


EXAMPLES = examples()


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    told = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(EXAMPLES[name], out=told.append)
    assert runner.failures == 0, "".join(told)


def test_everything_public_has_an_example():
    assert {name.partition(".")[0] for name in EXAMPLES} == {*uctlab.__all__} - WITHOUT


def test_public_functions_say_what_they_take_and_return():
    for name in uctlab.__all__:
        thing = getattr(uctlab, name)
        if inspect.isfunction(thing) and not hasattr(thing, "__kernel__"):
            taken = "Args:" in thing.__doc__ and "Returns:" in thing.__doc__
            assert taken or len(inspect.signature(thing).parameters) == 1, name
