"""The course in a real browser: its chapters, one playout, the tree as a drawing, the glossary."""

from __future__ import annotations

import re

import pytest

from tests.lab_browser import PHONE, POLLING, open_page, stones
from tests.lab_server import start_lab
from tests.patience import wait_until
from uctlab.games import Position, make_game
from uctlab.lab import limits

TIMES = "\N{MULTIPLICATION SIGN}"
STILL = {"reduced_motion": "reduce"}  # and no test waits for an animation
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True, **STILL}


@pytest.fixture(scope="module")
def running(browser, tmp_path_factory):
    with start_lab(results=tmp_path_factory.mktemp("results")) as started:
        yield started


@pytest.fixture(scope="module")
def lab(running):
    return running.url


def ready(page, number: str) -> None:
    """Until that page of the course is there and its search rests."""
    page.wait_for_selector(f"#learn[data-page='{number}'] .step-card[data-busy=no]")


def press(page, *names: str) -> None:
    for name in names:
        page.wait_for_selector("#learn .step-card[data-busy=no]")
        page.locator("#learn").get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector("#learn .step-card[data-busy=no]")


def words(page) -> str:
    return page.locator("#learn .sentences").inner_text()


def live_numbers(page) -> list[float]:
    """The numbers of the first formula, in their order."""
    numbers = page.locator("#learn .in-numbers math").first.locator("mn")
    return [float(text) for text in numbers.all_text_contents()]


def test_the_first_chapters(browser, lab, running, monkeypatch):
    with open_page(browser, lab, "#learn", **STILL) as page:
        page.wait_for_selector("#learn .contents")
        assert page.locator("#learn .contents li").count() == 7
        assert page.locator("#learn .glossary dt").count() > 20
        page.get_by_role("link", name="Random games").click()
        ready(page, "1")
        assert page.url.endswith("#learn/1") and page.title() == "Random games · Learn · uctlab"
        assert page.evaluate("document.activeElement.tagName") == "H1"
        press(page, "Play a random game")
        told = re.search(
            r"Game 1: Black began with (\w+), and after (\d+) moves (\w+) was", words(page)
        )
        assert told and stones(page, "#learn") == int(told[2])
        assert page.locator("#learn .win").count() >= 4
        assert page.evaluate("document.activeElement.textContent") == "Play a random game"
        press(page, "Next", "Every first move ten times")
        assert "After 161 games every first move has been tried 10 or 11 times" in words(page)
        assert page.locator("#learn .shade").count() == 16
        press(page, "Next")
        wins, games = re.search(r"has won (\d+) of its (\d+) games", words(page)).groups()
        error = (int(wins) / int(games) * (1 - int(wins) / int(games)) / int(games)) ** 0.5
        assert f"{100 * error:.1f}" in words(page)
        assert page.locator("#learn .formula math").count() >= 2
        # A symbol is explained on focus, a word on hover; Escape takes the explanation away.
        page.locator("#learn .formula math .symbol").first.focus()
        assert page.locator("#tip").is_visible() and "result" in page.inner_text("#tip")
        page.keyboard.press("Escape")
        assert not page.locator("#tip").is_visible()
        press(page, "Back")
        page.locator("#learn .term", has_text="flat Monte Carlo").first.hover()
        assert "without a tree" in page.inner_text("#tip")
        # The experiment is a link, and runs.
        run = page.get_by_role("link", name="Run flat Monte Carlo in the Lab")
        assert "start=browne2013" in run.get_attribute("href")
        page.goto(f"{lab}/#learn/2")
        ready(page, "2")
        for machine in "ABCDEA":
            page.get_by_role("button", name=f"Machine {machine}").click()
        coins = page.locator("#learn .machine span:nth-of-type(2)").all_inner_texts()
        assert sum(int(text.split()[-1]) for text in coins) == 6  # UCB1 plays as many
        press(page, "Next")
        assert "the highest of all" in words(page)
        mean, _, spent, n, score = live_numbers(page)
        assert spent == 5 and score == pytest.approx(mean + (1.6094379 / n) ** 0.5, abs=2e-3)
        press(page, "Next", "160 games")
        assert sum(map(int, page.locator("#learn .amount").all_text_contents())) == 160
        page.goto(f"{lab}/#learn/3")
        ready(page, "3")
        press(page, "One playout", "Next", "100 playouts")
        assert "After 101 playouts the tree has" in words(page)
        assert page.locator("#learn .tree-node").count() > 12
        node = page.locator("#learn .tree-node.line-of-play").nth(1)
        way = node.get_attribute("data-path").split()
        node.click()
        assert stones(page, "#learn") == len(way) == 2
        # A search that the server took away, since nobody used it, comes back by itself.
        with monkeypatch.context() as impatient:
            impatient.setattr(limits, "IDLE_SECONDS", 0.0)
            wait_until(lambda: not running.server.pool._leases)
        press(page, "10 playouts")
        assert "After 111 playouts the tree has" in words(page)
        page.go_back()
        ready(page, "2")


def test_the_chapters_on_deception(browser, lab):
    with open_page(browser, lab, "#learn/4", **TOUCH) as page:
        ready(page, "4")
        press(page, "Next", "One playout", "One playout")
        assert "B is worth 1.000 after 1 visit, and C is worth 0.000 after 1 visit" in words(page)
        press(page, "Next", "Until it changes its mind")
        assert "At playout 18 UCT turned from B to C" in words(page)
        assert "turns to C at 18" in page.locator("#learn .chart").text_content()
        press(page, "Next")
        assert re.search(r"B still carries \d wins? among its \d+ visits", words(page))
        page.goto(f"{lab}/#learn/5")
        ready(page, "5")
        told = "has preferred C since playout 204 of 320, and has changed its mind twice"
        assert f"Plain UCT {told}" in words(page)
        press(page, "Next", "Next", "Next", "Search 320 playouts with both")
        assert "Accelerated UCT has preferred C since playout 118 of 320" in words(page)
        page.locator("#decay").focus()
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        assert "0.990" in page.locator("#learn output").inner_text()
        press(page, "Search 320 playouts with both", "Next")
        assert page.locator("#learn .turning tbody tr").count() == 3
        assert "Accelerated UCT with λ = 0.900 has preferred C for the longest" in words(page)
        page.goto(f"{lab}/#learn/6")
        ready(page, "6")
        press(page, "Run UCT", "Next", "Next", "Next", "Run UCT with both")
        assert "That is right." in words(page)
        found = page.locator("#learn .found td:nth-of-type(1)").all_inner_texts()
        assert re.fullmatch("[bdh], wrong", found[0]) and found[3] == "e, right"
        for number in ("4", "5", "6", "playout"):
            page.goto(f"{lab}/#learn/{number}")
            ready(page, number)
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], number
            heights = page.eval_on_selector_all(
                "#learn button, #learn a.button",
                "all => all.map(one => one.getBoundingClientRect().height).filter(Boolean)",
            )
            assert all(height >= 40 for height in heights), number


# What the search that each chapter ends with is told to find.
EXPERIMENTS = {
    "1": "flat Monte Carlo plays d (c2). The right move is e (d2).",
    "2": "After 20,000 playouts both play d (c2). The right move is e (d2).",
    "3": "",
    "4": "After 1,000 playouts both have seen through the trap. The right move is C.",
    "5": "After 5,000 playouts both have seen through the trap. The right move is C.",
    "6": "After 16,000 playouts UCT plays b (e1), UCT_rh plays e (d2). The right move is e (d2).",
}


@pytest.mark.parametrize("number", EXPERIMENTS)
def test_the_experiment_of_a_chapter_runs(browser, lab, number):
    with open_page(browser, lab, f"#learn/{number}", **STILL) as page:
        ready(page, number)
        page.locator("#learn a.button.primary").click()
        page.wait_for_selector("section:not([hidden]) .state:text-is('Done')")
        told = page.locator("#lab .verdict:visible, #compare .headline:visible")
        found = " ".join(told.inner_text().split()) if told.count() else ""
        assert found == EXPERIMENTS[number]
        assert page.locator("#messages .message").count() == 0
        page.go_back()
        ready(page, number)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_velocities_move_unless_that_is_not_wanted(browser, lab, motion):
    with open_page(browser, lab, "#learn/playout", reduced_motion=motion) as page:
        ready(page, "playout")
        press(page, "Accelerated UCT", "10 playouts", "Next playout")
        while not page.locator("#learn .velocity-bar").count():
            press(page, "Next step")
        took = "one => getComputedStyle(one).transitionDuration"
        moves = page.locator("#learn .velocity-bar").first.evaluate(took) == "0.7s"
        assert moves == (motion != "reduce")


def test_one_playout(browser, lab):
    with open_page(browser, lab, "#learn/playout", **STILL) as page:
        ready(page, "playout")
        press(page, "10 playouts", "Next playout")
        assert "At the root, Dark is to move." in words(page)
        mean, _, spent, n, score = live_numbers(page)
        assert spent == 10 and score == pytest.approx(mean + (2.302585 / n) ** 0.5, abs=2e-3)
        row = page.locator("#learn .moves tr.chosen td").all_inner_texts()
        assert float(row[-1]) == pytest.approx(score, abs=2e-3)
        seen = []
        while page.locator("#learn .step-card .primary").inner_text() == "Next step":
            seen.append(page.locator("#learn .phases [aria-current]").inner_text())
            page.keyboard.press("ArrowRight")
            page.wait_for_selector("#learn .step-card[data-busy=no]")
        assert list(dict.fromkeys(seen)) == [
            "Selection",
            "Expansion",
            "Simulation",
            "Backpropagation",
        ]
        press(page, "Accelerated UCT", "10 playouts", "Next playout")
        while "backpropagation" not in page.inner_text("#learn .step-card h2"):
            press(page, "Next step")
        for text in page.locator("#learn .velocities td:last-child").all_inner_texts():
            old, one, new = re.fullmatch(
                rf"0\.900 {TIMES} ([\d.]+)( \+ 1)? = ([\d.]+)", text
            ).groups()
            assert float(new) == pytest.approx(0.9 * float(old) + bool(one), abs=2e-3)
        press(page, f"Hex 3{TIMES}3", "10 playouts", "10 playouts", "Next playout")
        while "simulation" not in page.inner_text("#learn .step-card h2"):
            press(page, "Next step")
        moves = re.search(r"to the end: ([a-c1-3 ]+)\.", words(page))[1].split()
        walked = page.locator("#learn .tree-node.walked").last.get_attribute("data-path").split()
        end = Position.from_moves(make_game("hex:3").interpreted(), [*walked, *moves])
        winner = "Black" if end.result == 1.0 else "White"
        assert f"{winner} wins" in words(page) and stones(page, "#learn") == len(end.moves)


def test_the_tree_as_a_drawing_in_the_lab(browser, lab):
    """Zoom and pan by mouse and keys; a node sets the board, and the drawing stays."""
    with open_page(
        browser, lab, "#lab?game=hex:5&agents=uct(c=0.354)&playouts=200&you=both"
    ) as page:
        page.get_by_role("button", name="Think").click()
        page.wait_for_selector("#lab .state:text-is('Done')")
        page.locator("#lab button:text-is('Tree')").click()
        page.locator("#lab button:text-is('Drawing')").click()
        page.wait_for_selector("#lab .tree-node.line-of-play")
        drawn = page.locator("#lab .tree-node").count()
        place = "document.querySelector('#lab .drawing > g').getAttribute('transform')"
        fitted = page.evaluate(place)
        page.get_by_role("button", name="Zoom in").click()
        zoomed = page.evaluate(place)
        assert zoomed != fitted
        box = page.locator("#lab .drawing").bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + box["height"] - 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 90, box["y"] + box["height"] - 50, steps=4)
        page.mouse.up()
        assert page.evaluate(place) != zoomed and stones(page) == 0
        page.get_by_role("button", name="Fit").click()
        assert page.evaluate(place) == fitted
        page.locator("#lab .tree-node[tabindex='0']").focus()
        page.keyboard.press("+")
        assert page.evaluate(place) != fitted
        page.keyboard.press("0")
        page.keyboard.press("ArrowDown")
        path = page.evaluate("document.activeElement.dataset.path")
        assert len(path.split()) == 1
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 1")
        assert f"moves={path}" in page.url
        page.keyboard.press("ArrowUp")
        page.keyboard.press(" ")  # unfolds all moves of the root
        page.wait_for_function(
            "drawn => document.querySelectorAll('#lab .tree-node').length > drawn",
            arg=drawn,
            polling=POLLING,
        )
        page.locator("#lab .hit.legal").first.click()  # a1, unless the search's move was that
        page.wait_for_function("() => document.querySelectorAll('#lab .stone').length === 2")
