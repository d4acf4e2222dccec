"""A real browser for the lab's page: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
# The person's turn, or the end, at another address than the last one.
NEXT_TURN = """address => {
  const { turn } = document.querySelector("#lab").dataset;
  if (location.href === address || !["yours", "over"].includes(turn)) return null;
  const legal = [...document.querySelectorAll("#lab .hit.legal")].map((one) => one.dataset.cell);
  return { turn, legal, address: location.href };
}"""
PATIENCE = 600_000  # ms; the first search of a kind waits for the compiler
# Parts of a window that nobody sees take half of the browser's time: its address bar is a page in a
# process of its own. The last such list counts, so those of Playwright's that matter are here too.
UNUSED = (
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "PreloadTopChromeWebUI"),
    *("PaintHolding", "MediaRouter", "OptimizationHints", "HttpsUpgrades"),
    "AvoidUnnecessaryBeforeUnloadCheckSync",
)
POLLING = 50  # ms; otherwise Playwright asks in every frame, and Chromium draws sixty a second


def chromium() -> str | None:
    """The browser's program; UCTLAB_CHROMIUM names another one."""
    return os.environ.get("UCTLAB_CHROMIUM") or shutil.which("chromium")


@contextmanager
def open_browser():
    """A browser, or a skipped test where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    program = chromium()
    if program is None:
        pytest.skip("Chromium is not here (Debian: package chromium)")
    with api.sync_playwright() as playwright:
        options = ["--no-sandbox", f"--disable-features={','.join(UNUSED)}"]
        browser = playwright.chromium.launch(executable_path=program, args=options)
        yield browser
        browser.close()


@contextmanager
def open_page(browser, url: str, fragment: str = "", forgiven: str = "\0", **options) -> Iterator:
    """The lab's page when everything on it listens; errors in its console fail the test, but for
    those that contain `forgiven`, and so does a request to any other place."""
    options = {"viewport": DESKTOP, "accept_downloads": True} | options
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda line: troubles.append(line.text) if line.type == "error" else None)
    page.on("request", lambda one: None if is_ours(one.url, url) else troubles.append(one.url))
    page.goto(f"{url}/{fragment}")
    page.wait_for_selector("body[data-ready]")
    yield page
    context.close()
    assert not [trouble for trouble in troubles if forgiven not in trouble]


def is_ours(address: str, url: str) -> bool:
    """Whether a request goes to the lab, or nowhere."""
    return address.startswith((f"{url}/", "data:", "blob:", "about:"))


def text(page, selector: str) -> str:
    return page.locator(selector).first.inner_text()


def press(page, name: str, **options) -> None:
    page.get_by_role("button", name=name, exact=True, **options).click()


def cell(page, name: str, inside: str = "#lab"):
    """What one clicks to play there."""
    return page.locator(f'{inside} [data-cell="{name}"]').first


def wait_for_turn(page, *turns: str) -> str:
    """Until it is the person's turn, the agent's, or the game is over: yours, agent, over."""
    page.wait_for_function(
        "turns => turns.includes(document.querySelector('#lab').dataset.turn)",
        arg=list(turns),
        polling=POLLING,
    )
    return page.get_attribute("#lab", "data-turn")


def stones(page, inside: str = "#lab") -> int:
    return page.locator(f"{inside} .stone").count()


def play_to_the_end(page) -> int:
    """Click legal moves until the game is over; how many."""
    clicks, address = 0, ""
    while True:
        shown = page.wait_for_function(NEXT_TURN, arg=address, polling=POLLING).json_value()
        address, legal = shown["address"], shown["legal"]
        if shown["turn"] == "over":
            return clicks
        if legal:
            cell(page, legal[clicks * 7 % len(legal)]).click()
        else:
            page.get_by_role("button", name="Pass", exact=True).click()
        clicks += 1
