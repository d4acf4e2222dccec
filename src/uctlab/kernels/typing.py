# mypy: disallow-untyped-calls=False
"""Finds the types of calls: those that Numba finds again and again are remembered.

For `a + b` of two int64 it tries dozens of signatures, which took a quarter of the time of type
inference.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core.imputils import lower_builtin
from numba.core.typing.context import Context
from numba.core.typing.templates import signature
from numba.cpython.builtins import do_minmax

_contexts: dict[int, KernelTyping] = {}
EXTREMES: dict[Any, str] = {max: "uctlab.max", min: "uctlab.min"}
"""For numbers these functions are lowered in place, under these names; Numba would compile a helper
for each combination of types, with all its passes."""


class KernelTyping(Context):
    """Numba's typing context with a memory; all else it shares with the one it stands for."""

    def __init__(self, original: Context) -> None:
        self.__dict__ = original.__dict__
        self._found: dict[Any, tuple[Any, Any]]
        """Signatures, and what makes code of such a call, by function and types."""
        if "_found" not in self.__dict__:
            self._found = {}

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        if isinstance(function, types.Dispatcher):  # which may have to be compiled first
            return super().resolve_function_type(function, tuple(map(_without_value, args)), kws)
        if kws:
            return super().resolve_function_type(function, args, kws)
        args = tuple(args)
        extreme = EXTREMES.get(getattr(function, "typing_key", None))
        if extreme and len(args) > 1 and all(isinstance(kind, _NUMBERS) for kind in args):
            kinds = tuple(map(_without_value, args))
            function._impl_keys[kinds] = extreme
            return signature(self.unify_types(*kinds), *kinds)
        key = function, args
        if key in self._found:
            found, built_by = self._found[key]
            if built_by is not None:  # numba-cuda may have put its own there since
                function._impl_keys[found.args] = built_by
            return found
        found = super().resolve_function_type(function, args, kws)
        if found is not None:
            self._found[key] = found, getattr(function, "_impl_keys", {}).get(found.args)
        return found


_NUMBERS = types.Integer | types.Float


@lower_builtin(EXTREMES[max], types.VarArg(types.Any))  # type: ignore[untyped-decorator]
def _highest(context: Any, builder: Any, call: Any, args: Any) -> Any:
    return do_minmax(context, builder, call.args, args, operator.gt)


@lower_builtin(EXTREMES[min], types.VarArg(types.Any))  # type: ignore[untyped-decorator]
def _lowest(context: Any, builder: Any, call: Any, args: Any) -> Any:
    return do_minmax(context, builder, call.args, args, operator.lt)


def _without_value(kind: Any) -> Any:
    """The type of all integers for that of a single one: a kernel is compiled once for them all."""
    single = isinstance(kind, types.IntegerLiteral | types.BooleanLiteral)
    return types.unliteral(kind) if single else kind


def with_memory(context: Context) -> KernelTyping:
    """The context, remembering; the same one for the same context."""
    if isinstance(context, KernelTyping):
        return context
    if id(context) not in _contexts:
        _contexts[id(context)] = KernelTyping(context)
    return _contexts[id(context)]
