"""What a browser may say, and that everything else is refused."""

import json
import random

import pytest

from uctlab.agents import AGENTS, make_agent
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.lab import limits
from uctlab.lab.catalog import catalog
from uctlab.lab.messages import agent_text, id_of, parse, read_request
from uctlab.lab.positions import start_position
from uctlab.lab.requests import (
    ControlRequest,
    PositionRequest,
    PositionValue,
    Request,
    SearchRequest,
    SetupRequest,
    StepRequest,
    TreeRequest,
)

POSITION = {"game": "hex:5", "start": None, "moves": ["a1", "b2"]}
SEARCH = {"type": "search", "id": 5, "position": POSITION, "agents": ["uct"], "playouts": 10}
GOOD = (
    {"type": "position", "id": 1, "position": POSITION},
    {"type": "setup", "id": 2, "game": "go:9", "stones": {"A1": "first"}, "turn": 1},
    {"type": "open", "id": 3, "text": "(;GM[1])", "game": "go:9"},
    {
        "type": "sgf_save",
        "id": 4,
        "game": "hex:5",
        "start": {"name": "browne2013"},
        "nodes": [[-1, "", {"PB": ["Ann"]}], [0, "a1", {}], [0, "b2", {"C": ["a variation"]}]],
    },
    SEARCH,
    {
        **SEARCH,
        "agents": ["auct(k=auto)", "auct(k=3,c=0.7)"],
        "seconds": 1.5,
        "paused": True,
        "seed": 7,
        "only": "b3",
    },
    {"type": "pause", "id": 6},
    {"type": "continue", "id": 7},
    {"type": "stop", "id": 8},
    {"type": "step", "id": 9, "playouts": 10},
    {"type": "tree", "id": 10, "side": 0, "path": ["a1"]},
    {"type": "judge", "id": 11, "position": POSITION},
    {"type": "warm", "id": 12, "game": "hex:5", "agents": ["uct"]},
)


def refusal(message) -> str:
    with pytest.raises(UsageError) as error:
        read_request(message)
    return str(error.value)


def test_good_messages_are_read():
    requests = [read_request(parse(json.dumps(message))) for message in GOOD]
    assert [request.id for request in requests] == [1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12]
    assert requests[0] == PositionRequest(1, PositionValue("hex:5", None, ("a1", "b2")))
    assert requests[1] == SetupRequest(2, "go:9", {"A1": 1}, 1)
    assert requests[4].seconds == limits.SECONDS and requests[4].seed == 0
    assert isinstance(requests[5], SearchRequest) and requests[5].paused
    assert requests[6] == ControlRequest(6, "pause")
    assert requests[9:11] == [StepRequest(9, 10), TreeRequest(10, 0, ("a1",))]


@pytest.mark.parametrize("message", GOOD, ids=lambda message: message["type"])
def test_every_field_is_checked(message):
    """Each field in turn has a value of every wrong kind; each is left out; one is added."""
    wrong = [None, True, -1, 2**60, 1.5, "", "x" * 200_000, [], [[]], {}, {"a": 1}, "../x.py"]
    may_be_empty = {"playouts", "seconds", "seed", "text", "path", "stones", "paused", "start"}
    for name in message:
        for value in wrong:
            if name in may_be_empty and value in (None, "", [], {}, True):
                continue
            if (name, value) in (("text", "../x.py"), ("only", "../x.py"), ("seconds", 1.5)):
                continue
            refusal({**message, name: value})
        if name not in ("paused", "seed", "playouts", "seconds", "start", "only"):
            refusal({key: value for key, value in message.items() if key != name})
    assert "surprise" in refusal({**message, "surprise": 1})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "[]",
        "3",
        "null",
        '"a"',
        "{",
        "{'a':1}",
        "NaN",
        '{"id": NaN}',
        "[" * 50000,
        '{"id": Infinity}',
        '{"a":' * 5000 + "1" + "}" * 5000,
        '{"id": ' + "9" * 5000 + "}",
        '"' + "a" * limits.MESSAGE_BYTES + '"',
    ],
)
def test_what_is_no_object_is_refused(text):
    with pytest.raises(UsageError) as error:
        parse(text)
    assert len(str(error.value)) < 200


def test_numbers_have_limits():
    assert str(limits.PLAYOUTS) in refusal({**SEARCH, "playouts": limits.PLAYOUTS + 1})
    assert "seconds" in refusal({**SEARCH, "seconds": limits.SECONDS + 1})
    assert "seconds" in refusal({**SEARCH, "seconds": 10**400})
    assert "moves" in refusal({**SEARCH, "position": {**POSITION, "moves": ["a1"] * 501}})
    assert "playouts or seconds" in refusal({k: v for k, v in SEARCH.items() if k != "playouts"})
    assert "one or two" in refusal({**SEARCH, "agents": ["uct"] * 3})
    assert "is not a move" in refusal({**SEARCH, "only": 7})


@pytest.mark.parametrize(
    "agent",
    [
        "uct(select=examples/ucb_sqrt.py)",
        "uct(select=x.py)",
        "uct( select =x)",
        "uct(backup=a)",
        "uct(c=1,backup=minimax_backup.py)",
        "gtp:ls",
        'gtp:"rm"',
        "uct(threads=64)",
        "uct(root=9)",
        "uct;ls",
        "uct\n",
        "uct(c=1)(select=x)",
        "uct((select=a))",
        "UCT",
        "uct(c=1",
        "",
        3,
        None,
    ],
)
def test_agents_that_name_files_or_programs_are_refused(agent):
    with pytest.raises(UsageError):
        agent_text(agent)


@pytest.mark.parametrize(
    "game",
    [
        "examples/connect_four.py",
        "connect_four.py:7",
        "go.py",
        "chess",
        "hex:../5",
        "hex:5\n",
        "hex:5;",
        "",
        5,
        None,
        ["hex:5"],
        "hex:" + "5" * 200,
    ],
)
def test_games_that_are_files_are_refused(game):
    refusal({"type": "position", "id": 1, "position": {**POSITION, "game": game}})


def test_all_that_the_catalog_offers_is_accepted():
    for agent in catalog()["agents"]:
        assert make_agent(agent_text(agent["spec"])).name == agent["spec"]
        for parameter in agent["parameters"]:
            assert parameter["help"] and parameter["title"], parameter
            name, value = parameter["name"], parameter["default"]
            written = f"{agent['name']}({name}={value})"
            plain = not parameter["required"] and "k" not in AGENTS[agent["name"]].options
            if plain and value != "":  # no other backup operator
                make_agent(agent_text(written))
            for word in parameter.get("words", ()):
                assert make_agent(agent_text(f"{agent['name']}({name}={word})"))
    json.dumps(catalog(), allow_nan=False)


def test_the_form_has_every_option_of_every_agent():
    """Made from their declarations: none is missing but those that say why they are not on it."""
    apart = {"select", "threads", "sharing", "root", "a", "b"}
    for agent in catalog()["agents"]:
        named = {parameter["name"] for parameter in agent["parameters"]}
        assert named | apart | {"lam"} >= {*AGENTS[agent["name"]].options}, agent["name"]
        assert not named & apart
    assert agent_text("uct(backup=power,power=3,solver=on)")


def test_nodes_of_a_game_are_checked_one_by_one():
    save = next(message for message in GOOD if message["type"] == "sgf_save")
    root = [-1, "", {}]
    for nodes in (
        [[0, "", {}]],
        [[-1, "a1", {}]],
        [root, [1, "a1", {}]],
        [root, [0, "", {}]],
        [root, [0, "a,1", {}]],
        [root, [0, "a1"]],
        [root, [True, "a1", {}]],
        [root, [0, "a1", {"c": ["x"]}]],
        [root, [0, "a1", {"C": []}]],
        [root, [0, "a1", {"C": [3]}]],
        [root, [0, "a1", {"C": ["\ud800"]}]],
        [root] * 1002,
    ):
        told = refusal({**save, "nodes": nodes})
        assert "node" in told or told.startswith("C "), told


def test_the_gallery_says_one_sentence_and_then_three():
    for case in catalog()["gallery"]:
        sentences = case["text"].replace("Fig. 1", "").split(". ")
        assert len(sentences) == 3, case["id"]
        assert case["card"].endswith(".") and case["card"].count(".") == 1
        game = make_game(case["position"]["game"]).interpreted()
        position = start_position(game, case["position"]["start"])
        assert case["right"] in position.legal_moves
        if game.name.startswith("deceptive"):
            won = [move for move in position.legal_moves if _value(position.play(move)) == 1]
            assert won == [case["right"]]
        read_request({**SEARCH, "position": case["position"], "agents": case["agents"]})


def _value(position) -> float:
    """The result for the first player if both play perfectly."""
    if position.is_over:
        return position.result
    best = max if position.turn == 0 else min
    return best(_value(position.play(move)) for move in position.legal_moves)


def mutated(draw: random.Random, value):
    """The same with something in it changed."""
    other = [None, True, -1, 10**30, 1e308, "", "a1", "\x00\ud800", "é" * 50, [], {}, [[[[]]]]]
    if isinstance(value, dict) and value and draw.random() < 0.8:
        key = draw.choice(list(value))
        return {**value, draw.choice([key, key, key, "x"]): mutated(draw, value[key])}
    if isinstance(value, list) and value and draw.random() < 0.8:
        i = draw.randrange(len(value))
        return [*value[:i], mutated(draw, value[i]), *value[i + 1 :]] * draw.choice([1, 1, 2])
    return draw.choice(other)


def malformed(draw: random.Random) -> str | bytes:
    """A message that a browser would not send: bytes, cut or mutated JSON, deep nesting."""
    kind = draw.randrange(6)
    if kind == 0:
        return draw.randbytes(draw.randrange(200))
    text = json.dumps(mutated(draw, draw.choice(GOOD)))
    if kind == 1:
        return text[: draw.randrange(len(text) + 1)]
    if kind == 2:
        i = draw.randrange(len(text) + 1)
        return text[:i] + chr(draw.choice([0, 34, 91, 123, 125, 0x2028, 0x1F600])) + text[i:]
    if kind == 3:
        depth = draw.randrange(1, 3000)
        return draw.choice(['{"position":', "["]) * depth
    return text


def test_20000_malformed_messages_raise_nothing_else():
    draw = random.Random(1)
    refused = 0
    for _ in range(20_000):
        text = malformed(draw)
        try:
            message = parse(text if isinstance(text, str) else text.decode("latin-1"))
            assert id_of(message) is None or id_of(message) >= 0
            assert isinstance(read_request(message), Request)
        except UsageError as mistake:
            refused += 1
            assert len(str(mistake)) < 600
    assert refused > 15_000
