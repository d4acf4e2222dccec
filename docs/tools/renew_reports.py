"""Makes the pages of the reports in results/ again from their data.

    python docs/tools/renew_reports.py

It plays nothing and draws nothing: `report.md`, and `report.html` for whoever wants to look at it,
are written from `report.json` and the figures beside it. It is needed when the templates of the
pages change, and when the version of uctlab does, since each page says which version made it and
whether that is an older one.
"""

from __future__ import annotations

from pathlib import Path

from uctlab.papers.pages import write_report
from uctlab.papers.report import FILE, read_report

RESULTS = Path(__file__).parents[2] / "results"


def main() -> None:
    for path in sorted(RESULTS.glob(f"*/{FILE}")):
        print(write_report(read_report(path), path.parent))


if __name__ == "__main__":
    main()
