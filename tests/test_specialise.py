"""Binding: names, digests, errors. The disk cache has a file of its own."""

import math
import sys
from enum import IntEnum
from importlib import import_module
from inspect import getsource, signature
from pkgutil import iter_modules

import numpy as np
import pytest

from uctlab.kernels import hole, inlined, kernel, llvm, popcount, specialise
from uctlab.kernels.holes import UnfilledHole
from uctlab.kernels.jit import FLAGS, intrinsic_of
from uctlab.kernels.specialise import digest_of

FACTOR: int = hole("test.FACTOR")
TABLE: np.ndarray = hole("test.TABLE", np.array([5, 6, 7]))
LABELS = {"a": 1}


@kernel
def scaled(x):
    return FACTOR * x


scale = hole("test.scale", scaled)


@kernel
def total(x):
    return scale(x) + TABLE[0] + popcount(np.uint64(x))


@kernel
def tripled(x):
    return 3 * x


@kernel
def mixed(x, y):
    return ((x ^ (x >> 3)) * y + (x << 2) - (x & y)) & 0xFFFFFFFF


@kernel
def left_to_llvm():
    pass


mark = hole("test.mark", left_to_llvm)


@kernel
def long_way(x):
    """More than LLVM likes to copy."""
    mark()
    x = mixed(mixed(mixed(mixed(mixed(mixed(x, 2), 3), 5), 7), 11), 13)
    x = mixed(mixed(mixed(mixed(mixed(mixed(x, 17), 19), 23), 29), 31), 37)
    return mixed(mixed(mixed(mixed(mixed(mixed(x, 41), 43), 47), 53), 59), 61)


@kernel
def once(x):
    return long_way(x)


@kernel
def twice(x):
    return long_way(x) + long_way(x + 1)


@kernel
def reads_a_dictionary():
    return LABELS["a"]


@kernel
def calls_itself(x):
    return calls_itself(x)


@kernel
def hypotenuse(x, y):
    return math.sqrt(x * x + y * y)


@pytest.mark.parametrize("interpret", [False, True])
def test_a_constant_reaches_the_kernels_below(interpret):
    assert specialise(total, interpret=interpret, test={"FACTOR": 10})(3) == 30 + 5 + 2
    assert specialise(total, interpret=interpret, test={"FACTOR": 100})(3) == 300 + 5 + 2


def test_only_the_outermost_kernel_becomes_machine_code(monkeypatch, tmp_path):
    monkeypatch.setenv("UCTLAB_CACHE", str(tmp_path))
    outer = specialise(total, test={"FACTOR": 12})
    assert outer(3) == 43
    made = outer.overloads[outer.signatures[0]]
    nested = outer.py_func.__globals__["scale"]
    (inner,) = nested.overloads.values()
    assert made.library._codegen._engine.is_symbol_defined(made.fndesc.llvm_func_name)
    assert not made.library._codegen._engine.is_symbol_defined(inner.fndesc.llvm_func_name)
    assert specialise(scaled, test={"FACTOR": 12})(3) == 36  # the same kernel, called from Python


@pytest.mark.parametrize(
    ("template", "marked", "apart"), [(once, False, 0), (twice, False, 1), (twice, True, 0)]
)
def test_one_caller_takes_a_kernel_in(template, marked, apart, monkeypatch, tmp_path):
    """And all callers do if the kernel says so."""
    monkeypatch.setenv("UCTLAB_CACHE", str(tmp_path))
    outer = specialise(template, test={"mark": inlined} if marked else {})
    assert outer(5) == specialise(template, interpret=True, test={})(5)
    (made,) = outer.overloads.values()
    functions = made.library._final_module.functions
    defined = [function.name for function in functions if not function.is_declaration]
    assert sum("way" in name for name in defined) == apart


@pytest.mark.parametrize("interpret", [False, True])
def test_a_kernel_can_be_bound_plain_or_specialised(interpret):
    assert specialise(total, interpret=interpret, test={"scale": tripled})(4) == 12 + 5 + 1
    bound = specialise(scaled, interpret=interpret, test={"FACTOR": 7})
    assert specialise(total, interpret=interpret, test={"scale": bound})(4) == 28 + 5 + 1


def test_equal_bindings_are_one_kernel_and_others_are_not():
    assert specialise(total, test={"FACTOR": 10}) is specialise(total, test={"FACTOR": 10})
    digests = {
        digest_of(specialise(total, test={"FACTOR": 10})),
        digest_of(specialise(total, test={"FACTOR": 11})),
        digest_of(specialise(total, test={"FACTOR": 10.0})),
        digest_of(specialise(total, test={"scale": tripled})),
        digest_of(specialise(total, test={"FACTOR": 10, "TABLE": np.array([5, 6, 8])})),
        digest_of(specialise(total, test={"FACTOR": 10, "TABLE": np.array([5, 6, 7], np.int8)})),
    }
    assert len(digests) == 6


class Owner:
    FACTOR = 4
    TABLE = np.array([1])
    tripled = scaled = None  # names that are no holes are nobody's business


def test_an_owner_is_anything_with_attributes():
    assert specialise(total, interpret=True, test=Owner)(3) == 12 + 1 + 2
    assert specialise(tripled, interpret=True, test=Owner)(3) == 9


def test_a_hole_that_is_not_filled():
    """Called as it stands, a kernel sees the defaults, and is told where there is none."""
    assert hole("test.scale", tripled)(4) == 12
    with pytest.raises(UnfilledHole, match=r"hole\('test.FACTOR'\) is not filled"):
        FACTOR(1)
    assert bool(hole("test.ON", True)) and not hole("test.ON", False)
    with pytest.raises(ValueError, match="named after its owner"):
        hole("FACTOR")


def test_modules_of_functions_work():
    assert specialise(hypotenuse)(3.0, 4.0) == 5.0


def variants():
    """Pairs of kernels that differ in one thing that machine code depends on."""
    sources = {
        "literal": ("def f(x): return x + 1", "def f(x): return x + 2"),
        "operator": ("def f(x): return x + 1", "def f(x): return x - 1"),
        "name": ("def f(x): return x + A", "def f(x): return x + B"),
        "default": ("def f(x, y=1): return x + y", "def f(x, y=2): return x + y"),
    }
    for what, pair in sources.items():
        made = []
        for source in pair:
            scope = {"A": 1, "B": 1, "__name__": __name__}
            exec(source, scope)
            made.append(kernel(scope["f"]))
        yield what, made


@pytest.mark.parametrize(("what", "pair"), list(variants()))
def test_the_digest_sees_every_edit(what, pair):
    first, second = (digest_of(specialise(template, interpret=True)) for template in pair)
    assert first != second, what


class Step(IntEnum):
    ONE = 1


class OtherStep(IntEnum):
    ONE = 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((np.arange(5000), 1), (np.append(np.arange(4999), 7), 1)),
        (Step, OtherStep),
        (1, 1.0),
        (np.int8(1), np.int16(1)),
        ("a", "b"),
    ],
)
def test_the_digest_sees_every_value(first, second):
    OtherStep.__qualname__ = Step.__qualname__
    digests = {
        digest_of(specialise(scaled, interpret=True, test={"FACTOR": value}))
        for value in (first, second)
    }
    assert len(digests) == 2


def test_the_digest_sees_the_flags_and_the_module(monkeypatch):
    before = digest_of(specialise(tripled, interpret=True))
    monkeypatch.setitem(FLAGS, "nogil", False)
    assert digest_of(specialise(tripled, interpret=True)) != before
    monkeypatch.undo()
    monkeypatch.setattr(tripled, "__module__", "elsewhere")
    assert digest_of(specialise(tripled, interpret=True)) != before


@pytest.mark.parametrize("edited", ["uctlab.kernels.bits", "uctlab.kernels.llvm.bits"])
def test_the_digest_sees_the_sources_of_an_intrinsic_and_its_twin(edited, monkeypatch):
    before = digest_of(specialise(total, interpret=True, test={"FACTOR": 1}))
    module = sys.modules["uctlab.kernels.specialise"]  # the package has a function of this name
    known = module._source_digest
    monkeypatch.setattr(
        module, "_source_digest", lambda name: "edited" if name == edited else known(name)
    )
    assert digest_of(specialise(total, interpret=True, test={"FACTOR": 1})) != before


INTRINSICS = [one.name for one in iter_modules(llvm.__path__)]


@pytest.mark.parametrize("name", INTRINSICS)
def test_every_intrinsic_has_a_twin(name):
    """With the same arguments; and its file imports no other of ours, which no digest would see."""
    here = import_module(f"uctlab.kernels.llvm.{name}")
    twins = import_module(f"uctlab.kernels.{name}")
    primitives = {
        key: value for key, value in vars(twins).items() if hasattr(value, "__intrinsic__")
    }
    assert primitives.keys() == {
        key for key, value in vars(here).items() if type(value).__name__ == "_Intrinsic"
    }
    for twin in primitives.values():
        arguments = signature(twin).parameters
        assert ["typing_context", *arguments] == [*signature(intrinsic_of(twin)._defn).parameters]
    ours = {line.split()[1] for line in getsource(here).splitlines() if "uctlab" in line}
    assert ours <= {twins.__name__}


def plain_helper(x):
    return x


@kernel
def calls_a_plain_function(x):
    return plain_helper(x)


def make_closure(n):
    @kernel
    def adds(x):
        return x + n

    return adds


@pytest.mark.parametrize(
    ("template", "says"),
    [
        (
            scaled,
            r"kernel scaled \(test_specialise.py, line \d+\) reads hole\('test.FACTOR'\), which no "
            "owner fills",
        ),
        (reads_a_dictionary, "reads the global LABELS, a dict; accepted are"),
        (calls_itself, "calls itself"),
        (calls_a_plain_function, "reads the global plain_helper, a function; accepted are"),
        (make_closure(3), "must be a module-level function"),
    ],
)
def test_mistakes_are_named(template, says):
    with pytest.raises((TypeError, ValueError), match=says):
        specialise(template)
