"""NumPy's files whose sizes are not what they say: refused before anything is unpacked."""

import io
import zipfile

import numpy as np
import pytest

from uctlab import array_files
from uctlab.array_files import LARGEST_READ, TooLargeError, read_arrays
from uctlab.errors import UsageError

ARRAYS = {
    "numbers": np.arange(1000.0),
    "text": np.array("a text"),
    "records": np.ones((2, 3), np.dtype([("größe", "u1"), ("длина", "f8")], align=True)),
}


@pytest.fixture
def nothing_read(monkeypatch):
    monkeypatch.setattr(array_files, "_read", None)


def npy(shape, descr="<f8", content=b""):
    """The bytes of a .npy file that says to have that shape."""
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"descr": descr, "fortran_order": False, "shape": shape}
    )
    return file.getvalue() + content


def zipped(path, content, name="numbers.npy"):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return path


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.filterwarnings("ignore:Stored array in format 3.0")
def test_arrays_of_all_kinds(tmp_path, save):
    path = tmp_path / "arrays.npz"
    save(path, **ARRAYS)
    found = read_arrays(path, {name: array.nbytes for name, array in ARRAYS.items()})
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype and (found[name] == array).all()
    for name, array in ARRAYS.items():
        with pytest.raises(TooLargeError, match=f"{name} takes {array.nbytes:,} bytes"):
            read_arrays(path, {name: array.nbytes - 1})


@pytest.mark.usefixtures("nothing_read")
def test_many_zeros(tmp_path):
    path = zipped(tmp_path / "a.npz", npy((2**21,), "|u1", bytes(2**21)))
    assert path.stat().st_size < 5000
    with pytest.raises(UsageError, match=r"numbers takes 2,0.* bytes, and the limit is 1,048,576"):
        read_arrays(path, {"numbers": 2**20})


@pytest.mark.parametrize(
    "content",
    [
        npy((2**40,)),  # more than there is
        npy((3,), "<f8", bytes(25)),
        npy((3,), "<f8", bytes(23)),
        npy((-(2**40), -1)),
        npy((), "|O", bytes(8)),
        npy((1.5,)),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
        b"no array",
        b"",
    ],
)
def test_what_says_something_else_than_it_is(tmp_path, content):
    path = zipped(tmp_path / "a.npz", content)
    with pytest.raises(ValueError, match=r"has no such arrays|numbers takes"):
        read_arrays(path, {"numbers": 2**20})


def test_other_contents(tmp_path):
    with pytest.raises(ValueError, match="has no such arrays"):
        read_arrays(zipped(tmp_path / "a.npz", npy((0,)), "other.npy"), {"numbers": 2**20})
    (tmp_path / "text").write_text("text\n" * 10)
    with pytest.raises(ValueError, match="has no such arrays"):
        read_arrays(tmp_path / "text", {"numbers": 2**20})
    with pytest.raises(UsageError, match=r"cannot read the tree /dev/zero: it is a device"):
        read_arrays("/dev/zero", {"numbers": 2**20}, "the tree")


def test_a_long_list_of_contents_is_not_read(tmp_path):
    """A file with a hole takes no room on the disk, and zipfile reads its list whole."""
    path = tmp_path / "a.npz"
    size = LARGEST_READ + 1
    end = b"PK\5\6" + bytes(4) + b"\1\0\1\0" + size.to_bytes(4, "little") + bytes(6)
    with path.open("wb") as file:
        file.seek(size)
        file.write(end)
    with pytest.raises(ValueError, match="has no such arrays") as mistake:
        read_arrays(path, {"numbers": 2**20})
    assert "its list of contents is too long" in str(mistake.value.__cause__)
