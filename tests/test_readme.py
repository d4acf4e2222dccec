"""The README: short, its links lead somewhere, and its example prints what it says."""

import contextlib
import io
import re
from pathlib import Path

from uctlab.agents import AGENTS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_is_short():
    assert len(TEXT) <= 7000


def test_it_names_every_agent():
    written = set(re.findall(r"`(\w+)", TEXT))
    assert set(AGENTS) <= written


def test_its_links_lead_to_files():
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(links) > 20
    for link in links:
        assert (ROOT / link).exists(), link


def test_its_speeds_are_those_of_the_page_on_speed():
    """Ours and the peer's from one row or paragraph there; how many times is their quotient."""
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    parts = re.split(r"\n\n|\n(?=\|)", page)
    rows = re.findall(r"^\| [^|]+ \| ([\d,]+) \| .+: ([\d,]+) \| ([\d.]+) times \|$", TEXT, re.M)
    assert len(rows) == 5
    for ours, theirs, times in rows:
        assert any(ours in part and theirs in part for part in parts), (ours, theirs)
        decimals = len(times.partition(".")[2])
        quotient = float(ours.replace(",", "")) / float(theirs.replace(",", ""))
        assert float(times) == round(quotient, decimals), (ours, theirs)


def test_its_example_prints_what_it_says():
    code, printed = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", TEXT, re.DOTALL).groups()
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(compile(code, "README.md", "exec"), {})
    assert told.getvalue() == printed
