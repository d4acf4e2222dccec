"""Pictures of the lab for the README: docs/screenshots/*.png.

    .venv/bin/python docs/make_screenshots.py [name ...]

Starts a lab of its own and looks at it with Debian's Chromium (or the one that UCTLAB_CHROMIUM
names). Searches have seeds, so that the pictures come out the same but for speeds and times.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent / "screenshots"
OWN_GAME = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
PATIENCE = 180_000  # ms; a first search waits for the compiler
DESKTOP = {"width": 1280, "height": 1010}
PHONE = {"width": 390, "height": 844}


@dataclass(frozen=True)
class Shot:
    """A view of the page: its address, what is done there, how the browser is set."""

    address: str
    act: Callable[[Page], None]
    options: dict[str, Any] = field(default_factory=dict)
    game: str = ""
    """What the lab is started with."""


def start(view: str) -> Callable[[Page], None]:
    """Start a search and wait for its end."""

    def act(page: Page) -> None:
        page.locator(f"#{view} .transport button.primary").click()
        page.wait_for_selector(f"#{view} .state:text-is('Done')")

    return act


def think_and_show(panel: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        start("lab")(page)
        page.locator(f"#lab button:text-is('{panel}')").click()

    return act


def unfold(page: Page) -> None:
    think_and_show("Tree")(page)
    for _ in range(2):  # the best move, then the best answer
        page.locator("#lab .fold[aria-label^=unfold]").first.click()
        page.wait_for_timeout(500)


def draw_tree(page: Page) -> None:
    think_and_show("Tree")(page)
    page.locator("#lab button:text-is('Drawing')").click()
    page.wait_for_selector("#lab .tree-node.line-of-play")


def learn(*presses: str) -> Callable[[Page], None]:
    """Press buttons of a page of the course, each when its search rests."""

    def act(page: Page) -> None:
        for name in presses:
            page.wait_for_selector("#learn .step-card[data-busy=no]")
            page.locator("#learn").get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector("#learn .step-card[data-busy=no]")

    return act


def gallery(page: Page) -> None:
    page.wait_for_function(
        "() => [...document.querySelectorAll('#gallery .thumbnail')].filter("
        "one => one.naturalWidth > 0).length === 4"
    )


def results(page: Page) -> None:
    page.locator(".reports button:has-text('Othello')").last.click()
    page.frame_locator(".report iframe").locator("img, svg").first.wait_for()
    page.wait_for_timeout(500)


OTHELLO = "#lab?game=othello&moves=f5,d6,c3,d3,c4&agents=auct(k=3)&playouts=20000&seed=1&you=both"
HEX = (
    "#compare?game=hex:5&start=browne2013&agents=uct(c=0.354);uct(c=0.354,rave=k,playout=bridge)"
    "&playouts=16000&seed=0"
)
BACKWARDS = ("Accelerated UCT", "10 playouts", "Next playout", *["Next step"] * 4)
SHOTS = {
    "learn": Shot(
        "#learn/5",
        learn("Next", "Next", "Next", "Search 320 playouts with both"),
        {"viewport": {"width": 1280, "height": 900}},
    ),
    "playout": Shot(
        "#learn/playout", learn(*BACKWARDS), {"viewport": {"width": 1280, "height": 960}}
    ),
    "drawing": Shot(
        "#lab?game=hex:7&moves=d4&agents=uct&playouts=50000&seed=1&you=both",
        draw_tree,
        {"viewport": {"width": 1280, "height": 1300}},
    ),
    "gallery": Shot("#gallery", gallery, {"viewport": {"width": 1280, "height": 860}}),
    "deceptive": Shot(  # between the two turns: one has seen through the trap, the other has not
        "#compare?game=deceptive:2,depth=4&agents=uct;auct(k=1)&playouts=340&seed=0",
        start("compare"),
        {"viewport": {"width": 1280, "height": 1100}},
    ),
    "compare": Shot(HEX, start("compare"), {"viewport": {"width": 1280, "height": 1150}}),
    "lab": Shot(OTHELLO, think_and_show("Moves")),
    "charts": Shot(
        "#lab?game=havannah:5&moves=e5,d5&agents=uct&playouts=50000&seed=1&you=both",
        think_and_show("Charts"),
    ),
    "tree": Shot(
        "#lab?game=go:9&moves=E5,G7&agents=uct&playouts=20000&seed=1&you=both",
        unfold,
        {"color_scheme": "dark"},
    ),
    "own-game": Shot(
        "#lab?game=connect_four&moves=d,d,c,e,c&agents=uct&playouts=5000&seed=1&you=both",
        think_and_show("Moves"),
        {"viewport": {"width": 1280, "height": 960}},
        OWN_GAME,
    ),
    "results": Shot("#results", results),
    "phone": Shot(
        OTHELLO,
        start("lab"),
        {"viewport": PHONE, "device_scale_factor": 2, "has_touch": True, "is_mobile": True},
    ),
}


@contextmanager
def running_lab(game: str) -> Iterator[str]:
    """The address of a lab that ends with the block."""
    program = Path(sys.executable).with_name("uctlab")
    command = [str(program), "lab", *filter(None, [game]), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as lab:
        try:
            assert lab.stdout is not None
            yield lab.stdout.readline().split()[-1].partition("#")[0]
        finally:
            lab.terminate()


def take(browser: Browser, url: str, name: str, shot: Shot) -> None:
    context = browser.new_context(**{"viewport": DESKTOP, **shot.options})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(url + shot.address)
    page.wait_for_selector("body[data-ready]")
    shot.act(page)
    page.mouse.move(0, 0)
    page.wait_for_timeout(1200)  # the last report of the search, and the tree's figures
    page.evaluate("() => document.getElementById('warming').remove()")  # depends on the machine
    page.evaluate("() => scrollTo(0, 0)")
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    context.close()
    # A palette that covers all colours: a third of the bytes, and no difference to the eye.
    picture = Image.open(path).convert("RGB")
    palette = picture.quantize(method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    palette.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")


def main(names: list[str]) -> None:
    chromium = os.environ.get("UCTLAB_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is not here (Debian: package chromium)")
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for game in ("", OWN_GAME):
            chosen = [name for name in names or SHOTS if SHOTS[name].game == game]
            if chosen:
                with running_lab(game) as url:
                    for name in chosen:
                        take(browser, url, name, SHOTS[name])
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
