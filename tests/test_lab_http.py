"""The lab over HTTP: pages and their policy, who is let in, the catalog, results."""

import json
import os
import re
import socket
import sqlite3
import urllib.parse
from contextlib import closing
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.lab_server import fetch, start_lab
from tests.stored_matches import RECORD
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.lab import limits
from uctlab.lab.results import Results
from uctlab.lab.security import POLICY
from uctlab.papers.pages import write_report
from uctlab.papers.report import Provenance, Report


@pytest.fixture(scope="module")
def lab():
    with start_lab() as running:
        yield running


def test_pages_have_a_strict_policy(lab):
    for path in ("/", "/api/catalog", "/api/results", "/api/matches", "/nowhere", "/static/none"):
        _, headers, _ = fetch(lab.url + path)
        assert headers["content-security-policy"] == POLICY, path
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert "unsafe" not in POLICY and "default-src 'none'" in POLICY
    assert "frame-ancestors 'none'" in POLICY


def test_the_catalog(lab):
    status, headers, body = fetch(lab.url + "/api/catalog")
    found = json.loads(body)
    assert status == 200 and headers["content-type"] == "application/json"
    assert [game["name"] for game in found["games"]] == [
        *("othello", "hex", "havannah", "go", "kalah", "deceptive")
    ]
    assert found["limits"]["searches"] == 1 and found["limits"]["playouts"] == limits.PLAYOUTS
    names = {parameter["name"] for agent in found["agents"] for parameter in agent["parameters"]}
    assert {"c", "k", "rave"} <= names and not {"select", "threads"} & names


def test_every_case_of_the_gallery_has_a_picture(lab):
    cases = [case["id"] for case in json.loads(fetch(lab.url + "/api/catalog")[2])["gallery"]]
    pictures = set()
    for case in cases:
        status, headers, body = fetch(f"{lab.url}/api/thumbnails/{case}.svg")
        assert status == 200 and headers["content-type"] == "image/svg+xml"
        assert headers["content-security-policy"] == POLICY
        assert ElementTree.fromstring(body).tag == "{http://www.w3.org/2000/svg}svg"
        night = fetch(f"{lab.url}/api/thumbnails/{case}.svg?night")[2]
        pictures |= {body, night}
        # Its ground is dark on a dark page.
        grounds = [re.search(rb'<rect[^>]* fill="#(\w\w)', one)[1] for one in (body, night)]
        assert int(grounds[0], 16) > 0xC0 and int(grounds[1], 16) < 0x70
    assert len(pictures) == 2 * len(cases)
    assert fetch(lab.url + "/api/thumbnails/nothing.svg")[0] == 404


def test_other_hosts_and_origins_are_refused(lab):
    for host in ("example.org", f"example.org:{lab.host.split(':')[1]}", "127.0.0.1.example.org"):
        assert fetch(lab.url + "/api/catalog", Host=host)[0] == 403
    assert fetch(lab.url + "/api/catalog", Origin="http://example.org")[0] == 403
    for origin in ("http://example.org", "http://127.0.0.1:1", "null", "http://[", None):
        with pytest.raises(InvalidStatus) as refused:
            lab.connect(origin=origin)
        assert refused.value.response.status_code == 403
    port = lab.host.split(":")[1]
    with connect(f"ws://localhost:{port}/ws", origin=f"http://localhost:{port}"):
        pass


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/api/results/../../pyproject.toml",
        "/api/results/%2e%2e/pyproject.toml",
        "/api/results/x/%2e%2e%2freport.md",
        "/api/results/..%2f..%2f/pyproject.toml",
        "/api/results/.git/config",
    ],
)
def test_no_file_is_read_from_elsewhere(lab, path):
    with socket.create_connection(lab.host.split(":")) as wire:
        wire.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {lab.host}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = b""
        while piece := wire.recv(65536):
            answer += piece
    assert answer.split()[1] == b"404" and b"import" not in answer


def test_a_token_is_needed_where_other_machines_are_let_in():
    token = "a-token-of-the-test"
    with start_lab(token=token) as lab:
        for path in ("/", "/api/catalog", "/static/js/main.js", "/?token=wrong", "/?token="):
            assert fetch(lab.url + path)[0] == 403, path
        assert b"Ask the person who started it" in fetch(lab.url + "/")[2]
        assert fetch(f"{lab.url}/api/catalog?token={token}")[0] == 200
        assert fetch(lab.url + "/api/catalog", Cookie=f"uctlab-token={token}")[0] == 200
        others = 'theirs={"a": [1, 2]}; '  # another program's, on another port
        assert fetch(lab.url + "/api/catalog", Cookie=f"{others}uctlab-token={token}")[0] == 200
        assert fetch(lab.url + "/api/catalog", Cookie=f"uctlab-token={token}x")[0] == 403
        with socket.create_connection(lab.host.split(":")) as wire:
            wire.sendall(f"GET /?token={token} HTTP/1.1\r\nHost: {lab.host}\r\n\r\n".encode())
            head = wire.recv(65536).decode().lower()
        assert " 303 " in head and "\r\nlocation: /\r\n" in head
        assert re.search(rf"set-cookie: uctlab-token={token};.*httponly.*samesite=lax", head)
        with pytest.raises(InvalidStatus):
            lab.connect()
        with lab.connect(additional_headers={"Cookie": f"uctlab-token={token}"}):
            pass
        with pytest.raises(InvalidStatus):
            lab.connect(
                origin="http://example.org",
                additional_headers={"Cookie": f"uctlab-token={token}"},
            )


def test_results_and_matches(tmp_path, uctlab):
    folder = tmp_path / "an-experiment"
    folder.mkdir()
    style = "p { color: red }"
    # As earlier versions of uctlab left it, without report.json.
    page = f"<title>A &amp; B</title><style>{style}</style><p>2026-01-02"
    (folder / "report.html").write_text(page)
    (folder / "report.md").write_text("# A & B\n")
    (folder / "secret.txt").write_text("x")
    (folder / "figure.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    elsewhere = tmp_path.with_name(f"{tmp_path.name}-elsewhere")
    elsewhere.mkdir()
    (elsewhere / "report.md").write_text("not ours")
    (folder / "link.md").symlink_to(elsewhere / "report.md")
    (tmp_path / "linked").symlink_to(elsewhere)
    store = folder / "games.sqlite"
    arguments = ("match", "hex:3", "uct", "mc", "--games", 4, "--playouts", 5, "--workers", 1)
    assert uctlab(*arguments, "--store", store)[0] == 0
    (tmp_path / "broken.sqlite").write_text("this is no database, but has the name of one")
    sqlite3.connect(tmp_path / "other.sqlite").execute("CREATE TABLE x (y)").connection.close()
    with start_lab(results=tmp_path, here=tmp_path / "none") as lab:
        (report,) = json.loads(fetch(lab.url + "/api/results")[2])["reports"]
        assert (report["id"], report["title"]) == ("an-experiment", "A & B")
        assert report["date"] == "2026-01-02"
        assert report["files"] == ["figure.svg", "link.md", "report.html", "report.md"]
        place = lab.url + "/api/results/an-experiment/"
        status, headers, body = fetch(place + "report.html")
        policy = headers["content-security-policy"]
        assert status == 200 and style.encode() in body and "script-src" not in policy
        assert "style-src 'sha256-" in policy and "'unsafe" not in policy
        assert policy.endswith("frame-ancestors 'self'; sandbox allow-same-origin")
        figure = fetch(place + "figure.svg")[1]["content-security-policy"]
        assert "sandbox" in figure and "script" not in figure
        assert fetch(lab.url + "/api/results/linked/report.md")[0] == 404
        for name in ("secret.txt", "games.sqlite", "none.html", "link.md"):
            assert fetch(place + name)[0] == 404
        answer = json.loads(fetch(lab.url + "/api/matches")[2])
        match = urllib.parse.quote(answer["matches"][0]["id"])
        games = json.loads(fetch(f"{lab.url}/api/games?match={match}")[2])
        assert (games["game"], games["shown"], games["total"]) == ("hex:3", True, 4)
        assert [game["a_first"] for game in games["games"]] == [True, False, True, False]
        assert all(5 <= len(game["moves"]) <= 9 for game in games["games"])
        for wrong in ("", "an-experiment/games.sqlite", "%23", "../x.sqlite%231", f"{match}1"):
            assert fetch(f"{lab.url}/api/games?match={wrong}")[0] == 404
        assert answer["troubles"] == []  # files of other programs are none of our business
        (match,) = answer["matches"]
        assert match["players"] == ["uct", "mc"] and match["games"] == 4 and match["running"]
        assert match["wins"] + match["draws"] + match["losses"] == 4
        assert match["interval"][0] <= match["score"] <= match["interval"][1]
        with closing(sqlite3.connect(store)) as writer:
            writer.execute("BEGIN EXCLUSIVE")
            os.utime(store)
            busy = json.loads(fetch(lab.url + "/api/matches")[2])["matches"]
            assert [one["games"] for one in busy] == [4]
        with Store(store, create=False) as opened:  # a running match goes on being seen
            record = opened.records(1)[0]
            opened.add([(1, type(record)(**{**vars(record), "number": 4}))])
        assert json.loads(fetch(lab.url + "/api/matches")[2])["matches"][0]["games"] == 5


def test_matches_are_told_by_store(tmp_path, monkeypatch):
    """The store with the latest game first, in it the matches with the most games; one with too
    many matches comes last and does not fill the list alone."""
    monkeypatch.setattr("uctlab.lab.results.MAX_MATCHES", 6)
    stores = (("a", (1, 4), 1000.0), ("b", (1,), 2000.0), ("c", (1, 3, 2), 3000.0))
    for name, counts, finished in stores:
        with Store(tmp_path / f"{name}.sqlite") as store:
            for seed, games in enumerate(counts):
                match = store.match_id(MatchPlan("hex:3", "uct", "mc", playouts=7, seed=seed))
                records = [replace(RECORD, number=i, finished=finished) for i in range(games)]
                store.add([(match, record) for record in records])
    told = Results(tmp_path / "none", tmp_path).matches()
    shown = [(match["store"][0], match["games"]) for match in told["matches"]]
    assert shown == [("b", 1), ("a", 4), ("a", 1), ("c", 3), ("c", 2)]
    assert list(told["totals"].items()) == [("b.sqlite", 1), ("a.sqlite", 2), ("c.sqlite", 3)]


def test_a_report_is_listed_by_its_json(tmp_path):
    origin = Provenance("uctlab reproduce x", "1 game", 0, ("1",), ("m",), "2026-01-02", 1.0)
    write_report(Report("A title", "A paper", (), (), (), (), origin), tmp_path / "x")
    with start_lab(results=tmp_path, here=tmp_path / "none") as lab:
        (report,) = json.loads(fetch(lab.url + "/api/results")[2])["reports"]
        assert (report["title"], report["date"]) == ("A title", "2026-01-02")
        assert report["files"] == ["report.html", "report.json", "report.md"]
        page = (tmp_path / "x" / "report.html").read_bytes()
        (tmp_path / "x" / "report.html").unlink()  # as in the repository: made from the data
        (again,) = json.loads(fetch(lab.url + "/api/results")[2])["reports"]
        assert again == report and fetch(lab.url + "/api/results/x/report.html")[2] == page
        status, headers, body = fetch(lab.url + "/api/results/x/report.json")
        assert status == 200 and headers["content-type"] == "application/json"
        assert json.loads(body)["title"] == "A title"


def test_a_damaged_store_is_skipped_and_named(tmp_path, uctlab):
    stores = [tmp_path / "bad.sqlite", tmp_path / "good.sqlite"]
    for store in stores:
        arguments = ("match", "hex:3", "uct", "mc", "--games", 2, "--playouts", 5, "--workers", 1)
        assert uctlab(*arguments, "--store", store)[0] == 0
    with closing(sqlite3.connect(stores[0])) as writer, writer:
        writer.execute("""UPDATE matches SET plan = '{"game": "hex:3"'""")
    with start_lab(results=tmp_path / "none", here=tmp_path) as lab:
        answer = json.loads(fetch(lab.url + "/api/matches")[2])
    assert [match["id"] for match in answer["matches"]] == ["good.sqlite#1"]
    (trouble,) = answer["troubles"]
    assert trouble["store"] == "bad.sqlite" and "match 1 of the store" in trouble["reason"]
