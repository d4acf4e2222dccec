"""The lab's page as a whole, in a real browser: lost connections, links, results, accessibility."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from tests.lab_browser import PHONE, cell, open_page, press, stones, text, wait_for_turn
from tests.lab_server import start_lab
from tests.test_lab_browser import REPORT
from tests.test_store import RECORD
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.papers.pages import write_report
from uctlab.papers.report import Table

LONG = "#lab?game=hex:4&agents=uct&playouts=2000000&you=second"
LONGER = LONG.replace("hex:4", "havannah:5")  # mc makes two million playouts of hex:4 in no time


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    corner = Table("corner", "A table with an empty corner", ("", "score"), (("k", 1),))
    write_report(replace(REPORT, tables=(corner,)), results / "ours")
    old = replace(REPORT, provenance=replace(REPORT.provenance, date="2020-01-02"))
    write_report(old, results / "z-old")
    (results / "by-hand").mkdir()
    (results / "by-hand" / "report.md").write_text("# By hand\n\nWritten on 2021-02-03.\n")
    with Store(results / "games.sqlite") as store:
        match = store.match_id(MatchPlan("hex:3", "uct", "mc", playouts=7))
        moves = "b2 a1 c1 a2 b1"
        store.add([(match, replace(RECORD, number=1, score=0.0, moves=moves, length=5))])
    with start_lab(results=results, here=results) as running:
        yield running.url


def test_after_a_lost_connection_everything_comes_back(browser):
    """The server dies while an agent thinks, and another one starts at its address."""
    pages = ExitStack()
    with start_lab() as first:
        port = int(first.host.rpartition(":")[2])
        page = pages.enter_context(open_page(browser, first.url, LONGER, forgiven="WebSocket"))
        press(page, "Let the agent move")
        page.wait_for_selector("#lab .state:text-is('Searching')")
        # Only the button connects again here; the page by itself might be faster than the click.
        page.evaluate(
            "() => { [globalThis.later, globalThis.setTimeout] = [setTimeout, () => 0]; }"
        )
    page.wait_for_selector("#offline:has-text('Reconnecting')")
    page.wait_for_selector("#lab .state:has-text('the connection was lost')")
    with start_lab(port=port):
        press(page, "Retry now")
        page.evaluate("() => { globalThis.setTimeout = globalThis.later; }")
        page.wait_for_selector("#lab .state:text-is('Searching')")
        assert page.locator("#offline").is_hidden()
        # Another agent does not search under the old one's name, nor the other way round.
        page.locator("#lab .agent select").first.select_option("mc")
        page.wait_for_selector("#lab .state:text-is('Searching')")
        page.wait_for_function(
            "() => document.querySelector('#lab .facts-row dd').textContent > '1'"
        )
        press(page, "Move now")
        wait_for_turn(page, "yours")
        assert "What mc thought before the last move" in page.locator("#lab .side").inner_text()
        press(page, "Think")
        page.wait_for_selector("#lab .state:text-is('Searching')")
    page.wait_for_selector("#lab .state:has-text('the connection was lost')")
    free = page.locator("#lab .hit.legal").first.get_attribute("data-cell")
    cell(page, free).click()  # nobody is there to answer
    with start_lab(port=port):
        wait_for_turn(page, "agent")  # the move is made now
        page.wait_for_selector("#lab .state:text-is('Searching')")
        press(page, "Move now")
        wait_for_turn(page, "yours")
        assert stones(page) == 3
        pages.close()


def test_an_agent_told_to_move_before_its_first_playout_moves_after_it(browser, lab):
    """Pressed as soon as the button is there: no report has a move yet."""
    with open_page(browser, lab, LONG + "&pace=slow") as page:
        page.evaluate(
            """() => {
              const stop = [...document.querySelectorAll("#lab .transport button")].find(
                (one) => one.textContent === "Stop");
              new MutationObserver((_, observer) => {
                if (stop.hidden || stop.textContent !== "Move now") return;
                observer.disconnect();
                stop.click();
              }).observe(document.querySelector("#lab .transport"), {
                attributes: true, childList: true, subtree: true });
            }"""
        )
        press(page, "Let the agent move")
        wait_for_turn(page, "yours")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 1")


def test_a_case_of_the_gallery_changes_nothing_in_the_lab(browser, lab):
    with open_page(browser, lab, "#lab?game=hex:4&agents=uct&playouts=77&seed=5&you=both") as page:
        cell(page, "b2").click()
        page.wait_for_selector("#lab .last")
        page.locator("nav a[href='#gallery']").click()
        press(page, "Watch: The deceptive tree")
        page.wait_for_selector("#compare .state:text-is('Paused')")
        assert "playouts=60&seed=3" in page.url
        page.locator("nav a[href='#lab']").click()
        assert re.search(r"#lab\?game=hex:4&moves=b2&agents=uct&playouts=77&seed=5", page.url)
        assert stones(page) == 1
        assert page.input_value("#lab .transport select") == "full"
        # Compared, and back on the board.
        press(page, "Compare")
        page.wait_for_selector("#compare .stone")
        assert "#compare?game=hex:4&moves=b2" in page.url
        press(page, "Play from here")
        page.wait_for_selector("#lab:not([hidden]) .stone")


def test_links_and_messages(browser, lab):
    with open_page(browser, lab, "#lab?game=hex:4&playouts=10.5&you=both&moves=zz") as page:
        assert "game=hex:4" in page.url and "playouts=11" in page.url
        told = page.locator("#messages .message")
        assert "zz" in told.inner_text()
        covered = page.evaluate(
            """() => {
              const box = document.querySelector("#messages .message").getBoundingClientRect();
              return [...document.querySelectorAll("button, a, select")].filter((one) => {
                const other = one.getBoundingClientRect();
                return other.width && !one.closest(".message") && other.top < box.bottom &&
                  other.bottom > box.top && other.left < box.right && other.right > box.left;
              }).length;
            }"""
        )
        assert covered == 0
        # The keyboard's cursor goes when the mouse comes.
        page.locator("#lab .board").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("#lab .cursor")
        page.hover("#lab .hit")
        page.wait_for_selector("#lab .cursor", state="detached")
        page.goto(f"{lab}/#lab?game=othello&you=both")
        page.wait_for_selector("#lab .board.square")
        hints = page.locator("#lab .hint").first
        assert float(hints.evaluate("one => getComputedStyle(one).opacity")) > 0.3
        # What the server compiles in the background is told.
        state = '{"now": {"game": "othello", "agent": "mc", "seconds": 3}, "left": 2}'
        page.route("**/api/warming", lambda route: route.fulfill(body=state))
        page.locator("#lab .agent select").first.select_option("mc")
        page.wait_for_selector("#warming:has-text('Preparing mc for othello')")
        # Half of a progress bar is filled, also where the browser's user has chosen the colours.
        page.emulate_media(forced_colors="active")
        page.evaluate(
            """() => {
              const bar = document.createElement("progress");
              [bar.id, bar.max, bar.value] = ["half", 1, 0.5];
              document.querySelector("#lab .transport").append(bar);
            }"""
        )
        bar = page.locator("#half")
        picture = Image.open(BytesIO(bar.screenshot())).convert("RGB")
        left, right = (picture.getpixel((picture.width * i // 4, 2)) for i in (1, 3))
        assert left != right
    with open_page(browser, lab, "#lab?game=chess") as page:
        assert page.locator("#gallery").is_visible() and "chess" in text(page, "#messages")
    with open_page(browser, lab, "#duel?game=hex:4&agents=uct;mc") as page:  # an older link
        assert page.locator("#compare .board.hex").count() == 2


def test_a_link_shows_its_position_and_waits(browser, lab):
    """No agent moves; and while the server looks at the position the address stays as it is."""
    link = "#lab?game=hex:4&moves=b2&agents=uct&playouts=20&you=first"
    with open_page(browser, lab, link) as page:
        assert text(page, "#lab .status") == "White to move"
        assert (stones(page), text(page, "#lab .state")) == (1, "Ready")
        page.reload()
        page.wait_for_selector("body[data-ready]")
        assert (stones(page), text(page, "#lab .state")) == (1, "Ready")
        for position in ("game=hex:4&moves=b2,c3", "game=othello"):
            followed = f"#lab?{position}&agents=mc&playouts=30&you=first"
            page.evaluate(
                """() => {
                  [globalThis.send, globalThis.held] = [WebSocket.prototype.send, []];
                  WebSocket.prototype.send = function (text) {
                    held.push(() => send.call(this, text));
                  };
                }"""
            )
            page.evaluate("link => { location.hash = link; }", followed)
            page.wait_for_function("() => held.length")
            assert page.url.endswith(followed)
            page.evaluate(
                "() => { WebSocket.prototype.send = send; held.forEach((one) => one()); }"
            )
            page.wait_for_selector("#lab .agent-text:text-is('mc')")
            page.wait_for_selector("#lab .status:text-is('Black to move: your turn')")
            assert page.url.endswith(followed)
        page.go_back()
        page.go_back()
        page.wait_for_selector("#lab .status:text-is('White to move: move 1 of 2')")
        page.get_by_role("button", name="Let the agent move").click()
        wait_for_turn(page, "yours")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 2")


def test_the_wheel_scrolls_the_page(browser, lab):
    address = "#lab?game=hex:3&moves=b2,b3,a1,a3&you=both"
    with open_page(browser, lab, address) as page:
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector("#lab .where:text-is('Move 3 of 4')")
        for way in (-1, 1):
            scrolls = page.locator("#lab .board").evaluate(
                """(board, way) => board.dispatchEvent(new WheelEvent(
                  "wheel", { deltaY: 300 * way, bubbles: true, cancelable: true }))""",
                way,
            )
            assert scrolls and text(page, "#lab .where") == "Move 3 of 4"


def test_a_link_without_its_token_says_what_to_do(browser):
    token, link = "a-token-of-the-test", "#lab?game=hex:4&moves=b2&agents=uct&playouts=20&you=both"
    with start_lab(token=token) as remote:
        context = browser.new_context()
        page = context.new_page()
        assert page.goto(f"{remote.url}/{link}").status == 403
        assert text(page, "h1") == "This address lacks its token"
        assert "Ask the person who started it" in text(page, "p")
        page.goto(f"{remote.url}/?token={token}")
        page.wait_for_selector("body[data-ready]")
        page.goto("about:blank")
        page.goto(f"{remote.url}/{link}")  # after that links work
        page.wait_for_selector("#lab .stone")
        context.close()


def test_the_page_asks_for_everything_once(browser, lab):
    """Modules and the catalog are named at its top, so that none waits for another."""
    asked: list[str] = []
    with open_page(browser, lab, "#gallery") as page:
        page.on("request", lambda one: asked.append(one.url.removeprefix(lab)))
        page.reload()
        page.wait_for_selector("body[data-ready]")
        early = page.eval_on_selector_all(
            "link[rel=modulepreload]", "all => all.map(one => new URL(one.href).pathname)"
        )
    modules = {path for path in asked if path.startswith("/static/js/")}
    assert modules - set(early) == {"/static/js/learn/view.js"}
    assert set(early) < modules and asked.count("/api/catalog") == 1
    assert len(modules) == sum(path.startswith("/static/js/") for path in asked)


def test_results_have_addresses_and_their_games_open(browser, lab):
    with open_page(browser, lab, "#results?report=ours") as page:
        page.wait_for_selector(".report iframe")
        press(page, "← All results")
        page.wait_for_selector(".overview .matches table")
        assert page.url.endswith("#results")
        # By their own dates; the folder tells those with the same title apart.
        assert page.locator(".overview .reports button").all_inner_texts() == [
            "A report of <b>ours</b> (ours)",
            "By hand",
            "A report of <b>ours</b> (z-old)",
        ]
        press(page, "By hand")
        page.wait_for_selector(".report pre:text('Written on')")
        press(page, "← All results")
        assert text(page, ".matches tbody th") == "games.sqlite"
        # The table is asked for again and again, but stays, and so does the focus in it.
        page.locator(".matches tbody button").focus()
        for _ in range(2):
            with page.expect_response("**/api/matches"):
                pass
        assert page.evaluate("document.activeElement.textContent") == "hex:3"
        page.go_back()
        page.wait_for_selector(".report pre")
        press(page, "← All results")
        page.locator(".matches tbody button").click()
        page.get_by_role("button", name="Game 2: B won, 5 moves").click()
        page.wait_for_selector("#lab .stone")
        assert stones(page) == 5
        assert text(page, "#lab .names") == "Black: mc, White: uct"
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 4")


VIEWS = (
    "#gallery",
    "#lab?game=hex:4&agents=uct&playouts=30&seed=1&you=both&moves=b2,c3",
    "#lab?game=go:9&moves=B3,C3,B2,C2,B1,C1,B4,C4,pass,pass&you=both",
    "#compare?game=hex:4&agents=uct;mc&playouts=30&seed=1",
    "#compare?game=deceptive:2&agents=uct;auct(k=1)&playouts=30&seed=3",
    "#results",
    "#results?report=ours",
    "#results?match=games.sqlite%231",
    "#learn",
    *(f"#learn/{number}" for number in range(1, 7)),
    "#learn/playout",
)
# Of each kind of view one: colours and places are what differs on a dark phone.
FEWER = tuple(view for view in VIEWS if view not in [f"#learn/{n}" for n in (2, 3, 5, 6)])
DARK_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}


@pytest.mark.parametrize(
    ("views", "options"), [(VIEWS, {}), (FEWER, DARK_PHONE)], ids=["light", "dark phone"]
)
def test_every_view_is_accessible(browser, lab, views, options):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    script = axe.axe_script

    def check(what: str) -> None:
        # It is large, and stays with the page until that is loaded again.
        axe.axe_script = "0" if page.evaluate("'axe' in window") else script
        found = axe.run(page)
        assert found.violations_count == 0, f"{what}: {found.generate_report()}"

    with open_page(browser, lab, "#results", **options) as page:
        for address in views:
            view = address.partition("?")[0].partition("/")[0]
            if view in ("#lab", "#compare"):  # elsewhere it shows when the page of before is gone
                page.goto("about:blank")
            page.goto(f"{lab}/{address}")
            page.wait_for_selector("body[data-ready]")
            page.wait_for_selector(f"section{view}:not([hidden])")
            if view == "#learn":
                number = address.partition("/")[2] or "list"
                rests = ".step-card[data-busy=no]" if number != "list" else ".contents"
                page.wait_for_selector(f"#learn[data-page='{number}'] {rests}")
            start = page.locator(".transport:visible button.primary:enabled")
            if start.count():
                start.click()
                page.wait_for_selector("section:not([hidden]) .state:text-is('Done')")
            if "report=" in address:
                page.frame_locator(".report iframe").locator("table").first.wait_for()
            if "match=" in address:
                page.get_by_role("button", name="Game 2").wait_for()
            # Keys are told where they do something, and where there may be a keyboard.
            keys = page.locator("footer p:visible").count()
            assert keys == (view in ("#lab", "#compare") and not options), address
            check(address)
            if "hex:4" in address and view == "#lab":
                for panel in ("Charts", "Tree", "Drawing"):
                    press(page, panel)
                    if panel != "Charts":
                        page.wait_for_selector(
                            "#lab .tree-row" if panel == "Tree" else "#lab .tree-node"
                        )
                    check(panel)
                press(page, "Open")
                check("the dialog to open a file")
                press(page, "Cancel")
                press(page, "Set up")
                check("a position is set up")
                page.locator("#lab .setup").get_by_role("button", name="Cancel").click()


def test_lines_that_come_and_go_are_accessible(browser, lab):
    """What is compiled, what a word means; an explanation goes with its word."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    with open_page(browser, lab, "#learn/3", reduced_motion="reduce") as page:
        page.wait_for_selector("#learn[data-page='3'] .step-card[data-busy=no]")
        state = '{"now": {"game": "othello", "agent": "mc", "seconds": 3}, "left": 2}'
        page.route("**/api/warming", lambda route: route.fulfill(body=state))
        page.locator("nav a[href='#lab']").click()
        page.locator("#lab .agent select").first.select_option("mc")
        page.wait_for_selector("#warming:has-text('Preparing mc for othello')")
        page.go_back()
        page.locator("#learn .term").first.focus()
        page.wait_for_selector("#tip")
        found = axe.run(page)
        assert found.violations_count == 0, found.generate_report()
        page.go_back()
        page.wait_for_selector("#tip", state="hidden")
