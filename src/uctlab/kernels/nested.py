# mypy: disallow-untyped-calls=False
"""Compiles kernels that only other kernels call: to LLVM's code, not to machine code.

Numba makes machine code and a Python wrapper of every function, and optimises each again inside
each of its callers. Here only the outermost kernel becomes machine code, with all that it calls
optimised once, together; that halves the time.
"""

from __future__ import annotations

import gc
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from llvmlite.binding import Linkage, ffi, parse_bitcode
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_result
from numba.core.environment import lookup_environment
from numba.core.itanium_mangler import mangle

from uctlab.kernels import notice
from uctlab.kernels.passes import kernel_passes
from uctlab.kernels.typing import with_memory

KIND = "nested"
ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba names the variables that point to environments
_CALLED = re.compile(r'\bcall [^@\n]*@("[^"]+"|[\w.$]+)\(')  # a function's name, in LLVM's text


class NestedLibrary(JITCodeLibrary):
    """Code that is linked into that of its callers and never runs by itself."""

    def _optimize_functions(self, module: Any) -> None:
        """Prepare the functions for those passes that see them all, as Numba does; but with simpler
        passes, as these see them again, and none for functions that are only declared."""
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager(opt=1)
                passes.run(function, builder)

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"  # several callers may bring it
        self._shared_module = self._final_module  # Numba makes a copy, to run the original
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        self._ensure_finalized()
        return self.name, KIND, self._get_module_for_linking().as_bitcode()

    @classmethod
    def from_bitcode(cls, codegen: Any, name: str, bitcode: bytes) -> NestedLibrary:
        library = cls(codegen, name)
        library._final_module = library._shared_module = parse_bitcode(bitcode)
        library._finalized = True
        return library


class OuterLibrary(JITCodeLibrary):
    """The machine code of a kernel with all that it calls."""

    def _optimize_final_module(self) -> None:
        """Tell LLVM first that nobody else calls the nested kernels.

        It then passes no argument that is not read: a call with `params` copied 34 numbers. One
        that is called at a single place is moved there before all else. LLVM would do so anyway,
        but level by level, optimising all that it has at each: twice the time for the same code.
        """
        inner = {
            function.name
            for library in self._linking_libraries
            for function in library._get_module_for_linking().functions
            if not function.is_declaration
        }
        places = Counter(name.strip('"') for name in _CALLED.findall(str(self._final_module)))
        for function in self._final_module.functions:
            if function.name in inner:
                function.linkage = "internal"
                if places[function.name] == 1:
                    function.add_function_attribute("alwaysinline")
        super()._optimize_final_module()


class KernelFlags(Flags):
    """Numba's flags with a quick comparison: type inference makes it at every step."""

    _hash = hash(Flags())

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> Any:
        same = isinstance(other, KernelFlags) and self._values == other._values
        return True if same else super().__eq__(other)


def _symbol(name: str, kinds: Any, *, abi_tags: Any = (), uid: int | None = None) -> str:
    """What LLVM calls a function for arguments of those types: Numba writes the types out, which
    are thousands of characters for a search, at every call."""
    digest = hashlib.sha256("\n".join(map(str, kinds)).encode()).hexdigest()[:16]
    return str(mangle(name, (digest,), abi_tags=abi_tags, uid=uid))


@cache
def _size(data: Any, kind: Any) -> Any:
    """The size of a type of LLVM's, which parses a module to find it."""
    return kind.get_abi_size(data)


class _KernelCompiler(Compiler):
    def __init__(
        self,
        typing: Any,
        target: Any,
        library: Any,
        args: Any,
        returned: Any,
        flags: Any,
        locals: Any,
    ) -> None:
        flags = KernelFlags(flags)
        super().__init__(with_memory(typing), target, library, args, returned, flags, locals)
        own = self.state.targetctx  # a copy, which is for this function
        own.mangler = _symbol
        own.get_abi_sizeof = partial(_size, own.target_data)

    def define_pipelines(self) -> list[Any]:
        return [kernel_passes(self.state)]


class NestedCompiler(_KernelCompiler):
    """Numba's compiler without its last step; the options of the function must agree."""

    def compile_extra(self, function: Any) -> Any:
        state = self.state
        state.flags.no_compile = True
        state.library = NestedLibrary(state.targetctx.codegen(), function.__qualname__)
        made = as_callee(super().compile_extra(function))
        state.targetctx.insert_user_function(made.entry_point, made.fndesc, [made.library])
        return made


@contextmanager
def _without_timers() -> Iterator[None]:
    """Numba measures how long each call of LLVM takes, once for every kernel that is under way."""
    timers = list(ffi.lib._lock._cblist)
    for timer in timers:
        ffi.unregister_lock_callback(*timer)
    try:
        yield
    finally:
        for timer in timers:
            ffi.register_lock_callback(*timer)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Python looks through all objects again and again while more and more are made, most of which
    are in use until the end; that took a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class OuterCompiler(_KernelCompiler):
    """Numba's compiler for the outermost kernel, which tells callees their environments."""

    def compile_extra(self, function: Any) -> Any:
        self.state.library = OuterLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        name = function.__name__.rpartition("_")[0]
        with notice.compiling(name), _without_timers(), _without_garbage_collection():
            made = super().compile_extra(function)
        for variable in made.library._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    made.codegen.set_env(variable.name, environment)
        return made


def as_callee(made: Any) -> Any:
    """With an object that stands for the function, as callers know it; it is never called."""
    facts = made.fndesc
    stand_in = _dynfunc.make_function(
        facts.lookup_module(), facts.qualname, "", 0, made.environment, (made.library,)
    )
    return made._replace(entry_point=stand_in)


def rebuilt_callee(target: Any, parts: tuple[Any, ...]) -> Any:
    """What CompileResult._rebuild does for machine code, for a nested kernel from the cache."""
    library, facts, environment, signature, objectmode, lifted, annotation, *rest = parts
    reload_init, environments = rest
    name, _, bitcode = library
    made = compile_result(
        typing_context=target.typing_context,
        target_context=target,
        entry_point=None,
        typing_error=None,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        fndesc=facts,
        library=NestedLibrary.from_bitcode(target.codegen(), name, bitcode),
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )
    return as_callee(made)
