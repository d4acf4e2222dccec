# mypy: disallow-untyped-calls=False
"""Which of Numba's compiler passes a kernel needs, run without Numba's checks between them.

Numba rebuilds what it knows about the variables after each of 27 passes and broadcasts events about
each. Kernels have no array expressions and hardly any closures, so some passes have nothing to do,
and only where branches were removed is there anything to rebuild.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from numba.core import errors
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, pass_timings
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import (
    AnnotateTypes,
    DumpParforDiagnostics,
    IRLegalization,
    NopythonRewrites,
)
from numba.core.untyped_passes import DeadBranchPrune, InlineClosureLikes

# IRLegalization writes down where a variable is needed no more, for reference counts.
NEVER = (AnnotateTypes, DumpParforDiagnostics, IRLegalization, NopythonRewrites)
_made: dict[bool, KernelPasses] = {}
"""By whether the function has others inside; all kernels have the same flags."""
_NO_TIME = pass_timings(0.0, 0.0, 0.0)


class KernelPasses(PassManager):
    """Runs passes one after another."""

    def _runPass(self, index: int, one: Any, state: Any) -> None:  # noqa: N802 (Numba's name)
        one.analysis = self._analysis
        prunes = isinstance(one, DeadBranchPrune)
        before = _ends(state.func_ir) if prunes else None
        with errors.new_error_context("Pass {name}", name=one.name()):  # type: ignore[attr-defined]
            one.run_initialization(state)
            one.run_pass(state)
            one.run_finalizer(state)
        if prunes and _ends(state.func_ir) != before:
            state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        self.exec_times[f"{index}_{one.name()}"] = _NO_TIME


def kernel_passes(state: Any) -> KernelPasses:
    """Numba's passes for compiled code, without those that this function does not need."""
    state.type_annotation = ""
    inner = any(isinstance(constant, CodeType) for constant in state.func_id.code.co_consts)
    if inner not in _made:
        skipped = NEVER if inner else (*NEVER, InlineClosureLikes)
        passes = KernelPasses("nopython")
        for one, about in DefaultPassBuilder.define_nopython_pipeline(state).passes:
            if one not in skipped:
                passes.add_pass(one, about)
        passes.finalize()
        _made[inner] = passes
    return _made[inner]


def _ends(code: Any) -> list[Any]:
    """How the blocks end, which is all that pruning changes."""
    return [(label, type(block.terminator)) for label, block in code.blocks.items()]
