"""Executes the notebooks of docs/notebooks and turns them into pages, outputs included.

A page made here loads nothing: pictures are files or SVG within the page, and no script of a
notebook survives. What was executed is kept in .cache/notebooks under a digest of all that decides
what a notebook shows, so that a second build takes no time.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from uctlab.atomic_files import replace_file
from uctlab.devices.cpu import cores

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "notebooks"
KEPT = ROOT / ".cache" / "notebooks"
LIBRARIES = ("ipykernel", "matplotlib", "networkx", "numba", "numpy", "pandas")
"""Those whose output a notebook shows."""
SECONDS_PER_CELL = 600
_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL | re.IGNORECASE)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_OVERWRITTEN = re.compile(r"[^\n]*\r(?!\n)")  # by what follows, as a progress bar is


@dataclass
class NotebookPage:
    """A notebook as Markdown, with its pictures by file name."""

    text: str
    pictures: dict[str, bytes] = field(default_factory=dict)


def notebooks() -> list[Path]:
    """In the order of their names, which begin with numbers."""
    return sorted(FOLDER.glob("*.ipynb"))


def title_of(path: Path) -> str:
    """The first heading of a notebook."""
    for cell in nbformat.read(path, as_version=4).cells:
        found = re.search(r"^# (.+)$", cell.source, re.MULTILINE)
        if cell.cell_type == "markdown" and found:
            return found[1].strip()
    raise ValueError(f"{path.name} has no heading '# ...'")


def contents() -> str:
    """A list of all notebooks, for the page that introduces them."""
    lines = [f"- [{title_of(path)}]({path.stem}.md)" for path in notebooks()]
    return "\n".join(lines) or "There are none in this version."


def all_executed() -> list[Any]:
    """The notebooks with their outputs, in order; as many at once as there are cores."""
    with ThreadPoolExecutor(cores()) as pool:
        return list(pool.map(executed, notebooks()))


def executed(path: Path) -> Any:
    """The notebook with the outputs of this version of uctlab."""
    kept = KEPT / f"{path.stem}-{digest_of(path)}.ipynb"
    if kept.exists():
        return nbformat.read(kept, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],  # it warns of its port, which is this machine's own
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    KEPT.mkdir(parents=True, exist_ok=True)
    for earlier in KEPT.glob(f"{path.stem}-*.ipynb"):
        earlier.unlink()
    replace_file(kept, nbformat.writes(notebook).encode())
    return notebook


def digest_of(path: Path) -> str:
    """A digest of the notebook, of all files of uctlab and of the versions below it."""
    digest = hashlib.sha256(path.read_bytes())
    for source in sorted((ROOT / "src").rglob("*")):
        if source.is_file() and "__pycache__" not in source.parts:
            digest.update(str(source.relative_to(ROOT)).encode() + source.read_bytes())
    digest.update("".join([sys.version, *map(version, LIBRARIES)]).encode())
    return digest.hexdigest()[:16]


def page_of(notebook: Any, name: str) -> NotebookPage:
    """Markdown cells as they are, code in boxes, and below each what it printed or drew."""
    page = NotebookPage("")
    parts = []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code" and cell.source.strip():
            parts.append(_fenced(cell.source, "python"))
            for place, output in enumerate(_merged(cell.outputs)):
                parts.append(_output(output, page, f"{name}-{number}-{place}"))
    page.text = "\n\n".join(part for part in parts if part) + "\n"
    return page


def _merged(outputs: list[Any]) -> Iterator[Any]:
    """Printed lines come in pieces, one output each; what was overwritten, as a bar, is gone."""
    for name in ("stdout", "stderr"):
        pieces = (one for one in outputs if one.output_type == "stream" and one.name == name)
        printed = _OVERWRITTEN.sub("", "".join(one.text for one in pieces))
        if printed.strip():
            yield nbformat.v4.new_output("stream", name=name, text=printed)
    yield from (one for one in outputs if one.output_type != "stream")


def _output(output: Any, page: NotebookPage, name: str) -> str:
    if output.output_type == "stream":
        return _fenced(_COLOURS.sub("", output.text).rstrip(), "text")
    if output.output_type == "error":
        return _fenced(f"{output.ename}: {output.evalue}", "text")
    data = output.data
    if "image/svg+xml" in data:
        return _box(_from_svg(data["image/svg+xml"]))
    if "text/html" in data:
        return _box(_SCRIPT.sub("", data["text/html"]))
    if "image/png" in data:
        page.pictures[f"{name}.png"] = base64.b64decode(data["image/png"])
        return f"![The picture that the cell draws]({name}.png)"
    if "text/markdown" in data:
        return str(data["text/markdown"])
    return _fenced(data.get("text/plain", ""), "text")


def _from_svg(text: str) -> str:
    """Without what may stand before the root of a file."""
    return text[text.index("<svg") :]


def _box(markup: str) -> str:
    """HTML as one block that Markdown leaves alone: it has no empty lines."""
    lines = (line for line in markup.splitlines() if line.strip())
    return '<div class="output">' + "\n".join(lines) + "</div>"


def _fenced(text: str, language: str) -> str:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"
