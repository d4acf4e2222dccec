"""Reproductions as several test files run them."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET

from uctlab.papers import go_problems, yoshimoto2007
from uctlab.papers.problems import Problem
from uctlab.papers.reproduce import STORE

TINY = ("--games", 2, "--playouts", 20, "--workers", 1)


OF_GO = Problem(
    *("go", "two eyes or one", "go:4", frozenset({"B4"})),
    diagram=". . . O\nO O O O\nX X X X\n. X . X\nX to play",
)


def small_go(monkeypatch):
    """Yoshimoto's experiment on a board of Go whose kernels other tests have too."""
    monkeypatch.setattr(yoshimoto2007, "GO_SIZE", 4)
    monkeypatch.setattr(yoshimoto2007, "AGREE_ON", ("go:4", "othello"))
    monkeypatch.setattr(go_problems, "problems", lambda: [OF_GO])


def read_csv(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def check_report(folder, published):
    """All files are there, whole, and have the published figures in them."""
    files = {path.name for path in folder.iterdir()}
    assert not [name for name in files if name.endswith(".part")]
    text, page = ((folder / f"report.{kind}").read_text() for kind in ("md", "html"))
    for figure in published:
        assert figure in text and figure in page
    ET.fromstring(page.partition("\n")[2])  # well-formed without its first line
    pictures = re.findall(r"\]\((.+?)\.svg\)", text)
    tables = re.findall(r"\]\((.+?)\.csv\)", text)
    assert pictures and tables and page.count("<img ") == len(pictures)
    saved = json.loads((folder / "report.json").read_text())["figures"]
    boards = {figure["name"] for figure in saved if figure.get("board")}
    for name in pictures:
        ET.parse(folder / f"{name}.svg")
    for name in set(pictures) - boards:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    for name in tables:
        assert read_csv(folder / f"{name}.csv")
    named = {f"{name}.svg" for name in pictures} | {f"{n}.png" for n in set(pictures) - boards}
    assert files == named | {f"{name}.csv" for name in tables} | {
        *("report.json", "report.md", "report.html", STORE)
    }
    assert "src=" in page and not re.search(r'src="(?!data:)', page)


def run(uctlab, folder, *arguments):
    code, out, _ = uctlab("reproduce", *arguments, *TINY, "--out", folder, "--json")
    assert code == 0
    (facts,) = json.loads(out)["experiments"]
    return facts
