"""Names for the moves of an OpenSpiel game, which names an action by position and player.

A game of ours has one name per move, without spaces and commas. So what OpenSpiel calls an action
counts only if it is the same in all positions; otherwise moves are named by their numbers.
"""

from __future__ import annotations

import random
import re

import pyspiel

GAMES, PLIES = 10, 200  # random games, and moves of each, in which names are collected


def move_names(game: pyspiel.Game) -> tuple[str, ...]:
    """The name of each action; a player's own sign in front, as in x(0,2), is left out."""
    count = game.num_distinct_actions()
    numbers = tuple(str(action) for action in range(count))
    heard = _listen(game)
    if heard is None:
        return numbers
    prefixes = [_common_start(list(names.values())) for names in heard]
    if not all(prefixes) or prefixes[0] == prefixes[1]:
        prefixes = ["", ""]
    names: dict[int, str] = {}
    for player, said in enumerate(heard):
        for action, text in said.items():
            name = _tidy(text.removeprefix(prefixes[player]))
            if not name or names.setdefault(action, name).lower() != name.lower():
                return numbers
    taken = {name.lower() for name in names.values()}
    if len(taken) < len(names):
        return numbers
    rest = [action for action in range(count) if action not in names]
    for action, text in zip(rest, _ask(game, rest), strict=True):
        name = _tidy(text.removeprefix(prefixes[0]))
        names[action] = name if name and name.lower() not in taken else f"#{action}"
        taken.add(names[action].lower())
    return tuple(names[action] for action in range(count))


def _listen(game: pyspiel.Game) -> tuple[dict[int, str], dict[int, str]] | None:
    """What OpenSpiel calls each player's actions in random games; None if that depends on more.

    Only legal actions are asked for: the name of another one may be a crash, as in chess.
    """
    heard: tuple[dict[int, str], dict[int, str]] = ({}, {})
    rng = random.Random(0)
    for _ in range(GAMES):
        state = game.new_initial_state()
        for _ in range(PLIES):
            if state.is_terminal():
                break
            player, actions = state.current_player(), state.legal_actions()
            for action in actions:
                name = state.action_to_string(player, action)
                if heard[player].setdefault(action, name) != name:
                    return None
            state.apply_action(rng.choice(actions))
    return heard


def _ask(game: pyspiel.Game, actions: list[int]) -> list[str]:
    """What OpenSpiel calls actions that did not come up; empty if it names only legal ones.

    Names do not depend on the position, as far as random games tell, so the start will do.
    """
    start = game.new_initial_state()
    try:
        return [start.action_to_string(0, action) for action in actions]
    except pyspiel.SpielError:
        return [""] * len(actions)


def _common_start(names: list[str]) -> str:
    """The letters with which all of these begin."""
    first, last = min(names, default=""), max(names, default="")
    length = 0
    while length < len(first) and first[: length + 1] == last[: length + 1]:
        length += 1
    return first[:length]


def _tidy(name: str) -> str:
    """One word: x(0,2) is x-0-2."""
    return re.sub(r"[\s,()\[\]]+", "-", name).strip("-;")
