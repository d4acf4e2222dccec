"""The versions that were tested together, in constraints.txt."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LINES = (ROOT / "constraints.txt").read_text().splitlines()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
RANGES = [
    Requirement(text)
    for group in (
        PROJECT["project"]["dependencies"],
        PROJECT["build-system"]["requires"],
        *EXTRAS.values(),
    )
    for text in group
]


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_every_dependency_has_one_version_within_its_range(python, system):
    machine = default_environment() | {
        "python_version": python,
        "python_full_version": f"{python}.1",
        "sys_platform": system,
    }
    pins = {}
    for line in LINES:
        if not line.startswith("#"):
            pin = Requirement(line)
            if pin.marker is None or pin.marker.evaluate(machine):
                name = canonicalize_name(pin.name)
                assert name not in pins, f"{name} has two versions"
                (one,) = pin.specifier
                assert one.operator == "=="
                pins[name] = one.version
    for wanted in RANGES:
        name = canonicalize_name(wanted.name)
        assert wanted.specifier.contains(pins[name]), f"{name}: run make lock"


def test_the_file_names_no_place():
    assert not [line for line in LINES if re.search(r"://|--|@|/", line)]


def test_make_uses_it():
    recipe = (ROOT / "Makefile").read_text()
    assert "export PIP_CONSTRAINT := constraints.txt\n" in recipe
    assert "$(VENV)/.made: pyproject.toml constraints.txt\n" in recipe
    for ready in (".ready", ".test-ready"):
        assert f"$(VENV)/{ready}: $(VENV)/.made\n" in recipe
