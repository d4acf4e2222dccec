"""The game on the lab's page, in a real browser: stepping, variations, values, files, the end."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.lab_browser import cell, open_page, press, stones, text, wait_for_turn
from tests.lab_server import start_lab

MODULES = Path(__file__).parent / "lab_modules.js"
HEX = "#lab?game=hex:4&agents=uct&playouts=60&seed=1&you=first"


@pytest.fixture(scope="module")
def lab(browser):
    with start_lab(searches=2) as running:
        yield running.url


def wait_for_stones(page, count: int) -> None:
    page.wait_for_function(
        "count => document.querySelectorAll('#lab .stone').length === count", arg=count, polling=50
    )


def paste(page, text: str) -> None:
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text", text);
          document.querySelector("#lab").dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def download(page, name: str, folder: Path) -> bytes:
    """What the menu Save has under that name."""
    with page.expect_download() as waiting:
        page.locator("#lab .menu summary").click()
        press(page, name)
    waiting.value.save_as(folder / name)
    return (folder / name).read_bytes()


def wait_for_nodes(page, count: int) -> None:
    page.wait_for_function(
        "count => document.querySelectorAll('#lab .variations .dot').length === count", arg=count
    )


def test_steps_variations_and_the_browsers_history(browser, lab):
    with open_page(browser, lab, HEX) as page:
        cell(page, "b2").click()
        wait_for_stones(page, 2)
        wait_for_turn(page, "yours")
        reply = page.evaluate("location.hash.match(/moves=b2,(\\w+)/)[1]")
        # The agent's thinking stays on the page after its move.
        assert f"before the last move, {reply}" in text(
            page, "#lab .side .card:nth-child(2) .quiet"
        )
        assert page.locator("#lab .side tr[data-move]").count() > 3
        # The browser's Back goes one move back, and nobody moves there by himself.
        page.go_back()
        wait_for_stones(page, 1)
        assert page.get_attribute("#lab", "data-turn") == "yours"
        assert "move 1 of 2" in text(page, "#lab .status")
        page.go_forward()
        wait_for_stones(page, 2)
        page.keyboard.press("Home")
        wait_for_stones(page, 0)
        assert text(page, "#lab .status") == "Black to move: start"
        assert text(page, "#lab .where") == "Start"
        page.keyboard.press("ArrowRight")
        wait_for_stones(page, 1)
        page.keyboard.press("End")
        wait_for_stones(page, 2)
        press(page, "One move back")
        wait_for_stones(page, 1)
        press(page, "First position")
        wait_for_stones(page, 0)
        # Another move in the middle begins a variation, which the agent answers.
        other = "c3" if reply != "c3" else "c2"
        cell(page, other).click()
        wait_for_stones(page, 2)
        wait_for_turn(page, "yours")
        assert page.locator("#lab .variations .dot").count() == 5
        assert page.locator("#lab .move-list .move").all_inner_texts()[0].startswith(other)
        page.keyboard.press("ArrowLeft")
        wait_for_stones(page, 1)
        page.keyboard.press("ArrowUp")
        page.wait_for_selector("#lab .move.here:has-text('b2')")
        page.keyboard.press("ArrowDown")
        page.wait_for_selector(f"#lab .move.here:has-text('{other}')")
        press(page, "Make main line")
        page.wait_for_selector("#lab .game-panel button:text-is('Make main line')", state="hidden")
        press(page, "Redo")
        wait_for_stones(page, 2)
        # After a click on Undo the space bar thinks.
        press(page, "Undo")
        wait_for_stones(page, 0)
        page.keyboard.press(" ")
        page.wait_for_selector("#lab .state:text-is('Done')")
        assert stones(page) == 0
        page.reload()  # the variations are still there
        page.wait_for_selector("body[data-ready]")
        wait_for_nodes(page, 5)
        # N asks first.
        page.keyboard.press("n")
        page.get_by_role("button", name="Cancel").click()
        page.wait_for_selector("dialog", state="detached")  # until then keys are the dialog's
        assert page.locator("#lab .variations .dot").count() == 5
        # Who goes Back has answered.
        page.keyboard.press("ArrowRight")
        wait_for_stones(page, 1)
        page.keyboard.press("n")
        page.get_by_role("button", name="Cancel").wait_for()
        page.go_back()
        page.wait_for_selector("dialog", state="detached")
        wait_for_stones(page, 0)
        page.keyboard.press("n")
        press(page, "New game")
        page.wait_for_function("() => !document.querySelector('#lab .move')")
        page.go_back()  # the old game is not lost
        page.wait_for_function(
            "() => document.querySelectorAll('#lab .variations .dot').length === 5"
        )
        assert page.title() == "Hex · Lab · uctlab"


SGF = (
    "(;FF[4]GM[11]SZ[4]PB[Ann]PW[Bob]C[the start];B[b2];W[c3]C[Why \\] not?](;B[c2];W[b3])(;B[b3]))"
)


def test_files_values_and_pictures(browser, lab, tmp_path):
    with open_page(browser, lab, HEX) as page:
        page.evaluate(
            """text => {
              const data = new DataTransfer();
              data.items.add(new File([text], "game.sgf"));
              document.querySelector("#lab .board").dispatchEvent(
                new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
            }""",
            SGF,
        )
        wait_for_stones(page, 4)
        assert page.locator("#lab .variations .dot").count() == 6
        assert text(page, "#lab .names") == "Black: Ann, White: Bob"
        # Every position is searched in the background, and its value drawn.
        press(page, "Analyse the game")
        page.wait_for_function(
            "() => document.querySelectorAll('#lab .value-graph .value').length === 5"
            " && document.querySelector('.game-panel progress').hidden"
        )
        assert page.locator("#lab .side tr[data-move]").count() > 3  # of the position on the board
        page.locator("#lab .value-graph").click()  # in its middle
        wait_for_stones(page, 2)
        assert page.input_value("#lab .game-panel textarea") == "Why ] not?"
        assert "An earlier search by uct" in page.locator("#lab .side").inner_text()
        page.fill("#lab .game-panel textarea", "A comment\nof ours")
        page.locator("#lab .game-panel textarea").blur()
        saved = download(page, "Save SGF", tmp_path).decode()
        assert re.search(r"C\[A comment\s+of ours\]W\[c3\]\(;", saved)
        assert saved.count("(") == 3 and "PB[Ann]" in saved and "C[the start]" in saved
        picture = download(page, "Save SVG", tmp_path).decode()
        assert picture.startswith("<svg") and picture.count("<circle") >= 2
        assert 'fill="rgb(' in picture and "var(" not in picture
        assert download(page, "Save PNG", tmp_path).startswith(b"\x89PNG")
        # A diagram, pasted; it sets the board's size.
        paste(page, "X . .\n . O .\n  . . .\nX to play")
        page.wait_for_selector("#lab .hit[data-cell=c3]")
        page.wait_for_function("() => document.querySelectorAll('#lab .hit').length === 9")
        assert stones(page) == 2
        paste(page, saved)
        page.wait_for_function(
            "() => document.querySelectorAll('#lab .variations .dot').length === 6"
        )
        page.locator("#lab .variations .commented").last.click()
        wait_for_stones(page, 2)
        assert page.input_value("#lab .game-panel textarea") == "A comment\nof ours"


def test_mistakes_are_marked(browser, lab):
    """a3 wins for Black, a1 leaves it to White."""
    address = "#lab?game=hex:3&moves=b2,b3,a1,a3&agents=uct&playouts=400&seed=1&you=both"
    with open_page(browser, lab, address) as page:
        press(page, "Analyse the game")
        page.wait_for_selector("#lab .move.mistake:has-text('a1')")
        page.wait_for_function("() => document.querySelector('.game-panel progress').hidden")
        assert page.locator("#lab .move-list .move").all_inner_texts()[2] == "a1??"
        worst = page.locator("#lab .costly li").all_inner_texts()
        assert re.fullmatch(r"Move 3, Black a1: \d\d\.\d\s% lost, a3 was better", worst[0])
        assert len(worst) <= 3
        assert page.locator("#lab .move.mistake, #lab .move.doubtful").count() == 1
        assert page.locator("#lab .value-graph .mistake").count() == 1
        assert "% lost" in page.locator("#lab .move.mistake").get_attribute("title")
        values = page.locator("#lab .value-graph circle title")
        before = values.all_text_contents()
        assert len(before) == 5 and "Move 3 a1" in before[3]
        page.reload()  # the searches are still there
        page.wait_for_selector("body[data-ready]")
        page.wait_for_selector("#lab .value-graph .mistake")
        assert values.all_text_contents() == before
        assert page.locator("#lab .costly li").all_inner_texts() == worst
        page.locator("#lab .move-list .move").first.click()
        page.wait_for_selector("#lab :text('An earlier search by uct')")
    with open_page(browser, lab, address.replace("agents=uct", "agents=fuego")) as page:
        press(page, "Analyse the game")
        page.wait_for_selector("#messages :text('has no priors')")
        assert page.locator("#messages .message").count() == 1


def test_a_resignation_is_kept(browser, lab, tmp_path):
    resigned = "#lab .status:has-text('Black has resigned. White has won.')"
    with open_page(browser, lab, "#lab?game=hex:4&moves=b2,c3&you=both") as page:
        press(page, "Resign")
        page.locator("dialog").get_by_role("button", name="Resign").click()
        page.wait_for_selector(resigned)
        assert page.get_attribute("#lab", "data-turn") == "over"
        saved = download(page, "Save SGF", tmp_path).decode()
        assert "RE[W+R]" in saved
        page.reload()
        page.wait_for_selector("body[data-ready]")
        page.wait_for_selector(resigned)
        press(page, "Undo")
        wait_for_stones(page, 1)
        cell(page, "a1").click()  # the game went on
        wait_for_stones(page, 2)
        press(page, "Make main line")
        assert "RE[" not in download(page, "Save SGF", tmp_path).decode()
        paste(page, saved)
        page.wait_for_selector(resigned)


def test_what_one_writes_belongs_to_the_position(browser, lab):
    """Even if the board changes meanwhile."""
    with open_page(browser, lab, "#lab?game=hex:4&you=both") as page:
        for count, move in enumerate(("b2", "c3", "c2", "b3"), 1):
            cell(page, move).click()
            wait_for_stones(page, count)
        page.locator("#lab .game-panel summary").click()
        page.fill("#lab .game-panel textarea", "of move four")
        press(page, "One move back")
        wait_for_stones(page, 3)
        assert page.input_value("#lab .game-panel textarea") == ""
        page.locator("#lab .game-panel textarea").blur()
        page.go_back()
        wait_for_stones(page, 4)
        assert page.input_value("#lab .game-panel textarea") == "of move four"
        assert [one[2:] for one in page.locator("#lab .move").all_inner_texts()] == [
            "",
            "",
            "",
            "✎",
        ]


def test_the_tree_of_another_position_is_not_shown(browser, lab):
    with open_page(browser, lab, HEX.replace("you=first", "you=both")) as page:
        for count, move in enumerate(("b2", "c3"), 1):
            press(page, "Think")
            page.wait_for_selector("#lab .state:text-is('Done')")
            cell(page, move).click()
            wait_for_stones(page, count)
        press(page, "Tree")
        press(page, "Drawing")
        assert page.locator("#lab .tree-panel").inner_text().count("No tree here") == 0
        press(page, "One move back")
        wait_for_stones(page, 1)
        page.wait_for_selector("#lab .tree-node")
        press(page, "One move back")
        wait_for_stones(page, 0)
        assert "An earlier search by uct" in page.locator("#lab .side").inner_text()
        assert "No tree here" in page.locator("#lab .tree-panel").inner_text()
        assert page.locator("#lab .tree-node:visible").count() == 0


def test_passes_are_told(browser, lab):
    """The agent's, and the person's where no other move is possible."""
    moves = "d3,c3,e6,d2,d1,e1,b2"
    rest = "agents=uct&playouts=20"
    with open_page(browser, lab, f"#lab?game=othello&moves={moves}&{rest}&you=second") as page:
        cell(page, "c1").click()
        page.wait_for_selector("#lab .status:text-is('Black passed. White to move: your turn')")
        assert text(page, "#lab .board-note") == "Black passed"
        assert "moves=d3,c3,e6,d2,d1,e1,b2,c1,pass" in page.url
    with open_page(browser, lab, f"#lab?game=othello&moves={moves},c1&{rest}&you=first") as page:
        told = "Black to move: your turn. No move is possible but to pass"
        assert text(page, "#lab .status") == told
        press(page, "Pass")
        wait_for_stones(page, 13)  # the agent has moved


def test_the_end_of_a_game_is_counted(browser, lab):
    moves = "B3,C3,B2,C2,B1,C1,B4,C4,pass"
    with open_page(browser, lab, f"#lab?game=go:4&moves={moves}&you=both") as page:
        assert text(page, "#lab .status").startswith("Black passed. White to move")
        assert text(page, "#lab .board-note") == "Black passed"
        press(page, "Pass")
        assert "As the stones stand: Black" in text(page, "dialog")
        press(page, "Cancel")
        assert page.get_attribute("#lab", "data-turn") == "yours"
        press(page, "Pass")
        press(page, "Pass and count")
        wait_for_turn(page, "over")
        assert text(page, "#lab .status") == "White passed. White has won by 7.5."
        assert text(page, "#lab .count").startswith("Black 8, White 8 and 7.5 komi")
        assert (
            page.locator("#lab .area.black").count()
            == page.locator("#lab .area.white").count()
            == 4
        )
        assert page.locator("#lab .dead").count() == 0
        moves += ",A1,pass,pass"  # a stone without hope
        page.goto(f"{lab}/#lab?game=go:4&moves={moves}&you=both")
        page.wait_for_selector("#lab .dead")
        told = "Black 4, White 9 and 7.5 komi, as the stones stand. Without the stones that are"
        assert text(page, "#lab .count").startswith(told)
        assert page.locator("#lab .area.black").count() == 4


def test_two_agents_play_a_game(browser, lab):
    address = "#lab?game=hex:3&agents=uct;mc&playouts=30&you=none"
    with open_page(browser, lab, address) as page:
        page.select_option("#lab [aria-label='Pace of the game']", "3000")
        press(page, "Let the agents play on")
        press(page, "Pause the game")
        paused = stones(page)
        assert page.locator("#lab .agent:visible").count() == 2
        page.select_option("#lab [aria-label='Pace of the game']", "0")
        press(page, "Let the agents play on")
        wait_for_turn(page, "over")
        assert stones(page) > paused and "has won" in text(page, "#lab .status")
        assert page.url.endswith("agents=uct;mc&playouts=30&you=none")
        kept = page.locator("#lab .value-graph .value").count()
        assert kept == stones(page) + 1  # every search is kept, and the end has a value


def test_what_the_modules_compute(browser, lab):
    """The tree of moves, its drawing, what is kept of searches; and how much memory that takes."""
    with open_page(browser, lab, "#gallery") as page:
        facts = page.evaluate(MODULES.read_text())
        assert facts == {
            "size": 8,
            "lanes": [0, 2, 1],
            "line": [None, "a1", "b2", "c2"],
            "copy": True,
            "same": True,
            "position": "a1,b2,c2",
            "sibling": True,
            "main": [True, False],
            "promoted": [False, True],
            "left": 6,
            "value": 0.545,
            "costs": [[0, 0.12, None, None], [0, 0.12, 0.25, 0]],
            "untold": ["", "", "c1 1000", "a2 1000"],
            "marks": ["", "?", "??", ""],
            "costliest": ["a3 0.40", "c1 0.25"],
            "unknown": 0,
            "few": "a1 100,c1 100",
            "forfeits": [
                "Lost by forfeit: 1 by A, 1 by B. A scores 75.0 % of the other 2.",
                "",
                "Lost by forfeit: 0 by A, 1 by B.",
            ],
            "colors": [5, 1, 0, 3, 4, 2],
        }
        tools = page.context.new_cdp_session(page)
        tools.send("HeapProfiler.collectGarbage")
        used = tools.send("Runtime.getHeapUsage")["usedSize"]
        assert used < 50 * 2**20, f"{used / 2**20:.0f} MiB"
