"""A game from the user's file in the lab: its name there, its text board, a search, a click."""

from pathlib import Path

import pytest

from tests.lab_browser import cell, open_browser, open_page
from tests.lab_server import fetch, start_lab
from uctlab.errors import UsageError
from uctlab.lab import own_games, process
from uctlab.lab.catalog import catalog
from uctlab.lab.messages import read_request
from uctlab.lab.own_games import is_move_name, lab_game, offer, offered_specs
from uctlab.lab.positions import Positions
from uctlab.lab.records import save_sgf
from uctlab.lab.requests import PositionRequest, PositionValue

ROOT = Path(__file__).parents[1]
FOUR = str(ROOT / "examples" / "connect_four.py")
LONELY = str(ROOT / "tests" / "third_party_game.py")
START = {"game": "connect_four", "start": None, "moves": ["d", "d", "c"]}


@pytest.fixture(scope="module", autouse=True)
def games():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own_games, "_offered", {})
        assert (offer(FOUR), offer(f"{LONELY}:4")) == ("connect_four", "third_party_game")
        yield


def ask(game, *moves):
    message = {"game": game, "start": None, "moves": list(moves)}
    return read_request({"type": "position", "id": 1, "position": message})


def test_a_browser_names_no_files():
    assert ask("connect_four", "d").position.game == "connect_four"
    assert offer("hex:5") == "hex:5"
    for game in (FOUR, "connect_four.py", "no_such_game", "../connect_four"):
        with pytest.raises(UsageError, match=r"is not a game; accepted: connect_four, deceptive"):
            ask(game)


def test_names_of_games(tmp_path, monkeypatch):
    monkeypatch.setattr(own_games, "_offered", {})
    taken = tmp_path / "hex.py"
    taken.write_text(Path(FOUR).read_text())
    assert offer(str(taken)) == "own_hex"
    with pytest.raises(UsageError, match=r"there is no file none\.py"):
        offer("none.py")
    spaces = tmp_path / "with_spaces.py"
    spaces.write_text(Path(FOUR).read_text().replace('tuple("abcdefg")', '("a b", *"bcdefg")'))
    with pytest.raises(UsageError, match="the lab cannot show the move 'a b'"):
        offer(str(spaces))
    assert is_move_name("e2xd3+") and is_move_name("\N{WHITE CHESS KING}e1")
    assert not any(map(is_move_name, ("", "a,b", "a\nb", "x" * 41, "\ud800")))


def test_options_are_those_of_the_command_line_and_the_link():
    assert [spec.partition(":")[2] for spec in offered_specs()[:2]] == ["", "4,komi=0.5"]
    assert lab_game("third_party_game").options == {"size": 4, "komi": 0.5}
    game = lab_game("third_party_game:komi=2")
    assert (game.options, game.name) == ({"size": 4, "komi": 2.0}, "third_party_game:komi=2")
    assert lab_game("third_party_game:3").options == {"size": 3, "komi": 0.5}
    for wrong in ("third_party_game:width=3", "third_party_game:3,4", "connect_four:3"):
        with pytest.raises(UsageError, match="unknown parameter"):
            lab_game(wrong)


def test_the_catalog():
    *_, four, entry = catalog()["games"]
    assert (four["name"], four["title"]) == ("connect_four", "Connect four")
    assert (entry["name"], entry["board"], entry["sgf"]) == ("third_party_game", "text", False)
    assert entry["help"].startswith("Lonely on a square board; komi is what Black gets. A game of")
    assert [(o["name"], o["default"]) for o in entry["options"]] == [("size", 4), ("komi", 0.5)]


def test_what_its_board_shows():
    """Its moves are columns and no cells, so that there is nothing but its text."""
    positions = Positions()
    found = positions.position(PositionValue("connect_four", None, ("d", "d", "c")))
    assert found["position"]["game"] == "connect_four" and found["legal"] == list("abcdefg")
    assert found["ascii"].splitlines()[-2:] == ["1  . . X X . . .", "O to play"]
    assert (found["cells"], found["stones"], found["last"]) == ([], {}, "c")
    for refused in (
        lambda: positions.setup("connect_four", {"a": 1}, 0),
        lambda: save_sgf(PositionValue("connect_four", None, ()), ((-1, "", {}),)),
    ):
        with pytest.raises(UsageError, match=r"connect_four has no (set-up positions|SGF files)"):
            refused()


def test_a_game_without_a_board(monkeypatch):
    monkeypatch.setattr(own_games, "_offered", {})
    assert offer(str(ROOT / "src/uctlab/games/deceptive.py")) == "own_deceptive"
    found = Positions().position(PositionValue("own_deceptive", None, ("C",)))
    assert (found["ascii"], found["legal"], found["cells"]) == ("C", ["G"], [])


def test_a_mistake_in_the_game_is_told():
    def fail(_):
        raise ValueError("no\nway")

    for game, kind, says in (
        ("connect_four", "mistake", "connect_four: the game's code failed, and uctlab check may"),
        ("hex:5", "failure", "Traceback"),
    ):
        found = process._guarded(fail, PositionRequest(1, PositionValue(game, None, ())))
        assert found[0] == kind and found[1].startswith(says)
        assert kind == "failure" or found[1].endswith(": ValueError: no way")


def test_the_command_opens_the_page_with_it(uctlab, monkeypatch):
    monkeypatch.setattr("uctlab.lab.serve.serve", lambda settings, opened, ready: ready())
    code, out, _ = uctlab("lab", FOUR, "--no-browser", "--port", 0)
    assert code == 0 and out.splitlines()[0].endswith("/#lab?game=connect_four")
    code, _, err = uctlab("lab", "nothing.py", "--no-browser", "--port", 0)
    assert code == 2 and err == "uctlab: there is no file nothing.py\n"


@pytest.fixture(scope="module")
def lab():
    with start_lab() as running:
        yield running


def test_a_search_of_it(lab):
    assert b'"connect_four"' in fetch(lab.url + "/api/catalog")[2]
    with lab.visitor() as talk:
        assert talk.ask("position", position=START)["to_move"] == "White"
        talk.search(position=START, playouts=200)
        (side,) = talk.until("done")["sides"]
        assert {row["move"] for row in side["root"]} == set("abcdefg")
        answer = talk.ask("sgf_save", game="connect_four", start=None, nodes=[[-1, "", {}]])
        assert (answer["type"], answer["message"]) == ("error", "connect_four has no SGF files")


def test_the_page(lab):
    fragment = "#lab?game=connect_four&moves=d,d,c&agents=uct&playouts=200&you=both"
    with open_browser() as browser, open_page(browser, lab.url, fragment) as page:
        assert "1  . . X X . . ." in page.locator("#lab .diagram").inner_text()
        assert page.locator("#lab .text-moves button").count() == 7
        page.locator("#lab .menu summary").click()
        assert page.get_by_role("button", name="Copy link").is_visible()
        assert not page.get_by_role("button", name="Save SGF").is_visible()
        page.get_by_role("button", name="Think", exact=True).click()
        page.locator("#lab .text-moves .choice").wait_for()
        page.get_by_role("button", name="Play its move").wait_for()
        shares = page.locator("#lab .text-moves .amount").all_inner_texts()
        assert 50 < sum(int(share or 0) for share in shares) <= 110
        cell(page, "b").click()
        page.wait_for_function("() => location.hash.includes('d,d,c,b')")
        page.locator("#lab .diagram", has_text="1  . O X X . . .").wait_for()
        assert page.locator("#lab .status").inner_text() == "Black to move"


def test_a_lab_that_does_not_have_it_says_so(monkeypatch):
    monkeypatch.setattr(own_games, "_offered", {})
    with pytest.raises(UsageError, match="'connect_four' is not a game"):
        ask("connect_four")
