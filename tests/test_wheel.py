"""What is built for others: a wheel and an sdist, and the wheel installed where little is allowed.

It is used in a folder that cannot be written to, without a home, and by another user where the
tests run as root. Dependencies are those of this environment.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

import pytest

import uctlab as package
from tests.lab_server import fetch
from tests.leftovers import VARIABLE
from tests.patience import PATIENCE

pytest.importorskip("build")
pytest.importorskip("hatchling")
pytest.importorskip("pip")

ROOT = Path(__file__).parents[1]
NOBODY = 65534
NO_HOME = "/dev/null/home"  # cannot be made, not even by root
IS_ROOT = os.geteuid() == 0


@dataclass(frozen=True)
class Built:
    wheel: Path
    sdist: Path


@dataclass(frozen=True)
class Installation:
    """Programs of the wheel run in `folder`, and may write to `writable` and `temporary` alone."""

    python: Path
    user: int | None
    """None: the user of the tests."""
    folder: Path
    writable: Path
    temporary: Path

    def options(self, **environment):
        own = {
            "PATH": os.defpath,
            "HOME": NO_HOME,
            "TMPDIR": str(self.temporary),
            VARIABLE: os.environ[VARIABLE],
            **environment,
        }
        options = {"cwd": self.folder, "env": own, "text": True}
        if self.user is not None:
            options |= {"user": self.user, "group": self.user, "extra_groups": []}
        return options

    def command(self, *arguments):
        return [self.python.with_name("uctlab"), *map(str, arguments)]

    def uctlab(self, *arguments, **environment):
        return subprocess.run(
            self.command(*arguments),
            capture_output=True,
            check=False,
            **self.options(**environment),
        )


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """As `python -m build` does it: the wheel is built from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Built(wheel, sdist)


@pytest.fixture(scope="module")
def installed(built):
    base = Path(tempfile.mkdtemp(prefix="uctlab-wheel-"))  # pytest's folders are closed to others
    try:
        base.chmod(0o755)
        folders = [base / name for name in ("folder", "writable", "temporary")]
        for folder in folders:
            folder.mkdir()
        folders[0].chmod(0o555)
        pythons = list(_environments(base))
        users = (NOBODY, None) if IS_ROOT else (None,)
        choices = [Installation(python, user, *folders) for user in users for python in pythons]
        found = next(filter(_works, choices))
        if found.user is not None:
            for folder in folders[1:]:
                os.chown(folder, found.user, found.user)
        install = [sys.executable, "-m", "pip", "--python", found.python, "install", "--quiet"]
        alone = ["--ignore-installed", "--no-deps", "--no-index", "--disable-pip-version-check"]
        subprocess.run([*install, *alone, built.wheel], check=True)
        yield found
    finally:
        shutil.rmtree(base)


def _environments(base):
    """Virtual environments without uctlab, of this Python and of the system's if it is like it."""
    here = f"python{sys.version_info.major}.{sys.version_info.minor}"
    pythons = {"own": sys._base_executable, "system": shutil.which(here, path=os.defpath)}
    for name, python in pythons.items():
        if python is None:
            continue
        folder = base / name
        subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
        # The .pth files in these folders are not read, so an editable uctlab is not found there.
        paths = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
        (folder / "lib" / here / "site-packages" / "dependencies.pth").write_text("\n".join(paths))
        yield folder / "bin" / "python"


def _works(environment):
    try:
        code = [environment.python, "-c", "import numpy, typer"]
        done = subprocess.run(code, capture_output=True, check=False, **environment.options())
    except PermissionError:
        return False
    return done.returncode == 0


def _files(folder):
    # Python's bytecode, and the machine code that Numba keeps of the slow twins, lie there.
    found = (path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    paths = (path for path in found if path.is_file())
    return {path.relative_to(folder).as_posix() for path in paths}


def test_the_wheel_has_every_file_of_the_package_and_the_examples(built):
    with zipfile.ZipFile(built.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        (metadata,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        facts = message_from_bytes(wheel.read(metadata))
    sources = {f"uctlab/{name}" for name in _files(ROOT / "src" / "uctlab")}
    examples = {f"uctlab/examples/{name}" for name in _files(ROOT / "examples")}
    assert names == sources | examples
    assert facts["Version"] == package.__version__
    assert facts["Author"] == "The uctlab developers"


def test_the_sdist_has_the_tests_and_all_that_they_read(built):
    with tarfile.open(built.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    for folder in ("src", "examples", "tests", "benchmarks"):
        assert {f"{folder}/{name}" for name in _files(ROOT / folder)} <= names
    assert {"pyproject.toml", "constraints.txt", "Makefile", "CITATION.cff", "LICENSE"} <= names


def test_what_needs_no_writing(installed):
    code = "import uctlab; print(uctlab.__file__)"
    run = [installed.python, "-c", code]
    found = subprocess.run(run, capture_output=True, check=True, **installed.options())
    assert Path(found.stdout.strip()).is_relative_to(installed.python.parents[1])
    version = installed.uctlab("--version")
    assert (version.stdout, version.stderr) == (f"uctlab {package.__version__}\n", "")
    games = installed.uctlab("games")
    assert "othello" in games.stdout and not games.stderr


def test_what_would_write_here_says_so_in_a_line(installed):
    if IS_ROOT and installed.user is None:
        pytest.skip("root may write everywhere, and another user cannot read this environment")
    for command, says in (
        (("new", "game", "my_game"), "my_game.py cannot be written: Permission denied"),
        (("reproduce", "hashimoto2012-fig1"), "Permission denied; --out names another folder"),
    ):
        done = installed.uctlab(*command)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert says in done.stderr


def test_a_paper_with_its_figures(installed):
    done = installed.uctlab(
        *("reproduce", "hashimoto2012-fig1", "--games", 1, "--playouts", 5),
        *("--workers", 1, "--out", installed.writable),
        NUMBA_DISABLE_JIT="1",
    )
    assert done.returncode == 0, done.stderr
    (report,) = installed.writable.glob("*/report.html")
    assert len(list(report.parent.glob("*.svg"))) == len(list(report.parent.glob("*.png"))) == 3


def test_templates_compiled_without_a_home(installed):
    """Compiled code goes to a temporary folder, also that of worker processes, and is removed."""
    for kind in ("game", "experiment"):
        path = installed.writable / f"my_{kind}.py"
        assert installed.uctlab("new", kind, path).returncode == 0
    shown = installed.uctlab("show", installed.writable / "my_game.py", NUMBA_DISABLE_JIT="1")
    assert shown.returncode == 0, shown.stderr
    done = installed.uctlab(
        *("reproduce", installed.writable / "my_experiment.py", "--games", 2),
        *("--playouts", 10, "--workers", 2, "--out", installed.writable),
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("compiled code is kept for this run only") == 1
    assert not list(installed.temporary.iterdir())


def test_the_lab(installed):
    with subprocess.Popen(
        installed.command("lab", "--no-browser", "--port", 0, "--searches", 1),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **installed.options(NUMBA_DISABLE_JIT="1"),
    ) as program:
        url = program.stdout.readline().split()[-1]
        status, _, page = fetch(url)
        assert status == 200
        files = re.findall(r'(?:src|href)="/?(static/[^"]+)"', page.decode())
        assert files
        for path in (*files, "api/catalog", "api/results"):
            assert fetch(url + path)[0] == 200
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0 and "closed" in out and not err
