"""What is installed: the versions of constraints.txt, extras, and what `make test` adds."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import try_extras

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


def test_every_extra_has_a_use_to_try_it_by():
    assert list(try_extras.USES) == list(EXTRAS)


def test_an_extra_that_does_not_work_is_named(monkeypatch, capsys):
    def run(command, environment):
        if command == try_extras.USES["docs"]:
            raise RuntimeError("no module")
        return "0"

    monkeypatch.setattr(try_extras, "_run", run)
    assert try_extras.main(["ray"]) == 0 and "ray " in capsys.readouterr().out
    assert try_extras.main([]) == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) == len(EXTRAS)
    assert [line.split()[0] for line in told if "FAILS: no module" in line] == ["docs"]
    assert try_extras.main(["nothing"]) == 2
    assert capsys.readouterr().err.startswith("no extra: nothing; known are frames, ray, ")


def make(*arguments):
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )


def test_make_test_installs_the_programs_that_tests_need():
    told = make("--dry-run", "test").stdout
    assert "install -y gnugo" in told and "install -y chromium" in told


def test_make_test_ends_with_the_check_that_was_left_out():
    told = make("test", "MAKE=true", "HAS_TSC=false").stdout
    assert told.splitlines()[-1].startswith("SKIPPED lint: TypeScript is not here")
    assert "SKIPPED" not in make("test", "MAKE=true", "HAS_TSC=true").stdout
