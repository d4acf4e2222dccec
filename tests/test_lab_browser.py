"""The lab's page in a real browser: playing, watching, comparing, a phone, keys alone, the dark."""

from __future__ import annotations

import random
import re

import pytest

from tests.lab_browser import (
    DESKTOP,
    PHONE,
    cell,
    open_page,
    play_to_the_end,
    stones,
    text,
    wait_for_turn,
)
from tests.lab_server import start_lab
from uctlab.games import Position, make_game
from uctlab.papers.pages import write_report
from uctlab.papers.report import Percent, Provenance, Report, Table

HEX = "#lab?game=hex:5&agents=uct(c=0.354)&playouts=200&you=first"
LOOK = HEX.replace("you=first", "you=both")


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
        assert text(page, "#lab .count") == f"Black {black}, White {white}."
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
        assert page.locator("#lab .ghost").count() == 0  # one layer at a time
        dots = "all => all.map(one => getComputedStyle(one).opacity)"  # would cover the numbers
        assert set(page.eval_on_selector_all("#lab .hint", dots)) == {"0"}
        assert "Numbers: percentage of all playouts" in text(page, "#lab .legend-text")
        page.hover("#lab tr[data-move]")
        page.wait_for_selector("#lab .ghost")
        assert page.locator("#lab .shade").count() == 0
        page.hover("#lab .status")
        page.wait_for_selector("#lab .ghost", state="detached")
        page.locator("#lab .heat-tools button:text-is('Off')").click()
        assert page.locator("#lab .shade").count() == 0
        page.locator("#lab button:text-is('Charts')").click()
        assert page.locator("#lab .side .series").count() == 12  # six moves, two charts
        page.locator("#lab button:text-is('Tree')").click()
        page.locator("#lab .fold[aria-label^=unfold]").first.click()
        page.wait_for_selector("#lab .tree-list ul .tree-row .parts .exploration")
        page.get_by_role("button", name=re.compile("Play its move")).click()
        page.wait_for_selector("#lab .last")
        assert stones(page) == 1


def test_two_agents_on_the_hex_problem(browser, lab):
    """browne2013: UCT trusts b or d, UCT with RAVE and bridges finds e."""
    with open_page(browser, lab) as page:
        page.get_by_role("button", name="Watch: A problem case in Hex").click()
        page.select_option("#compare .transport select", "full")
        page.wait_for_selector("#compare .state:text-is('Done')")
        left, right = page.locator("#compare .compare-side").all()
        for side in (left, right):
            assert side.locator("dd").first.inner_text() == "16,000"
            assert side.locator(".board .tick").count() == 1
            told = side.locator(".board").get_attribute("aria-label")
            assert told.endswith(". The right move, e (d2), is marked with a tick")
        assert left.get_attribute("data-choice") in ("e1", "c2")
        assert right.get_attribute("data-choice") == "d2"
        assert re.search(
            r"UCT plays [bd] \(.*UCT_rh plays e \(d2\)\. The right move is e \(d2\)\.$",
            text(page, "#compare .headline"),
        )
        assert re.search(
            r"plays [bd] .*playouts\. +The right move is e", text(page, "#compare .choice-text")
        )
        assert right.locator(".choice-text").inner_text().endswith("That is right.")
        # A tick stands beside a choice that is right, and beside no other.
        ticks = [side.locator(".choice-text .tick-sign").count() for side in (left, right)]
        assert ticks == [0, 1]
        # The case's text is told here, and the keys are those of this view.
        assert page.locator("#compare .intro li").count() == 3
        assert "(in 158 of 200 searches)" in text(page, "#compare .intro")
        assert "start both" in page.locator("footer").inner_text()
        assert "redo" not in page.locator("footer").inner_text()


def test_the_deceptive_tree_tells_its_story(browser, lab):
    """What the gallery's text says of the first case: paused, a contrast, no verdict too early."""

    def step(playouts: str, told: str) -> None:
        page.get_by_role("button", name=f"Step by {playouts}", exact=True).click()
        page.wait_for_selector(f"#compare .headline:has-text('{told}')")

    with open_page(browser, lab, "#gallery") as page:
        page.get_by_role("button", name="Watch: The deceptive tree", exact=True).click()
        page.wait_for_selector("#compare .state:text-is('Paused')")
        assert page.title() == "The deceptive tree · Compare · uctlab"
        assert page.evaluate("scrollY") == 0  # the navigation is in sight
        step("1 playout", "After 1 playout not every move has been tried yet.")
        assert text(page, "#compare .choice-text").startswith("has not decided yet.")
        step("1 playout", "After 2 playouts neither move is ahead yet.")
        step("1 playout", "After 3 playouts both are deceived. The right move is C.")
        assert re.search(
            r"plays B .*\. +The right move is C\.", text(page, "#compare .choice-text")
        )
        marks = page.locator("#compare .node:has(.tick:not([hidden])) .name").all_text_contents()
        assert marks == ["C", "C"]
        assert page.locator("#compare .node[aria-label='play C, the right move']").count() == 2
        step("10 playouts", "After 13 playouts both are deceived.")
        step("1 playout", "After 14 playouts")
        step("1 playout", "After 15 playouts both are deceived.")
        step(
            "1 playout", "After 16 playouts Accelerated UCT has seen through the trap, UCT is still"
        )
        step("1 playout", "After 17 playouts")
        step("1 playout", "After 18 playouts both have seen through the trap.")
        page.get_by_role("button", name="Step by 1,000 playouts").click()
        page.wait_for_selector("#compare .headline:has-text('After 1,018 playouts')")
        assert page.locator("#compare .story li").count() == 2
        page.wait_for_function(  # the branch to H is labelled once the tree has been asked for
            "() => [...document.querySelectorAll('#compare .node.won.believed .fact')]"
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
            page.locator("#lab .menu summary").click()
            page.get_by_role("button", name="Save SGF").click()
        download.value.save_as(tmp_path / "game.sgf")
        link = page.url
        page.get_by_role("button", name="New", exact=True).click()
        page.get_by_role("button", name="New game").click()
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 0")
        page.get_by_role("button", name="Open", exact=True).click()
        page.set_input_files("dialog input[type=file]", tmp_path / "game.sgf")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 3")
    with open_page(browser, lab, link[link.index("#") :]) as page:
        assert stones(page) == 3


def test_links_that_are_wrong_and_parameters_out_of_range(browser, lab):
    address = "#lab?game=hex:99&agents=nobody&playouts=1e12&you=anybody"
    with open_page(browser, lab, address) as page:
        told = " ".join(page.locator("#messages p").all_inner_texts())
        assert "The link contains no valid position: hex: size 99 is out of range" in told
        assert "an unknown agent: nobody" in told
        assert re.search(
            r"game=hex:11&agents=uct\(rave=fuego,playout=bridge\)&playouts=2000000&you=first$",
            page.url,
        )
        page.locator("#lab .agent select").first.select_option("auct")
        page.locator("#lab .agent summary").first.click()
        decay = page.locator("#lab .parameters input").first
        decay.fill("99")
        decay.press("Tab")
        assert decay.get_attribute("aria-invalid") == "true" and "k=3" in page.url
        assert "99 is out of range. From 1 to 9." in text(page, "#messages div:last-child p")
        decay.fill("auto")
        decay.press("Tab")
        assert decay.get_attribute("aria-invalid") == "false" and "k=auto" in page.url
        decay.fill("4")
        decay.press("Tab")
        assert decay.get_attribute("aria-invalid") == "false" and "k=4" in page.url


def test_each_game_has_its_agent(browser, lab):
    """Also in links that name none; another choice stays with its game."""

    def choose(game: str, agent: str) -> None:
        page.locator("#lab").get_by_label("Game", exact=True).select_option(game)
        page.wait_for_selector(f"#lab .agent-text:text-is('{agent}')")

    with open_page(browser, lab, "#gallery") as page:
        page.get_by_role("button", name="Play Go").click()
        page.wait_for_selector("#lab .board.go")
        assert "#lab?game=go:9&agents=fuego&" in page.url
        choose("hex", "uct(rave=fuego,playout=bridge)")
        page.locator("#lab .agent select").first.select_option("mc")
        choose("othello", "auct(k=3)")
        choose("hex", "mc")
        page.goto(f"{lab}/#lab?game=go:5&you=both")
        page.wait_for_selector("#lab .agent-text:text-is('fuego')")


def test_a_named_position_can_be_chosen(browser, lab):
    """And a search there is told what is right."""
    with open_page(browser, lab, LOOK.replace("hex:5", "hex:7")) as page:
        page.locator("#lab").get_by_label("Start").select_option("browne2013")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 7")
        assert "game=hex:5&start=browne2013" in page.url
        assert page.locator("#lab .tick").count() == 0  # before a search nobody is told
        page.get_by_role("button", name="Think", exact=True).click()
        page.wait_for_selector("#lab .state:text-is('Done')")
        told = r"UCT plays \w \(\w\d\)\. +(The right move is e \(d2\)|That is right)\."
        assert re.fullmatch(told, text(page, "#lab .verdict"))
        assert page.locator("#lab .board .tick").count() == 1
        cell(page, "d2").click()
        page.wait_for_selector("#lab .last")
        page.get_by_role("button", name="New", exact=True).click()
        page.get_by_role("button", name="New game").click()
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
        assert "First _paragraph_." in report.locator("p").all_inner_texts()
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


def test_the_gallery_has_a_board_for_each_case_and_a_game_to_play(browser, lab):
    with open_page(browser, lab, "#gallery") as page:
        page.wait_for_function(
            "() => [...document.querySelectorAll('.exhibit')].every("
            "one => one.querySelector('img.thumbnail').naturalWidth > 100)"
        )
        # The deep tree is cut off below: whole, its labels could not be read.
        page.wait_for_selector("[data-exhibit=deceptive-deep] .tall")
        assert page.locator(".tall").count() == 1
        sources = "all => all.map(one => one.currentSrc.endsWith('?night'))"
        assert page.eval_on_selector_all(".thumbnail", sources) == [False] * 4
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(
            "() => [...document.querySelectorAll('.thumbnail')].every("
            "one => one.currentSrc.endsWith('?night') && one.complete && one.naturalWidth > 100)"
        )
        cards = page.locator(".exhibit").all()
        assert len(cards) == 4
        for card in cards:
            for part in ("img", "p", "button"):
                assert card.locator(part).count() == 1, part
            assert card.locator("dfn.term").count()
        assert page.locator("footer p:visible").count() == 0  # no keys do anything here
        begin = page.get_by_role("button", name="Play", exact=True)
        assert begin.bounding_box()["y"] < cards[0].bounding_box()["y"]
        begin.click()
        page.wait_for_selector("#lab .board.square")
        assert page.url.endswith("#lab?game=othello&agents=auct(k=3)&playouts=20000&you=first")
        assert text(page, "#lab .status") == "Black to move: your turn"
        assert "redo" in page.locator("footer").inner_text()


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
        # The board comes first, the settings are a line below it.
        board, settings = (
            page.locator(f"#lab {one}").bounding_box() for one in (".board", ".lab-settings")
        )
        assert board["y"] < 200 and settings["y"] > board["y"] + board["height"]
        assert settings["height"] < 80
        # And then what makes the agent think, before the list of moves.
        think, game = (
            page.locator(f"#lab {one}").bounding_box() for one in (".side", ".game-panel")
        )
        assert settings["y"] < think["y"] < game["y"]
        for view in ("gallery", "lab", "compare", "results"):
            page.locator(f"nav a[href='#{view}']").tap()
            page.wait_for_selector(f"#{view}")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], view
            heights = page.eval_on_selector_all(
                f"#{view} button:not(.link):not(.fold)",
                "all => all.map(one => one.getBoundingClientRect().height).filter(Boolean)",
            )
            assert all(height >= 40 for height in heights), view
            if view == "compare":
                board = page.locator("#compare .board").first.bounding_box()
                assert board["y"] + board["height"] < PHONE["height"]
                assert page.locator("#compare .settings-fold").get_attribute("open") is None
            # The browser jumps to the section with the address's name, but not past the header.
            moved = page.evaluate(
                """view => new Promise((done) => {
                  location.hash = view;
                  requestAnimationFrame(() => requestAnimationFrame(() => done(scrollY)));
                })""",
                view,
            )
            assert moved == 0, view


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
