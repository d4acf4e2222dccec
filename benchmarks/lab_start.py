"""How soon the page of `uctlab lab` answers: seconds from the command, with a browser that is open.

    python benchmarks/lab_start.py --runs 8 [--cold]

Prints for each view when the address was printed and when everything on the page listened, best and
median, and how idle the machine was before. --cold gives each run an empty cache of kernels.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

VIEWS = {"gallery": "", "lab": "#lab?game=othello&you=first"}
IDLE_SECONDS = 0.3  # over which the machine is looked at


def idle_share() -> float:
    """Of all cores, just now."""

    def ticks() -> tuple[int, int]:
        counts = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]
        return counts[3] + counts[4], sum(counts)

    idle, whole = ticks()
    time.sleep(IDLE_SECONDS)
    later_idle, later_whole = ticks()
    return (later_idle - idle) / max(1, later_whole - whole)


def start(browser: Browser, fragment: str, cold: bool) -> tuple[float, float, float]:
    """Seconds until the page listens, until the address was printed, and the idle share before."""
    context = browser.new_context()
    page = context.new_page()
    cache = tempfile.mkdtemp() if cold else ""
    environment = {**os.environ, **({"UCTLAB_CACHE": cache} if cold else {})}
    command = [sys.executable, "-m", "uctlab", "lab", "--no-browser", "--port", "0"]
    idle = idle_share()
    begin = time.perf_counter()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert server.stdout
    try:
        address = server.stdout.readline().split()[-1]
        printed = time.perf_counter()
        page.goto(address + fragment, wait_until="commit")
        page.wait_for_selector("body[data-ready]")
        listens = time.perf_counter()
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(20)
        context.close()
        shutil.rmtree(cache, ignore_errors=True)
    return listens - begin, printed - begin, idle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--cold", action="store_true", help="with an empty cache of kernels")
    options = parser.parse_args()
    program = os.environ.get("UCTLAB_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for view, fragment in VIEWS.items():
            runs = [start(browser, fragment, options.cold) for _ in range(options.runs)]
            listens, printed, idle = min(runs)
            median = statistics.median(run[0] for run in runs)
            print(
                f"{view:8} best {listens:.2f} s (address after {printed:.2f} s, machine "
                f"{100 * idle:.0f} % idle), median of {len(runs)} {median:.2f} s",
                flush=True,
            )
        browser.close()
    print(f"load average of the last minute: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
