"""The documentation keeps up with the program: agents, commands, options, links, results.

MkDocs is not needed here; `make docs` builds the site and checks the rest.
"""

import ast
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
import typer

from tests.doc_blocks import DOCS, ROOT, commands
from uctlab.agents import AGENTS, make_agent
from uctlab.cli.main import COMMANDS, program
from uctlab.games import FAMILIES

sys.path.insert(0, str(DOCS / "tools"))
import check_site
import code_tables
import reports

PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
COMMAND_LINES = sorted({line for page in PAGES for line in commands(page)})
GAPS = "*In the repository this page has gaps: `make docs` fills in what is made from code and"


def text_of(page):
    return (DOCS / page).read_text(encoding="utf-8")


def without_code(page):
    text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page):
    """As Python-Markdown names headings."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"(?ms)^```.*?^```$", "", text_of(page)), re.M)
    slugs = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings)
    return {re.sub(r"[-\s]+", "-", slug) for slug in slugs}


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_has_its_section(name):
    page = text_of("agents.md")
    section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    for part in ("$$", "**Paper:**", "**When to use it:**", f"<!-- agent-options: {name} -->"):
        assert part in section, f"{part} is missing"
    made = code_tables.agent_options(name)
    assert all(f"| `{option}` |" in made for option in AGENTS[name].options)


PLANS = re.compile(r"\b(goals?|targets?|aims?|ratio to reach)\b", re.IGNORECASE)
WRITTEN = ("README.md", "CHANGELOG.md", "benchmarks/README.md", "docs/**/*.md", "results/*/*.md")


def test_pages_say_what_was_measured_and_not_what_was_hoped_for():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for pattern in WRITTEN
        for path in sorted(ROOT.glob(pattern))
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1)
        if PLANS.search(line)
    ]
    assert not found


@pytest.mark.parametrize("file", ["README.md", "docs/index.md", "CITATION.cff"])
def test_every_board_game_is_named(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    assert all(name.title() in text for name in FAMILIES if name != "deceptive")


def test_every_command_is_described():
    shown = code_tables.commands()
    assert all(f"`uctlab {name}" in shown for name in COMMANDS)
    written = {line.split()[1] for line in COMMAND_LINES}
    assert written == set(COMMANDS)


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_commands_exist_with_these_options(line):
    words = shlex.split(line.replace("...", ""))[1:]
    name = words.pop(0)
    command = typer.main.get_command(program(name)).commands[name]
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    given = {word for word in words if word.startswith("--")}
    assert given <= known, f"{given - known} of {line}"
    for agent in words[words.index("--agent") + 1 :][:1] if "--agent" in words else ():
        if ".py" not in agent:
            make_agent(agent)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        place = Path(page).parent / path if path else Path(page)
        there = (DOCS / place).resolve()
        assert there.exists(), target
        if not there.is_relative_to(ROOT / "results"):  # which the site has as papers/
            here = there.relative_to(DOCS).as_posix()
            assert not anchor or anchor in anchors(here), target


@pytest.mark.parametrize("page", PAGES)
def test_a_page_with_gaps_says_so(page):
    has_gaps = re.search(r"^<!-- [a-z-]+(: .+)? -->$", text_of(page), re.MULTILINE)
    assert (GAPS in text_of(page)) == bool(has_gaps)


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_in_the_contents_and_say_what_they_are_for(page):
    assert f"- {page}\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    body = re.sub(r"\A---.*?^---\n", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    opening = re.match(r"\s*# .+\n\n([A-Z*u].+(?:\n.+)*)\n\n", body)
    assert opening, "a title, then a paragraph"
    assert len(opening[1]) < 300


def test_every_report_is_linked_and_its_table_is_shown():
    page = text_of("papers/index.md")
    for folder in reports.folders():
        assert f"](../../results/{folder.name}/report.md)" in page, folder.name
        assert reports.page_of(folder).startswith(f"# {reports.title_of(folder)}")
    for name in re.findall(r"<!-- beside: (.+) -->", page):
        assert reports.beside(*name.split()).count("\n") > 2, name
    for name in re.findall(r"<!-- figure: (.+) -->", page):
        assert ".svg" in reports.figure(*name.split())


def test_published_figures_stand_beside_ours():
    made = reports.beside("hashimoto2012-table1-othello")
    assert "| Accelerated | 3 | 56.3 ± 3.2 % | 53.0 ± 3.2 % | yes | 1,000 |" in made


def test_an_example_is_shown_whole():
    shown = code_tables.example("uct_in_one_file").splitlines()
    assert shown[:3] == ['??? example "examples/uct_in_one_file.py"', "", "    ```python"]
    text = (ROOT / "examples" / "uct_in_one_file.py").read_text(encoding="utf-8")
    assert [line[4:] for line in shown[3:-1]] == text.splitlines()


def test_how_many_games():
    made = code_tables.games_needed()
    assert "| 51 % | 7 | 9,604 | 19,624 | 13,736 |" in made
    assert code_tables.pairs_of_games(1.96, 0.1, 0.0) == 98  # 96.04, in whole pairs


def test_what_a_site_may_not_fetch(tmp_path):
    (tmp_path / "here.css").write_text("@import 'https://example.org/a.css';")
    (tmp_path / "index.html").write_text(
        '<link rel="stylesheet" href="here.css"><link rel="canonical" href="https://a.org/">'
        '<script src="https://example.org/b.js"></script><img src="missing.png">'
        '<a href="https://example.org/c">a link</a><style>p { background: url(//d.org/d) }</style>'
        '<img src="data:image/png;base64,AA=="><pre class="mermaid">graph</pre>'
    )
    found = "\n".join(check_site.complaints(tmp_path))
    assert found.count("\n") == 4
    for wrong in ("a.css is not", "b.js is not", "missing.png does not", "//d.org/d is", "mermaid"):
        assert wrong in found


def test_a_notebook_becomes_a_page():
    nbformat = pytest.importorskip("nbformat", reason="the extra docs is not installed")
    pytest.importorskip("nbclient", reason="the extra docs is not installed")
    import notebooks  # noqa: PLC0415

    new = nbformat.v4
    outputs = [
        new.new_output("stream", text="one\n"),
        new.new_output("stream", text="\x1b[31mtwo\x1b[0m\n"),
        new.new_output("display_data", {"image/svg+xml": "<?xml version='1.0'?>\n<svg></svg>"}),
        new.new_output("execute_result", {"text/html": "<b>b</b>\n\n<script>1</script>"}),
        new.new_output("display_data", {"image/png": "aGVsbG8="}),
    ]
    cells = [
        new.new_markdown_cell("# Title\n\n$x$"),
        new.new_code_cell("print('```')", outputs=outputs),
    ]
    page = notebooks.page_of(new.new_notebook(cells=cells), "01-name")
    assert page.text == (
        "# Title\n\n$x$\n\n````python\nprint('```')\n````\n\n```text\none\ntwo\n```\n\n"
        '<div class="output"><svg></svg></div>\n\n<div class="output"><b>b</b></div>\n\n'
        "![The picture that the cell draws](01-name-1-3.png)\n"
    )
    assert page.pictures == {"01-name-1-3.png": b"hello"}


def code_of_the_documentation():
    """The tools, and the code of each notebook."""
    for path in (DOCS / "tools").glob("*.py"):
        yield path.read_text(encoding="utf-8")
    for path in (DOCS / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_the_extra_docs_is_all_that_the_documentation_needs():
    imported = set()
    for code in code_of_the_documentation():
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Import):
                imported |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module.partition(".")[0])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["docs"]]
    installed = {re.match(r"[\w-]+", one)[0].lower() for one in needed}
    own = {"uctlab", *(path.stem for path in (DOCS / "tools").glob("*.py"))}
    assert {"mkdocs", "pandas"} <= imported
    assert imported - own - sys.stdlib_module_names <= installed


class Counted:
    """Stands for nbclient's class: it counts what is executed."""

    executed = 0

    def __init__(self, *_, **__):
        pass

    def execute(self):
        type(self).executed += 1


def test_a_notebook_is_executed_once_for_each_content_program_and_library(tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat", reason="the extra docs is not installed")
    pytest.importorskip("nbclient", reason="the extra docs is not installed")
    import notebooks  # noqa: PLC0415

    assert ".venv" not in notebooks.KEPT.parts
    monkeypatch.setattr(notebooks, "NotebookClient", type("Client", (Counted,), {}))
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    monkeypatch.setattr(notebooks, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(notebooks, "version", lambda library: "1.0")
    for folder in ("src", "notebooks"):
        (tmp_path / folder).mkdir()
    path, source = tmp_path / "notebooks" / "1-one.ipynb", tmp_path / "src" / "data.json"

    def executed_after(change=None):
        if change:
            change()
        for _ in "ab":
            notebooks.executed(path)
        assert len(list((tmp_path / "kept").iterdir())) == 1, "earlier ones are gone"
        return notebooks.NotebookClient.executed

    def write(text):
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text)]), path)

    source.write_text("1")
    assert executed_after(lambda: write("1")) == 1
    assert executed_after(lambda: write("2")) == 2
    assert executed_after(lambda: source.write_text("2")) == 3
    monkeypatch.setattr(notebooks, "version", lambda library: "2.0")
    assert executed_after() == 4
