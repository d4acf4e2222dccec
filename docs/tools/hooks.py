"""What MkDocs asks while it builds the site: pages from data, tables from code, formulas.

A page has a place for a table made from code as a comment of its own line, `<!-- agents -->` or
`<!-- agent-options: uct -->`; the names are in TABLES.
"""

from __future__ import annotations

import re
from typing import Any

import code_tables
import notebooks
import reference
import reports
from formulas import with_mathml
from mkdocs.structure.files import File, Files, InclusionLevel

from uctlab.lab.math_font import math_font

TABLES = {
    "agents": code_tables.agents,
    "agent-options": code_tables.agent_options,
    "parts": code_tables.parts,
    "commands": code_tables.commands,
    "example": code_tables.example,
    "experiments": code_tables.experiments,
    "games-needed": code_tables.games_needed,
    "beside": lambda what: reports.beside(*what.split()),
    "summary": reports.summary,
    "figure": lambda what: reports.figure(*what.split()),
    "reports": reports.all_reports,
    "notebooks": notebooks.contents,
    "reference": reference.reference,
}
# Pages read in the repository too: there reports are in results/, and tables are missing.
GAPS = (
    "*In the repository this page has gaps: `make docs` fills in what is made from code and "
    "results.*\n\n"
)
_REPORT = re.compile(r"\]\((?:\.\./)+results/")
_PLACE = re.compile(r"^<!-- ([a-z-]+)(?:: (.+?))? -->$", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Add the pages of reports and notebooks to the contents."""
    for section in config.nav:
        if "The papers" in section:
            section["The papers"] += [
                {folder.name: f"papers/{folder.name}/report.md"} for folder in reports.folders()
            ]
        if "Notebooks" in section:
            section["Notebooks"] += [f"notebooks/{path.stem}.md" for path in notebooks.notebooks()]
    return config


def on_files(files: Files, config: Any) -> Files:
    files.append(File.generated(config, "assets/math.woff", content=math_font()))
    for folder in reports.folders():
        place = f"papers/{folder.name}"
        files.append(File.generated(config, f"{place}/report.md", content=reports.page_of(folder)))
        for path in reports.attachments(folder):
            files.append(File.generated(config, f"{place}/{path.name}", abs_src_path=str(path)))
    for path, notebook in zip(notebooks.notebooks(), notebooks.all_executed(), strict=True):
        files.src_uris[f"notebooks/{path.name}"].inclusion = InclusionLevel.EXCLUDED
        page = notebooks.page_of(notebook, path.stem)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=page.text))
        for name, picture in page.pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    def filled(place: re.Match[str]) -> str:
        name, argument = place.groups()
        if name not in TABLES:
            raise ValueError(f"<!-- {name} -->: known are {', '.join(TABLES)}")
        return TABLES[name](argument) if argument else TABLES[name]()

    in_papers = page.file.src_uri.startswith("papers/")
    markdown = _REPORT.sub("](" if in_papers else "](papers/", markdown.replace(GAPS, ""))
    return _PLACE.sub(filled, markdown)


def on_page_content(html: str, **_: Any) -> str:
    return with_mathml(html)
