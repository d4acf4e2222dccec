"""Computes 1 / sqrt(x) on a GPU without the branches of its division and square root."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def inverse_root(typing_context: Any, x: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        double = ir.DoubleType()
        unary = ir.FunctionType(double, [double])
        (x,) = args
        one = ir.Constant(double, 1.0)
        if "nvptx" not in builder.module.triple:  # a test that compiles for a CPU
            root = cgutils.get_or_insert_function(builder.module, unary, "llvm.sqrt.f64")
            return builder.fdiv(one, builder.call(root, [x]))
        # Accurate to 20 bits; y + y e (1/2 + 3/8 e) with e = 1 - x y**2 makes that 60.
        y = builder.asm(unary, "rsqrt.approx.ftz.f64 $0, $1;", "=d,d", [x], side_effect=False)
        minus_x = builder.fsub(ir.Constant(double, -0.0), x)
        e = builder.fma(minus_x, builder.fmul(y, y), one)
        step = builder.fma(e, ir.Constant(double, 0.375), ir.Constant(double, 0.5))
        return builder.fma(step, builder.fmul(y, e), y)

    return types.float64(types.float64), build
