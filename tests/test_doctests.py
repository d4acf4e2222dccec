"""The examples in the docstrings of everything public, run as a user would type them."""

import doctest

import pytest

import uctlab


def examples():
    """(name, doctest) for every docstring with an example behind a public name."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {}
    for name in uctlab.__all__:
        thing = getattr(uctlab, name)
        if getattr(thing, "__module__", "").startswith("uctlab"):
            for test in finder.find(thing, name, module=False, globs={"uctlab": uctlab}):
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
