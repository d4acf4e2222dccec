"""Tells the page what can be chosen: games, agents and their parameters, limits, the gallery.

The texts about agents come from agents/kinds.py; only titles and the limits of controls are added.
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.agents import AGENTS, BACKUPS, Kind, Option
from uctlab.games import FAMILIES, make_game
from uctlab.games.named import NAMED
from uctlab.lab import limits, own_games
from uctlab.lab.agent_options import title_of
from uctlab.lab.gallery import DECEPTIVE_RIGHT, GALLERY, PLAY
from uctlab.rules.playouts import LEARNED

DECAYS = {"auct": 3, "duct": 5, "dtuned": 5}  # k has no default on the command line
# Parameters for some games only, and the field of such a game.
KNOWING = {
    "prior": "priors",
    "bias": "priors",
    "knowledge": "trained_priors",
    "prune": "priors",
    "preset": "priors",
    "filter": "root_filter",
    "leaf": "evaluate",
    "alpha": "evaluate",
}
KNOWING_AGENTS = {"fuego": "priors", "mogo": "priors", "uctmax": "evaluate"}
PLAYOUTS = ("bridge", "heavy")  # policies that only some games have
WHOLE = ("k", "expand", "ignore", "levels")
OWN_HELP = (
    "A game of your own, shown as text: click a move. It has no set-up and no SGF files here; "
    "the link keeps the game."
)
DECEPTIVE_WINS = (1, 2, 3, 4, 5, 8, 12)
GAMES: tuple[dict[str, Any], ...] = (
    {
        "name": "othello",
        "title": "Othello",
        "board": "square",
        "sizes": [8],
        "sized": False,
        "default_size": 8,
        "size_title": "Board",
        "help": "Enclose a line of discs between two of yours to flip them; the player with more "
        "discs at the end wins.",
        "options": [],
    },
    {
        "name": "hex",
        "title": "Hex",
        "board": "hex",
        "sizes": list(range(3, 20)),
        "sized": True,
        "default_size": 11,
        "size_title": "Board",
        "help": "Black connects top and bottom, White connects left and right; exactly one of them "
        "succeeds.",
        "options": [
            {
                "name": "swap",
                "title": "Swap",
                "help": "The second player may take over the first stone, mirrored.",
                "type": "choice",
                "default": "off",
                "choices": ["off", "on"],
            }
        ],
    },
    {
        "name": "havannah",
        "title": "Havannah",
        "board": "havannah",
        "sizes": list(range(3, 11)),
        "sized": True,
        "default_size": 5,
        "size_title": "Cells per side",
        "help": "Win with a ring, a bridge between two corners, or a fork between three edges.",
        "options": [
            {
                "name": "swap",
                "title": "Swap",
                "help": "The second player may take over the first stone.",
                "type": "choice",
                "default": "off",
                "choices": ["off", "on"],
            }
        ],
    },
    {
        "name": "go",
        "title": "Go",
        "board": "go",
        "sizes": [5, 7, 9, 11, 13, 19],
        "sized": True,
        "default_size": 9,
        "size_title": "Board",
        "help": "Surround more area than your opponent. The game ends after two passes.",
        "options": [
            {
                "name": "komi",
                "title": "Komi",
                "help": "Points that White gets for moving second.",
                "type": "number",
                "default": 7.5,
                "minimum": -50,
                "maximum": 50,
                "step": 0.5,
                "choices": None,
            }
        ],
    },
    {
        "name": "kalah",
        "title": "Kalah",
        "board": "text",
        "sizes": [3, 4, 5, 6],
        "sized": True,
        "default_size": 6,
        "size_title": "Houses on each side",
        "help": "Sow the seeds of a house into the following pits. A last seed in your store: the "
        "opponent passes; in an empty house of yours: it captures those opposite. More seeds win.",
        "options": [
            {
                "name": "seeds",
                "title": "Seeds",
                "help": "Seeds in each house at the start.",
                "type": "integer",
                "default": 4,
                "minimum": 1,
                "maximum": 20,
                "choices": None,
            }
        ],
    },
    {
        "name": "deceptive",
        "title": "Deceptive tree",
        "board": "tree",
        "sizes": list(DECEPTIVE_WINS),
        "sized": True,
        "default_size": 2,
        "size_title": "Winning leaves below B",
        "help": "A tree of nine nodes in which B looks better but loses; C wins.",
        "right": DECEPTIVE_RIGHT,
        "options": [
            {
                "name": "depth",
                "title": "Depth",
                "help": "How many times in a row the refutation must be found.",
                "type": "integer",
                "default": 1,
                "minimum": 1,
                "maximum": 8,
                "choices": None,
            }
        ],
    },
)


def catalog() -> dict[str, Any]:
    """Without what depends on the server: how many searches it runs, whether it needs a token."""
    return {
        "games": [_game(game) for game in GAMES] + [_own(name) for name in own_games.offered()],
        "agents": [_agent(name, kind) for name, kind in AGENTS.items() if kind.builds_tree],
        "gallery": list(GALLERY),
        "play": PLAY,
        "named": [
            {"game": named.game, "name": name, "title": f"{name}, on {named.game}"}
            for name, named in NAMED.items()
        ],
        "limits": {
            "playouts": limits.PLAYOUTS,
            "seconds": limits.SECONDS,
            "bytes": limits.TREE_BYTES,
            "moves": limits.MOVES,
            "idle_seconds": limits.IDLE_SECONDS,
            "step": limits.STEP,
        },
    }


def _game(facts: dict[str, Any]) -> dict[str, Any]:
    name = str(facts["name"])
    game = make_game(name)
    if facts["sized"]:
        game = game.resized(facts["default_size"])
    return {
        **facts,
        "spec": game.name,
        "agent": game.agent,
        "players": list(game.players),
        "setup": game.setup is not None,
        "sgf": bool(game.sgf_root),
        "playouts": list(game.playouts),
    }


def _own(name: str) -> dict[str, Any]:
    """A game from the user's file, which the page shows as text."""
    game = own_games.lab_game(name)
    about = (getattr(game.factory, "__doc__", None) or "").strip().partition("\n")[0]
    return {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "board": "text",
        "sizes": [],
        "sized": False,
        "default_size": None,
        "size_title": "",
        "help": f"{about} {OWN_HELP}".strip(),
        "options": [_own_option(key, value) for key, value in game.options.items()],
        "spec": name,
        "agent": game.agent,
        "players": list(game.players),
        "setup": False,
        "sgf": False,
        "playouts": list(game.playouts),
    }


def _own_option(name: str, value: Any) -> dict[str, Any]:
    """A parameter of `make`, whose type is that of its value."""
    flag = isinstance(value, bool)
    return {
        "name": name,
        "title": _sentence(name),
        "help": "A parameter of your file's make().",
        "type": "choice" if flag else "integer" if isinstance(value, int) else "number",
        "default": ("off", "on")[value] if flag else _written(value),
        "choices": ["off", "on"] if flag else None,
    }


def _agent(name: str, kind: Kind) -> dict[str, Any]:
    parameters = [
        _parameter(name, key, option)
        for key, option in kind.options.items()
        if not option.not_on_page and key != "lam"  # another way to write k
    ]
    return {
        "name": name,
        "spec": f"{name}(k={DECAYS[name]})" if name in DECAYS else name,
        "title": _sentence(kind.about),
        "help": kind.idea,
        "equation": kind.equation,
        "games": _families_with(KNOWING_AGENTS[name]) if name in KNOWING_AGENTS else None,
        "parameters": parameters,
    }


def _parameter(agent: str, name: str, option: Option) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": name,
        "title": title_of(name),
        "help": _sentence(option.about) + ".",
        "default": _written(option.default),
        "required": False,
        "minimum": None,
        "maximum": None,
        "choices": None,
        "games": _families_with(KNOWING[name]) if name in KNOWING else None,
    }
    if name == "playout":
        facts |= {"type": "choice", "choices": ["uniform", *PLAYOUTS, *LEARNED]}
        facts["choice_games"] = {
            policy: [name for name in _names() if policy in own_games.lab_game(name).playouts]
            for policy in PLAYOUTS
        }
    elif name == "backup":
        facts |= {"type": "choice", "choices": ["", *BACKUPS]}
        facts["help"] = "Its own unless another is chosen. " + "; ".join(
            f"{name}: {about}" for name, about in BACKUPS.items()
        )
    elif option.choices:
        flag = option.choices == ("off", "on")
        facts |= {"type": "flag" if flag else "choice", "choices": list(option.choices)}
    else:
        facts["type"] = "integer" if name in WHOLE else "number"
        facts["minimum"], facts["maximum"] = _finite(option.low), _finite(option.high)
        facts["words"] = list(option.words)  # accepted besides numbers
    if name == "k" and agent in DECAYS:
        facts |= {"default": DECAYS[agent], "required": True, "minimum": 1, "maximum": 9}
    return facts


def _families_with(field: str) -> list[str]:
    return [name for name in _names() if getattr(own_games.lab_game(name), field) is not None]


def _names() -> list[str]:
    return [*FAMILIES, *own_games.offered()]


def _sentence(text: str) -> str:
    """With a capital letter, unless it begins with something to be typed."""
    first = text.partition(" ")[0]
    if "=" in first:  # "rave=fuego: ..."
        return f"With {text}"
    return text if first.endswith(":") else text[0].upper() + text[1:]


def _written(value: Any) -> Any:
    """A default as JSON; infinity is "inf", as in an agent's text."""
    if isinstance(value, float):
        return "inf" if math.isinf(value) else int(value) if value.is_integer() else value
    return value


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
