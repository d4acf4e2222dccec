"""Stores that are kept packed: read in place, unpacked by whoever adds games."""

import lzma

import pytest

from tests.stored_matches import PLAN, RECORD
from uctlab.arena import packed
from uctlab.arena.packed import pack, packed_form, unpacked
from uctlab.arena.store import Store
from uctlab.arena.store_reader import StoreReader
from uctlab.errors import UsageError
from uctlab.lab.results import Results


@pytest.fixture
def store(tmp_path):
    """A store with one game, of which only the packed form is there."""
    path = tmp_path / "games.sqlite"
    with Store(path) as opened:
        opened.add([(opened.match_id(PLAN), RECORD)])
    assert packed_form(path) is None
    made = pack(path)
    assert made.read_bytes() == pack(path).read_bytes()
    path.unlink()
    return path


def test_a_packed_store_is_read_in_place(store, uctlab):
    for name in (store, store.with_name("games.sqlite.xz")):
        with StoreReader(name) as opened:
            assert opened.records(PLAN) == [RECORD]
        code, out, _ = uctlab("games", "stored", name)
        assert code == 0 and "1 game" in out
    assert not store.exists()
    (match,) = Results(store.parent / "none", store.parent).matches()["matches"]
    assert match["games"] == 1 and match["store"] == "games.sqlite.xz"


def test_a_command_that_adds_games_unpacks_it(store):
    with Store(store) as opened:
        assert opened.records(PLAN) == [RECORD]
    assert store.exists() and store.with_name("games.sqlite.xz").exists()
    assert len(Results(store.parent / "none", store.parent).matches()["matches"]) == 1  # not twice
    with pytest.raises(UsageError, match=r"packed and only read; name it without \.xz"):
        Store(store.with_name("games.sqlite.xz"))


def test_what_is_no_packed_store(store, tmp_path, monkeypatch):
    path = store.with_name("games.sqlite.xz")
    whole = path.read_bytes()
    for content in (whole[:-5], whole[:100], b"", b"text", whole[:60] + b"\0\1" + whole[62:]):
        path.write_bytes(content)
        with pytest.raises(UsageError, match="is damaged"):
            unpacked(path)
    path.write_bytes(lzma.compress(b"no store"))
    with pytest.raises(UsageError, match=r"cannot be|not a store"):
        StoreReader(path)
    monkeypatch.setattr(packed, "LIMIT", 1000)
    path.write_bytes(lzma.compress(bytes(2000)))
    with pytest.raises(UsageError, match="too large: over 1,000 bytes"):
        unpacked(path)


def test_pack_on_the_command_line(store, uctlab):
    with Store(store):
        pass
    packed_file = store.with_name("games.sqlite.xz")
    packed_file.unlink()
    code, out, _ = uctlab("games", "pack", store)
    assert code == 0 and packed_file.name in out and packed_file.exists()
    code, _, err = uctlab("games", "pack", store.parent / "none.sqlite")
    assert code == 2 and "there is no store" in err
