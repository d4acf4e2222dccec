"""The version is the same wherever it is written."""

import re
from pathlib import Path

import uctlab

ROOT = Path(__file__).parents[1]


def test_documents_name_the_version_of_the_program():
    citation = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation[1] == newest[1] == uctlab.__version__
