"""The lab's page in a real browser: playing, watching, the duel, a phone, keys alone, the dark."""

from __future__ import annotations

import random
import re

import pytest

from tests.lab_browser import (
    DESKTOP,
    PHONE,
    cell,
    open_browser,
    open_page,
    play_to_the_end,
    stones,
    wait_for_turn,
)
from tests.lab_server import start_lab
from uctlab.games import Position, make_game
from uctlab.papers.pages import write_report
from uctlab.papers.report import Percent, Provenance, Report, Table

HEX = "#lab?game=hex:5&agents=uct(c=0.354)&playouts=200&you=first"
LOOK = HEX.replace("you=first", "you=both")


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


REPORT = Report(
    title="A report of <b>ours</b>",
    source="A paper",
    summary=("First _paragraph_.",),
    tables=(Table("table", "Scores", ("k", "score"), ((1, Percent.within(24.2, 2.7)),)),),
    figures=(),
    notes=(),
    provenance=Provenance("uctlab reproduce ours", "1 game", 0, ("1",), ("m",), "2026-01-02", 1.0),
)


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    results = tmp_path_factory.mktemp("results")
    write_report(REPORT, results / "ours")
    with start_lab(results=results) as running:
        yield running.url


def text(page, selector: str) -> str:
    return page.locator(selector).first.inner_text()


def numbers(page, selector: str) -> list[int]:
    return [int(t.replace(",", "")) for t in page.locator(selector).all_inner_texts()]


def test_a_game_of_othello(browser, lab):
    """From its last third on."""
    position, draw = Position.start(make_game("othello")), random.Random(1)
    for _ in range(44):
        position = position.play(draw.choice(position.legal))
    moves = ",".join(map(position.game.move_name, position.moves))
    address = f"#lab?game=othello&moves={moves}&agents=uct&playouts=20&you=second"
    with open_page(browser, lab, address) as page:
        assert play_to_the_end(page) >= 5
        black = page.locator("#lab .stone.black").count()
        white = page.locator("#lab .stone.white").count()
        assert 10 < black + white <= 64
        winner = (
            "drawn" if black == white else "Black has won" if black > white else "White has won"
        )
        assert winner in text(page, "#lab .status")
        assert page.locator("#lab .hit.legal").count() == 0


def test_a_game_of_hex_and_back(browser, lab):
    with open_page(browser, lab, HEX.replace("hex:5", "hex:4")) as page:
        clicks = play_to_the_end(page)
        assert "has won" in text(page, "#lab .status")
        assert page.locator("#lab .win").count() >= 4
        assert stones(page) in (2 * clicks, 2 * clicks - 1)
        played = stones(page)
        page.get_by_role("button", name="Undo").click()
        wait_for_turn(page, "yours")
        assert page.locator("#lab .win").count() == 0
        assert stones(page) < played


def test_a_search_is_watched_to_the_end(browser, lab):
    with open_page(browser, lab, LOOK) as page:
        page.get_by_role("button", name="Step by 10 playouts").click()
        page.wait_for_selector("#lab .facts-row dd:text-is('10')")
        page.wait_for_selector("#lab .state:text-is('Paused')")
        assert sum(numbers(page, "#lab td.bar")) == 10
        page.locator("#lab button:text-is('Continue')").click()
        page.wait_for_selector("#lab .state:text-is('Done')")
        assert text(page, "#lab .facts-row dd") == "200"
        assert sum(numbers(page, "#lab td.bar")) == 200
        assert page.locator("#lab .shade").count() == 25
        assert page.locator("#lab .ghost").count() >= 1
        page.locator("#lab .heat-tools button:text-is('Off')").click()
        assert page.locator("#lab .shade").count() == 0
        page.locator("#lab button:text-is('Charts')").click()
        assert page.locator("#lab .series").count() == 12  # six moves, two charts
        page.locator("#lab button:text-is('Tree')").click()
        page.locator("#lab .fold[aria-label^=unfold]").first.click()
        page.wait_for_selector("#lab .tree-list ul .tree-row .parts .exploration")
        page.get_by_role("button", name=re.compile("Play its move")).click()
        page.wait_for_selector("#lab .last")
        assert stones(page) == 1


def test_the_duel_on_the_hex_problem(browser, lab):
    """browne2013: UCT trusts b or d, UCT with RAVE and bridges finds e."""
    with open_page(browser, lab) as page:
        page.get_by_role("button", name="Watch the duel: A problem case in Hex").click()
        page.select_option("#duel .transport select", "full")
        page.wait_for_selector("#duel .state:text-is('Done')")
        left, right = page.locator("#duel .duel-side").all()
        for side in (left, right):
            assert side.locator("dd").first.inner_text() == "16,000"
        assert left.get_attribute("data-choice") in ("e1", "c2")
        assert right.get_attribute("data-choice") == "d2"
        assert re.search(r"would play [bd] \(.*would play e \(d2\)", text(page, "#duel .headline"))


def test_the_deceptive_tree_tells_its_story(browser, lab):
    address = "#duel?game=deceptive:2&agents=uct;auct(k=1)&playouts=60&seed=0"
    with open_page(browser, lab, address) as page:
        page.get_by_role("button", name="Step by 1 playout", exact=True).click()
        page.wait_for_selector("#duel .headline:has-text('After 1 playout ')")
        page.get_by_role("button", name="Step by 1,000 playouts").click()
        page.wait_for_selector("#duel .headline:has-text('both have seen through the trap')")
        assert page.locator("#duel .story li").count() == 2
        page.wait_for_function(  # the branch to H is labelled once the tree has been asked for
            "() => [...document.querySelectorAll('#duel .node.won.believed .fact')]"
            ".some(fact => parseInt(fact.textContent.replace(',', '')) > 100)"
        )


def test_links_set_up_and_files(browser, lab, tmp_path):
    with open_page(browser, lab, "#lab?game=hex:5&moves=c3,d3&you=both") as page:
        assert stones(page) == 2
        page.get_by_role("button", name="Set up").click()
        cell(page, "a1").click()
        cell(page, "c3").click()  # black on black takes it off
        page.get_by_role("button", name="Done").click()
        page.wait_for_selector("#lab .setup", state="hidden")
        assert stones(page) == 2 and "diagram" in page.url
        cell(page, "b2").click()
        page.wait_for_selector("#lab .last")
        with page.expect_download() as download:
            page.get_by_role("button", name="Save SGF").click()
        download.value.save_as(tmp_path / "game.sgf")
        link = page.url
        page.get_by_role("button", name="New", exact=True).click()
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 0")
        page.set_input_files("#lab input[type=file]", tmp_path / "game.sgf")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 3")
    with open_page(browser, lab, link[link.index("#") :]) as page:
        assert stones(page) == 3


def test_links_that_are_wrong_and_parameters_out_of_range(browser, lab):
    address = "#lab?game=hex:99&agents=nobody&playouts=1e12&you=anybody"
    with open_page(browser, lab, address) as page:
        told = " ".join(page.locator("#messages p").all_inner_texts())
        assert "The link contains no valid position: hex: size 99 is out of range" in told
        assert "an unknown agent: nobody" in told
        assert re.search(r"game=othello&agents=auct\(k=3\)&playouts=2000000&you=first$", page.url)
        page.locator("#lab .agent summary").click()
        decay = page.locator("#lab .parameters input").first
        decay.fill("99")
        decay.press("Tab")
        assert decay.get_attribute("aria-invalid") == "true" and "k=3" in page.url
        assert "99 is out of range. From 1 to 9." in text(page, "#messages div:last-child p")
        decay.fill("4")
        decay.press("Tab")
        assert decay.get_attribute("aria-invalid") == "false" and "k=4" in page.url


def test_a_named_position_can_be_chosen(browser, lab):
    with open_page(browser, lab, "#lab?game=hex:7&you=both") as page:
        page.locator("#lab").get_by_label("Start").select_option("browne2013")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 7")
        assert "game=hex:5&start=browne2013" in page.url
        cell(page, "d2").click()
        page.wait_for_selector("#lab .last")
        page.get_by_role("button", name="New", exact=True).click()
        page.wait_for_selector("#lab .last", state="detached")
        assert stones(page) == 7  # from the same start
        page.locator("#lab").get_by_label("Start").select_option("")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 0")


def test_a_report_is_shown_whole_in_a_frame(browser, lab):
    with open_page(browser, lab, "#results") as page:
        page.get_by_role("button", name="A report of").click()
        frame = page.locator(".report iframe")
        assert frame.get_attribute("title") == "Report: A report of <b>ours</b>"
        assert frame.get_attribute("sandbox") == "allow-same-origin"  # no scripts
        report = page.frame_locator(".report iframe")
        assert report.locator("h1").inner_text() == "A report of <b>ours</b>"
        assert report.locator("p").nth(1).inner_text() == "First _paragraph_."
        assert report.locator("td.number").all_inner_texts() == ["1", "24.2 ± 2.7 %"]
        for viewport in (DESKTOP, PHONE):
            page.set_viewport_size(viewport)
            page.wait_for_function(
                """() => {
                  const frame = document.querySelector(".report iframe");
                  const page = frame.contentDocument.documentElement;
                  return page.scrollHeight <= frame.clientHeight && frame.clientHeight < 1500;
                }"""
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        links = page.eval_on_selector_all(".report a", "all => all.map(one => one.href)")
        names = ("report.html", "report.json", "table.csv")
        assert links == [f"{lab}/api/results/ours/{name}" for name in names]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            colour = report.locator("body").evaluate(
                "body => getComputedStyle(body).backgroundColor"
            )
            assert (colour == "rgb(255, 255, 255)") == (scheme == "light")


def test_the_gallery_shows_a_board_for_each_case(browser, lab):
    with open_page(browser, lab, "#gallery") as page:
        page.wait_for_function(
            "() => [...document.querySelectorAll('.exhibit')].every("
            "one => one.querySelector('img.thumbnail').naturalWidth > 100)"
        )
        assert page.locator(".exhibit .thumbnail").count() == 4


def test_a_phone(browser, lab):
    """A touch aims first where cells are small; everything is shown without scrolling sideways."""
    options = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with open_page(browser, lab, "#lab?game=hex:11&you=both", **options) as page:
        cell(page, "f6").tap()
        page.wait_for_selector("#lab .cursor")
        assert stones(page) == 0
        cell(page, "f6").tap()
        page.wait_for_selector("#lab .last")
        assert stones(page) == 1
        for view in ("gallery", "lab", "duel", "results"):
            page.locator(f"nav a[href='#{view}']").tap()
            page.wait_for_selector(f"#{view}")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], view
            heights = page.eval_on_selector_all(
                f"#{view} button:not(.link):not(.fold)",
                "all => all.map(one => one.getBoundingClientRect().height).filter(Boolean)",
            )
            assert all(height >= 40 for height in heights), view


def test_keys_alone(browser, lab):
    with open_page(browser, lab, HEX) as page:
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.matches('#lab .board')"):
                break
        else:
            pytest.fail("Tab does not reach the board")
        page.keyboard.press("ArrowRight")  # the cursor appears in the middle, c3
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowUp")
        assert text(page, "#live") == "d2, empty"
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 2")
        wait_for_turn(page, "yours")
        assert "played" in text(page, "#live")
        assert "d2" in page.url
        page.keyboard.press("u")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 0")
        page.keyboard.press(" ")
        page.wait_for_selector("#lab .state:text-is('Done')")
        page.locator("nav a[href='#gallery']").press("Enter")
        page.get_by_role("button", name="Play Othello").press("Enter")
        page.wait_for_selector("#lab .board.square")
        assert page.evaluate("document.activeElement.id") == "main"  # and not lost


def test_dark_mode(browser, lab):
    with open_page(browser, lab, LOOK, color_scheme="dark") as page:
        colors = page.evaluate(
            "['backgroundColor', 'color'].map(name => getComputedStyle(document.body)[name])"
        )
        page_light, ink_light = (_luminance(color) for color in colors)
        assert page_light < 0.05
        assert (ink_light + 0.05) / (page_light + 0.05) > 7  # WCAG AAA
        cell_light = _luminance(
            page.eval_on_selector("#lab .hexagon", "one => getComputedStyle(one).fill")
        )
        assert 0.02 < cell_light < 0.2  # neither lost in the page nor glaring


def _luminance(color: str) -> float:
    """Relative luminance as WCAG defines it, of rgb(r, g, b)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
