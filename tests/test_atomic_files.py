"""Files are replaced whole or not at all."""

import os
import signal
import subprocess
import sys

import pytest

from uctlab.atomic_files import check_replaceable, remove_with_parts, replace_file, replacing


def test_replaced_when_complete(tmp_path):
    path = tmp_path / "file"
    replace_file(path, b"old")
    path.chmod(0o640)
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new" and path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file(tmp_path, error):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(error), replacing(path) as file:
        file.write(b"new")
        raise error
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_links_and_what_is_no_file(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    replace_file(link, b"new")
    assert link.is_symlink() and path.read_bytes() == b"new"
    check_replaceable(link)
    with replacing(tmp_path / ("long" * 60)) as file:
        file.write(b"x")
    check_replaceable(type(path)(os.devnull))
    replace_file(type(path)(os.devnull), b"x")
    assert not os.path.isfile(os.devnull)
    with pytest.raises(OSError, match="it is not a file"):
        check_replaceable(type(path)(os.devnull), only_file=True)
    device = replacing(type(path)(os.devnull), only_file=True)
    with pytest.raises(OSError, match="it is not a file"), device:
        pass
    with pytest.raises(OSError):
        check_replaceable(tmp_path)
    with pytest.raises(OSError):
        check_replaceable(tmp_path / "none" / "file")


def test_a_check_leaves_no_trace(tmp_path):
    check_replaceable(tmp_path / "new")
    assert not list(tmp_path.iterdir())


def test_killed_while_writing(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from uctlab.atomic_files import replacing\n"
        "with replacing(Path(sys.argv[1])) as file:\n"
        "    file.write(b'new'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, path], check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 2
    remove_with_parts(path)
    assert not list(tmp_path.iterdir())
