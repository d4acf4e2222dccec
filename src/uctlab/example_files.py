"""Finds the example files: an installed package contains them, a checkout has them at its top."""

from __future__ import annotations

from pathlib import Path

from uctlab.errors import LabError

FOLDERS = (Path(__file__).parent / "examples", Path(__file__).parents[2] / "examples")


def example_file(name: str) -> Path:
    """The path of examples/NAME.py."""
    for folder in FOLDERS:
        if (folder / f"{name}.py").is_file():
            return folder / f"{name}.py"
    raise LabError(f"this installation of uctlab lacks examples/{name}.py")
