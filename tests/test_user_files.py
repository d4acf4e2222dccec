"""Files that users name: endless ones, pipes and those beyond the limit are refused in one line."""

import io
import os
import sys

import pytest

import uctlab
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.papers.report import read_report
from uctlab.protocol.files import read_games, read_openings, read_position
from uctlab.user_files import POSITION, SOURCE, read_file, read_text
from uctlab.user_modules import digest_of_files, load_module

HEX = make_game("hex:3").interpreted()
READERS = {
    "position": lambda path: read_position(HEX, path),
    "openings": lambda path: read_openings(HEX, path),
    "import": read_games,
    "sgf": uctlab.Position.from_sgf,
    "report": read_report,
}


def sparse(path, size):
    """A file of that size which takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(size)
    return str(path)


@pytest.fixture
def pipe(tmp_path):
    """Nobody writes to it: opening it the usual way would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    return str(tmp_path / "pipe")


@pytest.mark.parametrize("reader", READERS)
def test_devices_and_pipes_are_not_read(reader, pipe, tmp_path):
    for path, says in (
        ("/dev/zero", "it is a device, not a file"),
        (pipe, "it is a pipe, not a file"),
        (str(tmp_path), "it is a folder, not a file"),
        (sparse(tmp_path / "large", 2**36), "has 68,719,476,736 bytes, and the limit is "),
        (str(tmp_path / "none"), "No such file"),
        ("a\0b", "this is no name of a file"),
    ):
        with pytest.raises(UsageError, match=says) as mistake:
            READERS[reader](path)
        assert path in str(mistake.value)


def test_the_limit(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert read_file(path, 3) == b"abc"
    with pytest.raises(UsageError, match="has 3 bytes, and the limit is 2"):
        read_file(path, 2, "the position")


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="no /proc")
def test_a_file_may_be_larger_than_it_says():
    assert os.path.getsize("/proc/self/maps") == 0 and read_file("/proc/self/maps", 2**24)
    with pytest.raises(UsageError, match="more bytes than the limit of 10"):
        read_file("/proc/self/maps", 10)


def test_text(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfb2\n")
    assert read_text(path, 10) == "b2\n"
    path.write_bytes(b"b2 \xff\n")
    with pytest.raises(UsageError, match="file is not a text file: byte 4 is not UTF-8"):
        read_text(path, 10)
    with pytest.raises(UsageError, match="file is not a text file: byte 4 is not UTF-8"):
        read_openings(HEX, str(path))
    with pytest.raises(UsageError, match="byte 4 is not UTF-8; SGF files end in"):
        read_position(HEX, str(path))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff", "standard input is not a text file: byte 1 is not UTF-8"),
        (b" " * (POSITION + 1), "standard input has more bytes than the limit of 4,194,304"),
    ],
)
def test_standard_input(monkeypatch, data, says):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    with pytest.raises(UsageError, match=says):
        read_position(HEX, "-")


def test_python_files(tmp_path):
    path = sparse(tmp_path / "large.py", SOURCE + 1)
    for use in (lambda: load_module(path, ()), lambda: digest_of_files(path)):
        with pytest.raises(UsageError, match=r"large\.py: it has 4,194,305 bytes"):
            use()


def test_the_program_says_it_in_one_line(uctlab, pipe):
    for arguments in (
        ("show", "hex:3", "--position", pipe),
        ("match", "hex:3", "uct", "uct", "--playouts", 5, "--openings", "/dev/zero"),
        ("games", "import", pipe),
        ("analyze", "hex:3", "--playouts", 5, "--load", pipe),
        ("analyze", "hex:3", "--playouts", 5, "--load", "/dev/zero"),
    ):
        code, out, err = uctlab(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1) and "cannot read" in err
