"""Loads games and rules from the user's Python files."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import re
import sys
from collections.abc import Iterable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from uctlab.code_limits import Limited
from uctlab.errors import UsageError
from uctlab.user_files import SOURCE, read_file

_PATH = re.compile(r"[^\"'(),=:]+\.py")


class _Source(SourceFileLoader):
    """Always reads the source: Python trusts its cached bytecode if the file's size and the second
    of its last change are the same, as they may be when a sweep edits the file."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(read_file(self.path, SOURCE), self.path)


def load_module(name: str, needs: tuple[str, ...]) -> ModuleType:
    """Import a file once, under its own name, and check that it defines what is needed."""
    path = Path(name)
    try:
        found = path.is_file()
    except OSError:
        found = False
    if not found:
        raise UsageError(f"there is no file {name}")
    path = path.resolve()
    module = sys.modules.get(path.stem)
    if module is not None and getattr(module, "__file__", None) != str(path):
        raise UsageError(f"{path.name} needs another name: a module {path.stem} is already loaded")
    if module is None:
        if path.suffix != ".py":
            raise UsageError(f"{path.name} is not a Python file; accepted: a path that ends in .py")
        loader = _Source(path.stem, str(path))
        _refuse_lacking(path, read_file(path, SOURCE), needs)
        spec = importlib.util.spec_from_file_location(path.stem, path, loader=loader)
        assert spec is not None
        module = importlib.util.module_from_spec(spec)
        # Numba finds the globals of cached machine code by the name of the module.
        sys.modules[path.stem] = module
        try:
            with Limited(f"{path.name}, which is being loaded,"):
                loader.exec_module(module)
        except (KeyboardInterrupt, UsageError):
            del sys.modules[path.stem]
            raise
        except (Exception, SystemExit) as error:
            del sys.modules[path.stem]
            what = f"{type(error).__name__}: {error}"
            raise UsageError(f"{path.name} cannot be loaded: {what}") from error
    _refuse(path, [part for part in needs if not hasattr(module, part)])
    return module


def _refuse(path: Path, missing: list[str]) -> None:
    if missing:
        raise UsageError(f"{path.name} does not define {', '.join(missing)}")


def _refuse_lacking(path: Path, source: bytes, needs: tuple[str, ...]) -> None:
    """Look before running it: a file that is no game may be a script that does things."""
    try:
        defined = _top_level_names(ast.parse(source))
    except (SyntaxError, ValueError):
        return  # loading it tells more
    if "*" not in defined:
        _refuse(path, [part for part in needs if part not in defined])


def _top_level_names(tree: ast.AST) -> set[str]:
    """The names that a module gives itself, also below `if` and `try`; * if it imports all."""
    names: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            continue
        if isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        names |= _top_level_names(node)
    return names


def loaded_modules() -> list[ModuleType]:
    """The modules that have been loaded from the user's files so far."""
    return [
        module
        for module in list(sys.modules.values())
        if isinstance(getattr(getattr(module, "__spec__", None), "loader", None), _Source)
    ]


def loaded_files() -> list[Path]:
    """Their files."""
    return [Path(str(module.__file__)) for module in loaded_modules()]


def file_of(function: object) -> Path | None:
    """The user's file that defines a function; None if it was not loaded from such a file."""
    module = sys.modules.get(getattr(function, "__module__", ""))
    return Path(str(module.__file__)) if module in loaded_modules() and module else None


def refuse_files(source: str, named: Iterable[str], given: Iterable[str] = ()) -> None:
    """Data runs no code: UsageError if data names a Python file that the user has not given."""
    known = {Path(path).resolve() for path in given}
    for path in named:
        if Path(path).resolve() not in known:
            raise UsageError(
                f"{source} names the Python file {path}, which is not run unasked; if you trust "
                "it, add --trust"
            )


def digest_of_files(text: str) -> str:
    """Digests of the Python files that a text names; empty if it names none."""
    digests = [
        hashlib.sha256(read_file(path.strip(), SOURCE)).hexdigest()
        for path in _PATH.findall(text)
        if Path(path.strip()).is_file()
    ]
    return "".join(digests)


def without_folders(text: str) -> str:
    """The text with its paths of Python files reduced to file names."""
    return _PATH.sub(lambda match: Path(match[0].strip()).name, text)
