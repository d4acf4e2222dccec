"""Checks the messages of a browser and turns them into requests; all else is a UsageError.

The server reads a message with `read_request`. The code behind it never sees a value of the wrong
type or size, or a name that refers to a file.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from uctlab.errors import UsageError
from uctlab.games.families import FAMILIES
from uctlab.lab import limits
from uctlab.lab.agent_options import is_accepted
from uctlab.lab.own_games import is_known, is_move_name, offered
from uctlab.lab.requests import (
    ControlRequest,
    JudgeRequest,
    OpenRequest,
    PlayoutRequest,
    PositionRequest,
    PositionValue,
    Request,
    SearchRequest,
    SetupRequest,
    SgfSaveRequest,
    StepRequest,
    SubtreeRequest,
    TreeRequest,
    WarmRequest,
)

_GAME = re.compile(r"[a-z][a-z0-9_]*(:[a-z0-9_=.,+-]*)?")
_AGENT = re.compile(r"[a-z]+(\([A-Za-z0-9_=.,+\- ]*\))?")
_PROPERTY = re.compile(r"[A-Z]{1,8}")
_HALF = re.compile("[\ud800-\udfff]")  # valid in JSON, but in no encoding
MAX_ID = 2**53
MAX_CELLS = 400


def parse(text: str) -> dict[str, Any]:
    """The JSON object of a message."""
    if len(text) > limits.MESSAGE_BYTES:
        raise UsageError(f"a message has at most {limits.MESSAGE_BYTES:,} characters")
    try:
        message = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise UsageError("a message must be a JSON object") from None
    if not isinstance(message, dict):
        raise UsageError(f"a message must be a JSON object, not {_kind(message)}")
    return message


def id_of(message: dict[str, Any]) -> int | None:
    """The number under which a message is answered, even if all else in it is wrong."""
    number = message.get("id")
    return number if type(number) is int and 0 <= number <= MAX_ID else None


def read_request(message: dict[str, Any]) -> Request:
    kind = message.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise UsageError(f"type must be one of {', '.join(_READERS)}, not {_kind(kind)}")
    accepted = {"type", "id", *_FIELDS[str(kind)]}
    unknown = [name for name in message if name not in accepted]
    if unknown:
        raise UsageError(f"{kind}: unknown field {_kind(unknown[0])}; accepted: {_list(accepted)}")
    return reader(_whole(message, "id", 0, MAX_ID), message)


def _position(number: int, message: dict[str, Any]) -> Request:
    return PositionRequest(number, position_value(message.get("position")))


def _setup(number: int, message: dict[str, Any]) -> Request:
    stones = message.get("stones")
    if not isinstance(stones, dict) or len(stones) > MAX_CELLS:
        raise UsageError("stones must be an object that maps cells to first or second")
    owners = {}
    for cell, owner in stones.items():
        if owner not in ("first", "second") or not is_move_name(cell):
            raise UsageError(f"stones: {_kind(cell)} is {_kind(owner)}; accepted: first, second")
        owners[cell] = 1 if owner == "first" else 2
    return SetupRequest(number, _game(message), owners, _whole(message, "turn", 0, 1))


def _open(number: int, message: dict[str, Any]) -> Request:
    return OpenRequest(number, _text(message, "text", limits.SGF_TEXT), _game(message))


def _sgf_save(number: int, message: dict[str, Any]) -> Request:
    nodes = message.get("nodes")
    if not isinstance(nodes, list) or not 1 <= len(nodes) <= limits.GAME_NODES + 1:
        raise UsageError(f"nodes must be a list of 1 to {limits.GAME_NODES + 1} nodes")
    start: dict[str, Any] = {
        "game": message.get("game"),
        "start": message.get("start"),
        "moves": [],
    }
    read = tuple(_node(i, node) for i, node in enumerate(nodes))
    return SgfSaveRequest(number, position_value(start), read)


def _node(place: int, node: Any) -> tuple[int, str, dict[str, list[str]]]:
    """One node of a game: [index of the node before, move, SGF properties]."""
    if not isinstance(node, list) or len(node) != 3:
        raise UsageError("a node must be a list of the node before, the move and its properties")
    parent, move, properties = node
    least, most = (-1, -1) if place == 0 else (0, place - 1)
    if type(parent) is not int or not least <= parent <= most:
        raise UsageError(f"node {place}: the node before must be from {least} to {most}")
    if not isinstance(move, str) or (place == 0) != (move == ""):
        raise UsageError(f"node {place}: {_kind(move)} is not a move")
    if move and not is_move_name(move):
        raise UsageError(f"node {place}: {_kind(move)} is not a move")
    if not isinstance(properties, dict) or len(properties) > limits.PROPERTIES:
        raise UsageError(f"node {place}: properties must be an object of SGF properties")
    for name, values in properties.items():
        if not _PROPERTY.fullmatch(name) or not isinstance(values, list) or not values:
            raise UsageError(f"node {place}: {_kind(name)} is not an SGF property with values")
        for i in range(len(values)):
            _text({name: values[i]}, name, limits.SGF_TEXT)
    return parent, move, properties


def _judge(number: int, message: dict[str, Any]) -> Request:
    return JudgeRequest(number, position_value(message.get("position")))


def _warm(number: int, message: dict[str, Any]) -> Request:
    return WarmRequest(number, _game(message), _agents(message))


def _agents(message: dict[str, Any]) -> tuple[str, ...]:
    agents = message.get("agents")
    if not isinstance(agents, list) or len(agents) not in (1, 2):
        raise UsageError("agents must be a list of one or two agents")
    return tuple(agent_text(agent) for agent in agents)


def _search(number: int, message: dict[str, Any]) -> Request:
    agents = _agents(message)
    if message.get("playouts") is None and message.get("seconds") is None:
        raise UsageError("a search needs playouts or seconds")
    return SearchRequest(
        number,
        position_value(message.get("position")),
        agents,
        playouts=_whole(message, "playouts", 1, limits.PLAYOUTS, default=limits.PLAYOUTS),
        seconds=_number(message, "seconds", 0.001, limits.SECONDS, default=limits.SECONDS),
        paused=_flag(message, "paused"),
        seed=_whole(message, "seed", 0, MAX_ID, default=0),
        guided=_flag(message, "guided"),
        only="".join(_moves([message["only"]] if "only" in message else [], 1)),
    )


def _control(number: int, message: dict[str, Any]) -> Request:
    return ControlRequest(number, message["type"])


def _step(number: int, message: dict[str, Any]) -> Request:
    return StepRequest(number, _whole(message, "playouts", 1, limits.STEP))


def _tree(number: int, message: dict[str, Any]) -> Request:
    path = _moves(message.get("path"), limits.DEPTH)
    return TreeRequest(number, _whole(message, "side", 0, 1), path)


def _subtree(number: int, message: dict[str, Any]) -> Request:
    path = _moves(message.get("path"), limits.DEPTH)
    nodes = _whole(message, "nodes", 1, limits.SUBTREE)
    depth = _whole(message, "depth", 1, limits.DEPTH, default=limits.DEPTH)
    return SubtreeRequest(number, _whole(message, "side", 0, 1), path, nodes, depth)


def _playout(number: int, message: dict[str, Any]) -> Request:
    return PlayoutRequest(number)


_READERS = {
    "position": _position,
    "setup": _setup,
    "open": _open,
    "sgf_save": _sgf_save,
    "search": _search,
    "pause": _control,
    "continue": _control,
    "stop": _control,
    "step": _step,
    "tree": _tree,
    "judge": _judge,
    "warm": _warm,
    "subtree": _subtree,
    "playout": _playout,
}
_FIELDS: dict[str, tuple[str, ...]] = {
    "position": ("position",),
    "setup": ("game", "stones", "turn"),
    "open": ("text", "game"),
    "sgf_save": ("game", "start", "nodes"),
    "search": ("position", "agents", "playouts", "seconds", "paused", "seed", "guided", "only"),
    "pause": (),
    "continue": (),
    "stop": (),
    "step": ("playouts",),
    "tree": ("side", "path"),
    "judge": ("position",),
    "warm": ("game", "agents"),
    "subtree": ("side", "path", "nodes", "depth"),
    "playout": (),
}


def position_value(value: Any) -> PositionValue:
    if not isinstance(value, dict) or not set(value) <= {"game", "start", "moves"}:
        raise UsageError("position must be an object with game, start and moves")
    start = value.get("start")
    if start is not None:
        if not isinstance(start, dict) or set(start) not in ({"name"}, {"diagram"}):
            raise UsageError('start must be null, {"name": ...} or {"diagram": ...}')
        start = {key: _text(start, key, limits.TEXT) for key in start}
    return PositionValue(_game(value), start, _moves(value.get("moves"), limits.MOVES))


def agent_text(agent: Any) -> str:
    """The text of an agent, checked so that it names no file."""
    if not isinstance(agent, str) or len(agent) > limits.NAME or not _AGENT.fullmatch(agent):
        raise UsageError(f"{_kind(agent)} is not an agent; write one as uct or uct(c=0.7)")
    inside = agent.partition("(")[2].removesuffix(")")
    for part in filter(None, (part.strip() for part in inside.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if not is_accepted(name, value):
            raise UsageError(f"{_kind(agent)}: {_kind(name)} is not accepted in the browser")
    return agent


def _game(value: dict[str, Any]) -> str:
    game = value.get("game")
    if (
        not isinstance(game, str)
        or len(game) > limits.NAME
        or not _GAME.fullmatch(game)
        or not is_known(game)
    ):
        known = _list([*FAMILIES, *offered()])
        raise UsageError(f"{_kind(game)} is not a game; accepted: {known}, as in hex:5")
    return game


def _moves(value: Any, most: int) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > most:
        raise UsageError(f"moves must be a list of at most {most}")
    for move in value:
        if not isinstance(move, str) or not is_move_name(move):
            raise UsageError(f"{_kind(move)} is not a move")
    return tuple(value)


def _whole(
    message: dict[str, Any], name: str, low: int, high: int, default: int | None = None
) -> int:
    value = message.get(name)
    if value is None and default is not None:
        return default
    if type(value) is not int or not low <= value <= high:
        raise UsageError(f"{name} must be a whole number from {low} to {high}, not {_kind(value)}")
    return value


def _number(message: dict[str, Any], name: str, low: float, high: float, default: float) -> float:
    value = message.get(name)
    if value is None:
        return default
    if type(value) not in (int, float) or not low <= value <= high or not math.isfinite(value):
        raise UsageError(f"{name} must be a number from {low:g} to {high:g}, not {_kind(value)}")
    return float(value)


def _flag(message: dict[str, Any], name: str) -> bool:
    value = message.get(name, False)
    if type(value) is not bool:
        raise UsageError(f"{name} must be true or false, not {_kind(value)}")
    return value


def _text(message: dict[str, Any], name: str, most: int) -> str:
    value = message.get(name)
    if not isinstance(value, str) or len(value) > most:
        raise UsageError(f"{name} must be text of at most {most} characters")
    if _HALF.search(value):
        raise UsageError(f"{name} contains half a character (a lone surrogate)")
    return value


def _kind(value: Any) -> str:
    """A value for an error message: short, and printable."""
    if isinstance(value, str):
        shown = ascii(value[:40])
        return shown if len(value) <= 40 else f"{shown}..."
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) >= 1e15:
        return "a very large number"
    return json.dumps(value)


def _list(names: Any) -> str:
    return ", ".join(sorted(names))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
