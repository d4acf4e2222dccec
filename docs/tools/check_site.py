"""Checks that a built site loads nothing from elsewhere: python docs/tools/check_site.py site

Links that a reader may follow can lead anywhere. Everything that a browser fetches by itself
(scripts, styles, pictures, fonts, frames) must be a file of the site.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {"src", "srcset", "poster", "data", "xlink:href"}
NOT_FETCHED = {"canonical", "next", "prev", "edit"}
"""Kinds of <link> that only tell where something is."""
_IN_CSS = re.compile(r"""@import\s+["']([^"']+)["']|url\(\s*["']?([^"')]+)["']?\s*\)""")


class _Addresses(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.trouble: list[str] = []
        self._style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._style = tag == "style"
        if "mermaid" in given.get("class", "").split():
            self.trouble.append("a mermaid diagram, whose script the theme fetches from elsewhere")
        for name, value in given.items():
            if name == "srcset":
                self.found += [part.split()[0] for part in value.split(",") if part.strip()]
            elif name in FETCHED and not (name == "data" and tag != "object"):
                self.found.append(value)
            elif name == "style":
                self.found += _css_addresses(value)
        if tag in ("link", "image", "use") and given.get("rel") not in NOT_FETCHED:
            self.found.append(given.get("href", ""))

    def handle_data(self, data: str) -> None:
        if self._style:
            self.found += _css_addresses(data)


def _css_addresses(text: str) -> list[str]:
    return ["".join(groups) for groups in _IN_CSS.findall(text)]


def complaints(site: Path) -> Iterator[str]:
    """What is wrong with the site, one line each."""
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".svg"):
            page = _Addresses()
            page.feed(path.read_text(encoding="utf-8"))
            yield from (f"{path}: {text}" for text in page.trouble)
            found = page.found
        elif path.suffix == ".css":
            found = _css_addresses(path.read_text(encoding="utf-8"))
        else:
            continue
        for address in found:
            wrong = _wrong(address, path, site)
            if wrong:
                yield f"{path}: {address[:100]} {wrong}"


def _wrong(address: str, page: Path, site: Path) -> str:
    parts = urlsplit(address)
    if parts.scheme == "data" or not parts.path:
        return ""
    if parts.scheme or parts.netloc:
        return "is not a file of the site"
    start = site if parts.path.startswith("/") else page.parent
    target = start / unquote(parts.path).lstrip("/")
    return "" if target.exists() else "does not exist"


def main() -> int:
    site = Path(sys.argv[1] if len(sys.argv) > 1 else "site")
    pages = len(list(site.rglob("*.html")))
    found = list(complaints(site))
    for line in found:
        print(line, file=sys.stderr)
    if not pages:
        print(f"{site} has no pages; build it with: make docs", file=sys.stderr)
        return 1
    if found:
        return 1
    print(f"{pages} pages, all links checked, nothing fetched from elsewhere: {site}/index.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
